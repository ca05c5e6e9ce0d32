package import Foundation

/// The path of a request, behind the base URL of its builder.
///
/// Write it as a literal. What is interpolated stays one segment, whatever it holds, so that no value can lead to
/// another resource:
///
/// ```swift
/// let api = URLRequest.builder(baseURL: URL(string: "https://api.example.com/v1")!)
/// let posts = try api.get(path: "/users/\("a/b")/posts").build()      // …/v1/users/a%2Fb/posts
/// ```
/// - In the literal itself a `?` begins the query and a `#` the fragment. Escapes that are there stay; what may not
///   stand in a URL is escaped.
/// - In a value only unreserved characters (RFC 3986 §2.3), `:` and `@` stay bare. Behind the `?` of the literal, a
///   value is escaped as that of a query item.
/// - A value that is empty as a whole segment, and a segment `.` or `..`, is an error when the path is used.
/// - `\(segments:)` takes several segments, `\(encoded:)` a text that is escaped already.
/// - ``template(_:variables:)-(URITemplate,Params)`` expands a URI template (RFC 6570).
public struct RequestPath: Hashable, Sendable {
    let pieces: [Piece]

    init(pieces: [Piece]) {
        self.pieces = pieces
    }

    /// One part of the path, in the order in which they are written.
    enum Piece: Hashable, Sendable {
        /// What the programmer wrote.
        case literal(String)
        /// The text of a relative `URL`.
        case url(String)
        /// A value that is to be escaped.
        case value(String)
        /// A text that has its escapes.
        case encoded(String)
        /// What an expression of a template became.
        case expanded(String, expression: URITemplate.Expression)
    }
}

extension RequestPath {
    /// The path with the place of each value in braces, for errors.
    private var outline: String {
        labels.joined()
    }

    /// How an error calls each piece: `{2}` for the second value, or the expression that it comes from.
    private var labels: [String] {
        var number = 0
        return pieces.map { piece in
            switch piece {
            case .literal(let text), .url(let text):
                return text
            case .expanded(_, let expression):
                return expression.text
            case .value, .encoded:
                number += 1
                return "{\(number)}"
            }
        }
    }

    /// Names a piece, and the path it is in.
    private func place(of index: Int?) -> RequestPathError.Place {
        RequestPathError.Place(value: index.map { labels[$0] }, path: outline)
    }

    /// Whether there is anything in front of the query.
    private var hasPath: Bool {
        for piece in pieces {
            switch piece {
            case .literal(let text), .url(let text):
                if let first = text.utf8.first { return first != UInt8(ascii: "?") && first != UInt8(ascii: "#") }
            case .expanded(let text, let expression):
                if let first = text.utf8.first { return first != UInt8(ascii: "?") && first != UInt8(ascii: "#") }
                if expression.role == .segment { return true }
            case .value, .encoded:
                return true
            }
        }
        return false
    }

    /// The path behind a base URL, whose own query and fragment stay.
    func resolved(against base: URL) throws(RequestPathError) -> URL {
        guard hasPath else { throw .emptyPath }
        return try appended(to: base, hasPath: true)
    }

    /// A relative URL behind a base URL, as a client with a base URL sends it.
    ///
    /// The bytes of both stay unchanged. One that has no path adds its query to the base URL's own path.
    package static func resolve(_ relative: URL, against base: URL) throws(RequestPathError) -> URL {
        let text = relative.absoluteString
        let path = RequestPath(pieces: [.url(text)])
        // `//host/path` names another host (RFC 3986 §4.2), to which the client's credentials would go.
        guard !text.hasPrefix("//") else { throw .notAURL(path.place(of: nil)) }
        return try path.appended(to: base, hasPath: path.hasPath)
    }

    private func appended(to base: URL, hasPath: Bool) throws(RequestPathError) -> URL {
        let capacity = pieces.reduce(0) { $0 + $1.text.utf8.count }
        let baseText = base.absoluteString
        var writer = ReferenceWriter(base: baseText, capacity: capacity, addsPath: hasPath)
        do {
            for (index, piece) in pieces.enumerated() { try writer.append(piece, index) }
            try writer.finish()
        } catch {
            switch error.kind {
            case .emptySegment: throw .emptySegment(place(of: error.piece))
            case .dotSegment: throw .dotSegment(place(of: error.piece))
            }
        }
        guard let url = URL(string: String(decoding: writer.bytes, as: UTF8.self)),
            Self.hasAuthority(baseText) || url.host == nil
        else { throw .notAURL(place(of: nil)) }
        return url
    }

    /// Whether a base URL names a host.
    ///
    /// Behind one that does not, `//host/path` would name another (RFC 3986 §4.2).
    private static func hasAuthority(_ base: String) -> Bool {
        let path = base.utf8.drop { !"/?#".utf8.contains($0) }
        return path.starts(with: "//".utf8)
    }
}

extension RequestPath.Piece {
    fileprivate var text: String {
        switch self {
        case .literal(let text), .url(let text), .value(let text), .encoded(let text), .expanded(let text, _): text
        }
    }
}

extension ReferenceWriter {
    fileprivate mutating func append(_ piece: RequestPath.Piece, _ index: Int) throws(Violation) {
        switch piece {
        case .literal(let text): try append(text)
        case .url(let text): try append(text, as: .url)
        case .value(let text): append(value: text, piece: index)
        case .encoded(let text): try append(text, piece: index, as: .segment)
        case .expanded(let text, let expression): try append(text, piece: index, as: expression.role)
        }
    }
}
