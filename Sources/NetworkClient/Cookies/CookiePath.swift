/// Paths as cookies compare them (RFC 6265 §5.1.4): byte by byte, and as they are escaped.
enum CookiePath {
    /// The path of a cookie whose server names none: that of the request up to its last slash.
    static func standard(for requestPath: String) -> String {
        guard
            requestPath.utf8.first == CookieGrammar.slash,
            let last = requestPath.utf8.lastIndex(of: CookieGrammar.slash),
            last > requestPath.startIndex
        else { return "/" }
        return String(requestPath[..<last])
    }

    /// Whether a request's path is the cookie's or lies below it.
    static func matches(_ requestPath: String, _ cookiePath: String) -> Bool {
        guard requestPath.utf8.starts(with: cookiePath.utf8) else { return false }
        let rest = requestPath.utf8.dropFirst(cookiePath.utf8.count)
        return rest.isEmpty || cookiePath.utf8.last == CookieGrammar.slash || rest.first == CookieGrammar.slash
    }
}
