import NetworkUtilities

extension Cookie {
    /// Name and value together, in bytes (RFC 6265 §6.1).
    static let mostBytes = 4096

    /// The value of one attribute, in bytes (RFC 6265bis §5.6).
    static let mostAttributeBytes = 1024

    /// The grammar for those who make cookies (RFC 6265 §4.1.1).
    func checkSendable() throws(InvalidCookie) {
        try checkLength()
        guard HTTPToken.isValid(name) else { throw .name(name) }
        guard Self.isValue(value) else { throw .value(name: name) }
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .path(name: name) }
        try checkStorable()
    }

    /// What holds for every cookie, also for one that a server set in breach of the grammar, which clients have to
    /// take (RFC 6265 §5.2).
    func checkStorable() throws(InvalidCookie) {
        try checkLength()
        guard !name.isEmpty, Self.isStorable(name), !name.utf8.contains(CookieGrammar.equals) else { throw .name(name) }
        guard Self.isStorable(value) else { throw .value(name: name) }
        guard let host = CookieHost(domain), host.name == domain else { throw .domain(domain, name: name) }
        guard isHostOnly || host.hasNamesBelow else { throw .sharedDomain(domain, name: name) }
        let isPath = path.utf8.first == CookieGrammar.slash && path.utf8.count <= Self.mostAttributeBytes
        guard isPath, Self.isStorable(path) else { throw .path(name: name) }
        guard isWhatItsNameSays else { throw .prefix(name: name) }
    }

    private func checkLength() throws(InvalidCookie) {
        let count = name.utf8.count + value.utf8.count
        guard count <= Self.mostBytes else { throw .length(count) }
    }

    /// Nothing that would begin another cookie or another field, and no white space that would be lost.
    private static func isStorable(_ text: String) -> Bool {
        let bytes = text.utf8
        if let first = bytes.first, CookieGrammar.isWhiteSpace(first) { return false }
        if let last = bytes.last, CookieGrammar.isWhiteSpace(last) { return false }
        return !bytes.contains { CookieGrammar.isControl($0) || $0 == CookieGrammar.semicolon }
    }

    /// `cookie-value` of RFC 6265 §4.1.1.
    private static func isValue(_ text: String) -> Bool {
        var bytes = Substring(text).utf8
        if bytes.count >= 2, bytes.first == CookieGrammar.quote, bytes.last == CookieGrammar.quote {
            bytes = bytes.dropFirst().dropLast()
        }
        return bytes.allSatisfy { byte in
            switch byte {
            case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
            default: false
            }
        }
    }

    /// The prefixes of RFC 6265bis §4.1.3, whose case does not count, since there are servers to whom it does not.
    private var isWhatItsNameSays: Bool {
        if hasPrefix(Self.hostPrefix) { return isSecure && isHostOnly && path == "/" }
        return isSecure || !hasPrefix("__Secure-")
    }

    static let hostPrefix = "__Host-"

    /// Whether the name begins so, in whatever case.
    func hasPrefix(_ prefix: String) -> Bool {
        HeaderField.isSameName(String(decoding: name.utf8.prefix(prefix.utf8.count), as: UTF8.self), prefix)
    }
}
