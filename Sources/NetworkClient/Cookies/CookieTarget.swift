import Foundation

/// Where a request goes, as far as it matters to cookies; ports do not (RFC 6265 §8.5).
struct CookieTarget: Sendable {
    let host: CookieHost
    /// Escaped, as it goes on the wire.
    let path: String
    /// Whether it goes over https: `http://localhost`, which browsers trust as well, does not.
    let isSecure: Bool

    /// Nil for a URL that has no host.
    init?(_ url: URL) {
        guard let host = url.host.flatMap(CookieHost.init) else { return nil }
        self.host = host
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        self.path = path.isEmpty ? "/" : path
        isSecure = url.scheme?.lowercased() == "https"
    }

    /// Whether a cookie goes there (RFC 6265 §5.4).
    func receives(_ cookie: Cookie) -> Bool {
        (cookie.isHostOnly ? host.name == cookie.domain : host.matches(cookie.domain))
            && CookiePath.matches(path, cookie.path)
            && (isSecure || !cookie.isSecure)
    }
}
