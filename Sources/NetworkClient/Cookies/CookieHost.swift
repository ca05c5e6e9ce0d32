/// A host as cookies compare it (RFC 6265 §5.1.2): in lower case, an IPv6 address without brackets.
struct CookieHost: Hashable, Sendable {
    let name: String
    /// Whether it is an IP address, which has no names above and below it.
    let isAddress: Bool

    /// Nil for what is no host; names beyond ASCII are expected in their `xn--` form, as `URL` has them.
    init?(_ text: String) {
        var bytes = Array(text.utf8)
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") {
            bytes = Array(bytes.dropFirst().dropLast())
        }
        guard (1...Self.mostBytes).contains(bytes.count) else { return nil }
        for (index, byte) in bytes.enumerated() where (0x41...0x5A).contains(byte) { bytes[index] = byte | 0x20 }
        let isIPv6 = bytes.filter { $0 == UInt8(ascii: ":") }.count >= 2
        guard bytes.allSatisfy(isIPv6 ? Self.isAddressCharacter : Self.isNameCharacter) else { return nil }
        guard bytes.contains(where: { $0 != UInt8(ascii: ".") }) else { return nil }
        isAddress = isIPv6 || Self.endsInNumber(bytes)
        name = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether what belongs to a domain may go to this host (RFC 6265 §5.1.3).
    func matches(_ domain: String) -> Bool {
        name == domain || !isAddress && Self.isBelow(name, domain)
    }

    /// Whether one name ends in the other, label by label.
    static func isBelow(_ name: String, _ domain: String) -> Bool {
        name.hasSuffix(".\(domain)")
    }

    /// Itself and the names above it: those whose cookies may go to it.
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

    /// Whether a cookie may be shared with the names below this one: there is no list of public suffixes here, but a
    /// name of a single label, such as `com`, is always one.
    var hasNamesBelow: Bool {
        guard !isAddress else { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
    }

    /// More than a name of the DNS can have.
    private static let mostBytes = 255

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    private static func isAddressCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x61...0x66, 0x2E: true
        default: false
        }
    }

    /// What resolvers take for an IPv4 address: the last label is a number, as in `127.0.0.1`, `127.1` and
    /// `0x7f000001`.
    private static func endsInNumber(_ bytes: [UInt8]) -> Bool {
        guard let last = bytes.split(separator: UInt8(ascii: ".")).last else { return false }
        if last.allSatisfy(CookieGrammar.isDigit) { return true }
        guard last.starts(with: "0x".utf8) else { return false }
        return last.dropFirst(2).allSatisfy { CookieGrammar.isDigit($0) || (0x61...0x66).contains($0) }
    }
}
