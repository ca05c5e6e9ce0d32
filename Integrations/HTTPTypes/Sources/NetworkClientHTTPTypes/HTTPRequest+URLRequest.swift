public import Foundation
public import HTTPTypes
public import NetworkClient

extension URLRequest {
    /// Creates a request with the method, the URL and the fields of another, but without a body.
    ///
    /// The bytes of the URL stay as they are. Foundation has one value for each field name and no order of names, so
    /// that fields of one name are joined by a comma (RFC 9110 §5.3), and those named `Cookie` by a semicolon; of
    /// fields that must not be repeated, such as `Content-Type`, the last one stays.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - baseURL: The URL to which the path and the query of the request are appended, without a separator; its own
    ///     query is left out. If nil, the request needs a scheme and an authority.
    /// - Throws: ``HTTPTypesConversionError``.
    public init(_ request: HTTPRequest, baseURL: URL? = nil) throws(HTTPTypesConversionError) {
        let method = request.method.rawValue
        let target = request.path ?? ""
        guard let beginning = baseURL.map(\.beginning) ?? request.origin, target.isTarget else { throw .invalidURL }
        let text = beginning + target
        guard let url = URL(string: text), url.absoluteString == text, text.namesHost || url.isHTTP else {
            throw .invalidURL
        }
        self.init(url: url)
        // Setting a method takes as long as parsing a URL, and a new request has GET.
        if method != "GET" { httpMethod = method }
        guard httpMethod == method, request.method != .connect else { throw .invalidMethod(method) }
        // Names and values were checked when the fields were made.
        if let fields = request.headerFields.distinct {
            allHTTPHeaderFields = fields
        } else {
            add(headers: request.headerFields.map { .custom(name: $0.name.rawName, value: $0.value) })
        }
    }
}

extension HTTPRequest {
    /// Creates a request with the method, the URL and the fields of another, which are sorted by name; its body, the
    /// user and the password in its URL, and the fragment are left out.
    ///
    /// - Throws: ``HTTPTypesConversionError``.
    public init(_ request: URLRequest) throws(HTTPTypesConversionError) {
        let name = request.httpMethod ?? "GET"
        guard let method = Method(name), method != .connect else { throw .invalidMethod(name) }
        guard let url = request.url, let scheme = url.scheme, url.isHTTP else { throw .invalidURL }
        // Bytes, since a URL has no others than those of ASCII, and a loop over characters is ten times as slow.
        let text = url.absoluteString.utf8.dropFirst(scheme.utf8.count + "://".utf8.count)
        let authority = text.prefix { !$0.endsAuthority }
        let host = authority[
            (authority.lastIndex(of: UInt8(ascii: "@")).map(authority.index(after:)) ?? authority.startIndex)...
        ]
        let target = text[authority.endIndex...].prefix { $0 != UInt8(ascii: "#") }
        let path = String(Substring(target))
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        self.init(
            method: method,
            scheme: scheme,
            authority: String(Substring(host)),
            path: target.first == UInt8(ascii: "/") ? path : "/\(path)",
            headerFields: try HTTPFields(validating: fields.map { (name: $0.key, value: $0.value) })
        )
    }

    /// The URL up to its path; nil if the scheme or the authority is missing, or the authority has more than it should.
    fileprivate var origin: String? {
        guard let scheme, let authority, !authority.utf8.contains(where: \.endsAuthority) else { return nil }
        return "\(scheme)://\(authority)"
    }
}

extension HTTPFields {
    /// The values by name; nil if two fields have one name.
    fileprivate var distinct: [String: String]? {
        var (names, values) = (Set<HTTPField.Name>(minimumCapacity: count), [String: String](minimumCapacity: count))
        for field in self {
            guard names.insert(field.name).inserted else { return nil }
            values[field.name.rawName] = field.value
        }
        return values
    }
}

extension URL {
    fileprivate var isHTTP: Bool {
        ["http", "https"].contains(scheme?.lowercased()) && host?.isEmpty == false
    }

    /// The URL without its query and its fragment.
    fileprivate var beginning: String {
        String(Substring(absoluteString.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }))
    }
}

extension String {
    /// Whether this begins with `http://` or `https://` and a host without a user; false if the URL has to tell.
    fileprivate var namesHost: Bool {
        for scheme in ["http://", "https://"] where utf8.starts(with: scheme.utf8) {
            let authority = utf8.dropFirst(scheme.utf8.count).prefix { !$0.endsAuthority }
            guard let first = authority.first, !authority.contains(UInt8(ascii: "@")) else { return false }
            return 0x61...0x7A ~= first | 0x20 || 0x30...0x39 ~= first
        }
        return false
    }

    /// Whether this is a path, a query, or both, without a fragment.
    fileprivate var isTarget: Bool {
        guard let first = utf8.first else { return true }
        return (first == UInt8(ascii: "/") || first == UInt8(ascii: "?")) && !utf8.contains(UInt8(ascii: "#"))
    }
}

extension UInt8 {
    /// Whether the byte is the first one after the authority of a URL (RFC 3986 §3.2).
    fileprivate var endsAuthority: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }
}
