/// The path of a request, which is appended to the base URL of its builder.
///
/// Write it as a literal. An interpolated value stays one segment, whatever it contains, so no value can lead to
/// another resource:
///
/// ```swift
/// let api = URLRequest.builder(baseURL: URL(string: "https://api.example.com/v1")!)
/// let posts = try api.get(path: "/users/\("a/b")/posts").build()
/// // …/v1/users/a%2Fb/posts
/// ```
/// - In the literal, a `?` begins the query and a `#` the fragment. Existing escapes stay; characters that a URL can't
///   contain are escaped.
/// - In a value, all characters but the unreserved ones (RFC 3986 §2.3), `:` and `@` are escaped. After the `?` of the
///   literal, a value is escaped like the value of a query item.
/// - An empty value as a whole segment, and a segment `.` or `..`, is an error when the path is used. So is a complete
///   URL, such as the link to the next page from a server: use `get(url:)`.
/// - `\(segments:)` inserts several segments, `\(encoded:)` a text that is escaped already.
/// - ``template(_:variables:)-(URITemplate,Params)`` expands a URI template (RFC 6570).
public struct RequestPath: Hashable, Sendable {
    let pieces: [Piece]

    init(pieces: [Piece]) {
        self.pieces = pieces
    }

    /// A part of the path; the parts are in the order in which they are written.
    struct Piece: Hashable, Sendable {
        let text: String
        let kind: Kind

        enum Kind: Hashable, Sendable {
            /// The programmer's text.
            case literal
            /// The text of a relative `URL`.
            case url
            /// A value that still has to be escaped; errors name it by its label, or by its number if it has no label.
            case value(label: String?)
            /// A text that is escaped already.
            case encoded
            /// The expansion of an expression of a template.
            case expanded(URITemplate.Expression)
        }
    }
}

extension RequestPath: OpaqueValue {
    /// The literal with numbers in place of the values, as in `/users/{1}/posts`, and without the query.
    public var description: String { HTTPURLError.shown(place(of: nil).path) }
}

// MARK: - Interpolation

extension RequestPath: ExpressibleByStringInterpolation {
    /// Creates a path from a string literal without interpolated values.
    public init(stringLiteral value: String) {
        pieces = [Piece(text: value, kind: .literal)]
    }

    /// Creates a path from a literal and its values.
    public init(stringInterpolation: StringInterpolation) {
        pieces = stringInterpolation.pieces
    }

    /// Collects the parts of a path.
    ///
    /// Interpolated values must conform to ``URLTextConvertible``; an optional value does not compile.
    public struct StringInterpolation: StringInterpolationProtocol {
        var pieces: [Piece] = []

        /// Creates an empty interpolation.
        public init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(2 * max(0, min(interpolationCount, 16)) + 1)
        }

        /// Appends the text between two values.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { append(literal, .literal) }
        }

        /// Appends a value, which stays within its segment.
        public mutating func appendInterpolation<Value: URLTextConvertible>(_ value: Value) {
            append(value.urlText, .value(label: nil))
        }

        /// Appends several segments; each value stays one segment, and can't be empty, `.` or `..`.
        public mutating func appendInterpolation<Value: URLTextConvertible>(segments: [Value]) {
            append(segments: segments.map(\.urlText), label: nil)
        }

        /// Appends segments that errors name by a label, such as `:id`.
        package mutating func append(segments: [String], label: String?) {
            append(segments.first ?? "", .value(label: label))
            for segment in segments.dropFirst() {
                append("/", .literal)
                append(segment, .value(label: label))
            }
        }

        /// Appends a text that is escaped already, such as a path from a server.
        ///
        /// Its `/`, `?`, `#` and escapes mean the same as in the literal.
        public mutating func appendInterpolation(encoded text: String) {
            append(text, .encoded)
        }

        /// Rejects a value that may have no text, or more than one.
        @available(
            *,
            unavailable,
            message: """
                a value in a path must have exactly one text: convert it to a String; an enum or a struct of yours \
                declares URLTextConvertible
                """
        )
        public mutating func appendInterpolation<Value>(_ value: Value) { fatalError() }

        /// Rejects a value that may be missing.
        @available(*, unavailable, message: "a path has no place for a missing value: unwrap the optional first")
        public mutating func appendInterpolation<Value>(_ value: Value?) { fatalError() }

        private mutating func append(_ text: String, _ kind: Piece.Kind) {
            pieces.append(Piece(text: text, kind: kind))
        }
    }
}

extension RequestPath.StringInterpolation: OpaqueValue {}

// MARK: - Templates

extension RequestPath {
    /// Expands a URI template (RFC 6570) as a path.
    ///
    /// ```swift
    /// let api = URLRequest.builder(baseURL: url)
    /// let path = try RequestPath.template(
    ///     "/users{/id}{?page,limit}", variables: ["id": 42, "page": 2]
    /// )
    /// let request = try api.get(path: path).build()
    /// ```
    /// The expressions of missing variables are left out. An empty segment is an error when the path is used, and so is
    /// a missing segment that the template needs. Throws ``URITemplateError``.
    public static func template(_ template: String, variables: Params) throws(URITemplateError) -> RequestPath {
        try .template(URITemplate(template), variables: variables)
    }

    /// Expands a URI template with the properties of a value that encodes as an object.
    public static func template<Value: Encodable>(
        _ template: String,
        variables: Value
    ) throws(URITemplateError) -> RequestPath {
        try .template(URITemplate(template), variables: variables)
    }

    /// Expands a parsed URI template; throws ``URITemplateError/unusableVariable(name:reason:)``.
    public static func template(_ template: URITemplate, variables: Params) throws(URITemplateError) -> RequestPath {
        RequestPath(pieces: try template.pieces(URITemplate.Variables(variables)))
    }

    /// Expands a parsed URI template with the properties of a value that encodes as an object.
    public static func template<Value: Encodable>(
        _ template: URITemplate,
        variables: Value
    ) throws(URITemplateError) -> RequestPath {
        RequestPath(pieces: try template.pieces(URITemplate.Variables(encoding: variables)))
    }
}

// MARK: - Resolution against a base URL

extension RequestPath {
    /// Returns a base URL with this path appended; the query and fragment of the base URL are kept.
    func resolved(against base: URL) throws(RequestPathError) -> URL {
        guard hasPath else { throw .emptyPath }
        try checkForCompleteURL()
        return try appended(to: base, hasPath: true)
    }

    /// Returns the URL to which a client with a base URL sends a request for a relative URL.
    ///
    /// The bytes of both URLs stay unchanged. A relative URL without a path adds its query to the base URL's own path.
    package static func resolve(_ relative: URL, against base: URL) throws(RequestPathError) -> URL {
        let text = relative.absoluteString
        let path = RequestPath(pieces: [Piece(text: text, kind: .url)])
        // `//host/path` names another host (RFC 3986 §4.2), to which the client's credentials would go.
        guard !text.hasPrefix("//") else { throw .notAURL(path.place(of: nil)) }
        return try path.appended(to: base, hasPath: path.hasPath)
    }

    /// Throws if a literal or an escaped text begins the path with the scheme of a complete URL; a value is escaped
    /// instead.
    ///
    /// The error shows no user, password and query of the URL.
    private func checkForCompleteURL() throws(RequestPathError) {
        guard let index = pieces.firstIndex(where: { !$0.text.isEmpty }) else { return }
        let text = pieces[index].text
        guard let first = text.utf8.first, ASCII.lowercased(first) == UInt8(ascii: "h"),
            ["http://", "https://"].contains(where: { ASCII.isSame(String(text.prefix($0.count)), $0) })
        else { return }
        let place =
            switch pieces[index].kind {
            case .value: nil as RequestPathError.Place?
            case .literal, .url: place(of: nil)
            case .encoded, .expanded: place(of: index)
            }
        guard let place else { return }
        throw .completeURL(RequestPathError.Place(value: place.value, path: HTTPURLError.shown(place.path)))
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

    /// Whether there is anything before the query and the fragment.
    private var hasPath: Bool {
        for piece in pieces {
            switch piece.kind {
            case .value, .encoded:
                return true
            case .literal, .url, .expanded:
                if let first = piece.text.utf8.first { return first != UInt8(ascii: "?") && first != UInt8(ascii: "#") }
                if case .expanded(let expression) = piece.kind, expression.role == .segment { return true }
            }
        }
        return false
    }

    /// Returns whether a base URL names a host.
    ///
    /// After a base URL without a host, `//host/path` would name another host (RFC 3986 §4.2).
    private static func hasAuthority(_ base: String) -> Bool {
        let path = base.utf8.drop { !"/?#".utf8.contains($0) }
        return path.starts(with: "//".utf8)
    }

    /// Returns the place of a piece, for an error; the index is nil for the literal.
    private func place(of index: Int?) -> RequestPathError.Place {
        var number = 0
        let labels = pieces.map { piece in
            switch piece.kind {
            case .literal, .url:
                return piece.text
            case .expanded(let expression):
                return expression.text
            case .value(let label):
                number += 1
                return label ?? "{\(number)}"
            case .encoded:
                number += 1
                return "{\(number)}"
            }
        }
        return RequestPathError.Place(value: index.map { labels[$0] }, path: labels.joined())
    }
}

extension ReferenceWriter {
    fileprivate mutating func append(_ piece: RequestPath.Piece, _ index: Int) throws(Violation) {
        switch piece.kind {
        case .literal: try append(piece.text)
        case .url: try append(piece.text, as: .url)
        case .value: append(value: piece.text, piece: index)
        case .encoded: try append(piece.text, piece: index, as: .segment)
        case .expanded(let expression): try append(piece.text, piece: index, as: expression.role)
        }
    }
}
