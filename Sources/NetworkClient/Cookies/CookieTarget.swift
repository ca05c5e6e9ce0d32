/// The parts of a request's URL that decide which cookies it receives and sets; ports have no effect (RFC 6265 §8.5).
struct CookieTarget: Sendable {
    let host: CookieHost
    /// The path, percent-encoded as it is sent.
    let path: String
    /// Whether the scheme is https.
    ///
    /// `http://localhost` is not secure, although browsers trust it.
    let isSecure: Bool

    /// Creates the target of a URL; nil if the URL has no host.
    init?(_ url: URL) {
        guard let host = url.host.flatMap(CookieHost.init) else { return nil }
        self.host = host
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        self.path = path.isEmpty ? "/" : path
        isSecure = url.scheme?.lowercased() == "https"
    }

    /// Returns whether a request to this URL sends the cookie (RFC 6265 §5.4).
    func receives(_ cookie: Cookie) -> Bool {
        (cookie.isHostOnly ? host.name == cookie.domain : host.matches(cookie.domain))
            && Self.path(path, isWithin: cookie.path)
            && (isSecure || !cookie.isSecure)
    }

    /// The path of a cookie without a `Path` attribute: the request's path up to its last slash (RFC 6265 §5.1.4).
    var defaultCookiePath: String {
        guard path.utf8.first == UInt8(ascii: "/"), let last = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return "/"
        }
        return last > path.startIndex ? String(path[..<last]) : "/"
    }

    /// Returns whether a path equals a cookie's path or lies below it, compared byte by byte (RFC 6265 §5.1.4).
    static func path(_ path: String, isWithin cookiePath: String) -> Bool {
        guard path.utf8.starts(with: cookiePath.utf8) else { return false }
        let rest = path.utf8.dropFirst(cookiePath.utf8.count)
        return rest.isEmpty || cookiePath.utf8.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/")
    }
}

/// A host in the form in which cookies compare it (RFC 6265 §5.1.2): in lower case, an IPv6 address without brackets.
struct CookieHost: Hashable, Sendable {
    let name: String
    /// Whether the host is an IP address, which has no hosts above or below it.
    let isAddress: Bool

    /// Creates a host; nil if the text is not a host.
    ///
    /// Non-ASCII names must be in their `xn--` form, which `URL` produces.
    init?(_ text: String) {
        let isBracketed = text.utf8.first == UInt8(ascii: "[") && text.utf8.last == UInt8(ascii: "]")
        let bytes = (isBracketed ? text.utf8.dropFirst().dropLast() : text.utf8[...]).map(ASCII.lowercased)
        guard (1...Self.maxLength).contains(bytes.count) else { return nil }
        name = String(decoding: bytes, as: UTF8.self)
        let isIPv6 = bytes.contains(UInt8(ascii: ":"))
        guard isIPv6 ? IPv6Address.isValid(name) : bytes.allSatisfy(Self.isNameCharacter) else { return nil }
        guard bytes.contains(where: { $0 != UInt8(ascii: ".") }) else { return nil }
        isAddress = isIPv6 || Self.endsInNumber(bytes)
    }

    /// Returns whether a cookie of the domain may be sent to this host (RFC 6265 §5.1.3).
    func matches(_ domain: String) -> Bool {
        name == domain || !isAddress && Self.isBelow(name, domain)
    }

    /// Returns whether the name is a subdomain of the domain.
    static func isBelow(_ name: String, _ domain: String) -> Bool {
        name.hasSuffix(".\(domain)")
    }

    /// The host and the names above it: the domains whose cookies may be sent to this host.
    var domains: [String] {
        guard !isAddress else { return [name] }
        var domains = [name]
        var rest = Substring(name)
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            domains.append(String(rest))
        }
        return domains
    }

    /// Whether hosts below this one may share a cookie.
    ///
    /// There is no list of public suffixes here, but a name of a single label, such as `com`, is always one.
    var hasNamesBelow: Bool {
        guard !isAddress else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
    }

    /// The maximum number of bytes, which is more than a DNS name can have.
    private static let maxLength = 255

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._".utf8.contains(byte)
    }

    /// Returns whether resolvers read the name as an IPv4 address: its last label is a number, as in `127.0.0.1`,
    /// `127.1` and `0x7f000001`.
    private static func endsInNumber(_ bytes: [UInt8]) -> Bool {
        guard let last = bytes.split(separator: UInt8(ascii: ".")).last else { return false }
        return last.allSatisfy(ASCII.isDigit)
            || last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy { ASCII.hexadecimalValue(of: $0) != nil }
    }
}
