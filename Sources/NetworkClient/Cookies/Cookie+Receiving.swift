import Foundation

extension Cookie {
    /// The cookie that an answer sets (RFC 6265 §5.3); nil if its server may not, or no client would keep it.
    init?(_ field: SetCookie, from target: CookieTarget, now: Date) {
        guard target.isSecure || !field.isSecure else { return nil }
        name = field.name
        value = field.value
        if let domain = field.domain, !domain.isEmpty {
            // A server may name itself whatever it is called, which is what it says by naming nothing.
            guard let host = CookieHost(domain), target.host.matches(host.name) else { return nil }
            guard host.hasNamesBelow || host == target.host else { return nil }
            self.domain = host.name
            isHostOnly = !host.hasNamesBelow
        } else {
            domain = target.host.name
            isHostOnly = true
        }
        if let path = field.path, path.utf8.first == CookieGrammar.slash {
            self.path = path
        } else {
            path = CookiePath.standard(for: target.path)
        }
        expires = field.maxAge.map { Self.date(in: $0, from: now) } ?? field.expires
        isSecure = field.isSecure
        isHTTPOnly = field.isHTTPOnly
        sameSite = field.sameSite
        guard (try? checkStorable()) != nil else { return nil }
        // `__Host-` requires an explicit `Path=/` and allows no `Domain`, also where the domain is the host itself, as
        // with an IP address (RFC 6265bis §5.7).
        let isOfItsHost = field.path == "/" && field.domain?.isEmpty != false
        guard isOfItsHost || !hasPrefix(Self.hostPrefix) else { return nil }
    }

    /// Not beyond the year 9999, which no text could name.
    private static func date(in seconds: Double, from now: Date) -> Date {
        guard seconds > 0 else { return .distantPast }
        return Date(timeIntervalSince1970: min(now.timeIntervalSince1970 + seconds, 253_402_300_799))
    }
}
