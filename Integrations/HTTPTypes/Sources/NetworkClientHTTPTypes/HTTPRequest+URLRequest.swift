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
        let place = baseURL.map { String($0.absoluteString.prefix { $0 != "?" && $0 != "#" }) } ?? request.origin
        let target = request.path ?? ""
        let text = (place ?? "") + target
        guard let url = URL(string: text), url.absoluteString == text, url.isHTTP, !target.contains("#"),
            baseURL != nil || request.authority?.contains(where: { "/?#".contains($0) }) != true,
            target.isEmpty || target.hasPrefix("/") || target.hasPrefix("?")
        else { throw .invalidURL }
        var converted = URLRequest(url: url)
        converted.httpMethod = method
        guard converted.httpMethod == method, request.method != .connect else { throw .invalidMethod(method) }
        self = converted.adding(headers: request.headerFields.map { .custom(name: $0.name.rawName, value: $0.value) })
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
        let text = url.absoluteString.dropFirst(scheme.count + "://".count).prefix { $0 != "#" }
        let authority = text.prefix { $0 != "/" && $0 != "?" }
        let host = authority[
            (authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex)...
        ]
        let target = text[authority.endIndex...]
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        self.init(
            method: method,
            scheme: scheme,
            authority: String(host),
            path: target.hasPrefix("/") ? String(target) : "/\(target)",
            headerFields: try HTTPFields(validating: fields.map { (name: $0.key, value: $0.value) })
        )
    }

    /// The beginning of the URL; nil if it is unknown.
    fileprivate var origin: String? {
        guard let scheme, let authority else { return nil }
        return "\(scheme)://\(authority)"
    }
}

extension URL {
    fileprivate var isHTTP: Bool {
        ["http", "https"].contains(scheme?.lowercased()) && host?.isEmpty == false
    }
}
