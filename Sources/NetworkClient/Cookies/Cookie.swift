/// A cookie as a ``CookieStore`` keeps it (RFC 6265 §5.3).
///
/// The value is a secret: no text form contains it. Store an encoded cookie only where you would store a password.
public struct Cookie: Hashable, Sendable {
    /// The case-sensitive name.
    public let name: String

    /// The value as it is sent, including quotes.
    public let value: String

    /// The host that receives the cookie, in lower case; an IPv6 address has no brackets.
    public let domain: String

    /// Whether only ``domain`` receives the cookie, and not the hosts below it.
    public let isHostOnly: Bool

    /// The case-sensitive path that receives the cookie, together with the paths below it.
    public let path: String

    /// The expiry date; nil for a session cookie, which lasts until the app removes it.
    public let expires: Date?

    /// Whether the cookie is sent over https only.
    public let isSecure: Bool

    /// Whether the server hides the cookie from scripts; has no effect in this library.
    public let isHTTPOnly: Bool

    /// The server's policy for requests from other sites; has no effect in this library.
    public let sameSite: SameSite

    /// Creates a cookie that a server could set (RFC 6265 §4.1.1).
    ///
    /// - Parameters:
    ///   - name: A token.
    ///   - value: ASCII without spaces and `",;\`, optionally in quotes.
    ///   - domain: A host such as `example.com`; non-ASCII names in their `xn--` form.
    ///   - isHostOnly: False to include the hosts below, which requires a domain of two labels or more.
    ///   - path: Begins with a slash; at most 1,024 bytes.
    ///   - expires: The expiry date; nil for a session cookie.
    ///   - isSecure: Whether the cookie is sent over https only.
    ///   - isHTTPOnly: Has no effect.
    ///   - sameSite: Has no effect.
    /// - Throws: ``CookieError`` if the cookie can't be sent.
    public init(
        name: String,
        value: String,
        domain: String,
        isHostOnly: Bool = true,
        path: String = "/",
        expires: Date? = nil,
        isSecure: Bool = false,
        isHTTPOnly: Bool = false,
        sameSite: SameSite = .default
    ) throws(CookieError) {
        self.name = name
        self.value = value
        let domain = !isHostOnly && domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
        self.domain = CookieHost(domain)?.name ?? domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        try checkSendable()
    }

    /// The value of the `SameSite` attribute (RFC 6265bis §5.7.7).
    public struct SameSite: RawRepresentable, Hashable, Sendable, Codable {
        /// The word in the attribute.
        public let rawValue: String

        /// Creates a policy from the word in the attribute.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The attribute is missing or unknown.
        public static let `default` = SameSite(rawValue: "Default")

        /// Requests from the same site only.
        public static let strict = SameSite(rawValue: "Strict")

        /// Requests from the same site, and links that the user follows.
        public static let lax = SameSite(rawValue: "Lax")

        /// Requests from every site.
        public static let none = SameSite(rawValue: "None")
    }

    /// Returns whether the cookie has not expired.
    ///
    /// A NaN expiry date counts as expired.
    func isLive(at now: Date) -> Bool {
        expires.map { $0 > now } ?? true
    }

    /// Returns whether a store holds only one of the two cookies (RFC 6265 §5.3).
    ///
    /// As in browsers, a host-only cookie and a shared one are different, so that a host can't replace the cookies of
    /// the host above it.
    func isSame(as other: Cookie) -> Bool {
        isHostOnly == other.isHostOnly
            && name.utf8.elementsEqual(other.name.utf8)
            && domain.utf8.elementsEqual(other.domain.utf8)
            && path.utf8.elementsEqual(other.path.utf8)
    }
}

extension Cookie: OpaqueValue {
    /// Name, domain and path without the value, as in `Cookie 'id' of example.com/`.
    public var description: String {
        "Cookie '\(name)' of \(isHostOnly ? "" : "*.")\(domain)\(path)"
    }
}

extension Cookie: Codable {
    /// Decodes a cookie.
    ///
    /// - Throws: `DecodingError`, also for a cookie that no store would have kept.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        value = try container.decode(String.self, forKey: .value)
        domain = try container.decode(String.self, forKey: .domain)
        isHostOnly = try container.decode(Bool.self, forKey: .isHostOnly)
        path = try container.decode(String.self, forKey: .path)
        expires = try container.decodeIfPresent(Date.self, forKey: .expires)
        isSecure = try container.decode(Bool.self, forKey: .isSecure)
        isHTTPOnly = try container.decode(Bool.self, forKey: .isHTTPOnly)
        sameSite = try container.decode(SameSite.self, forKey: .sameSite)
        do {
            try checkStorable()
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error)
            )
        }
    }
}

// MARK: - Validation

extension Cookie {
    /// The maximum length of name and value together, in bytes (RFC 6265 §6.1).
    static let maxLength = 4096

    /// The maximum length of an attribute's value, in bytes (RFC 6265bis §5.6).
    static let maxAttributeLength = 1024

    static let hostPrefix = "__Host-"

    /// Checks the grammar that a server's cookie must follow (RFC 6265 §4.1.1).
    private func checkSendable() throws(CookieError) {
        try checkLength()
        guard HTTPToken.isValid(name) else { throw .name(name) }
        guard Self.isSendable(value) else { throw .value(name: name) }
        let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") }
        guard isPlain else { throw .path(name: name) }
        try checkStorable()
    }

    /// Checks what is required of every cookie, including the ones that clients must accept although they break the
    /// grammar (RFC 6265 §5.2).
    func checkStorable() throws(CookieError) {
        try checkLength()
        guard !name.isEmpty, Self.isStorable(name), !name.utf8.contains(UInt8(ascii: "=")) else { throw .name(name) }
        guard Self.isStorable(value) else { throw .value(name: name) }
        guard let host = CookieHost(domain), host.name == domain else { throw .domain(domain, name: name) }
        guard isHostOnly || host.hasNamesBelow else { throw .sharedDomain(domain, name: name) }
        let isPath = path.utf8.first == UInt8(ascii: "/") && path.utf8.count <= Self.maxAttributeLength
        guard isPath, Self.isStorable(path, inPath: true) else { throw .path(name: name) }
        guard satisfiesItsNamePrefix else { throw .prefix(name: name) }
    }

    private func checkLength() throws(CookieError) {
        let count = name.utf8.count + value.utf8.count
        guard count <= Self.maxLength else { throw .length(count) }
    }

    /// Returns whether the text contains nothing that would begin another cookie or another field, and no white space
    /// that would be trimmed.
    ///
    /// A path is never sent, and that of a URL may contain a semicolon.
    private static func isStorable(_ text: String, inPath: Bool = false) -> Bool {
        let bytes = text.utf8
        if let first = bytes.first, ASCII.isWhiteSpace(first) { return false }
        if let last = bytes.last, ASCII.isWhiteSpace(last) { return false }
        return !bytes.contains { ASCII.isControl($0) || $0 == UInt8(ascii: ";") && !inPath }
    }

    /// Returns whether the text is a `cookie-value` (RFC 6265 §4.1.1).
    private static func isSendable(_ value: String) -> Bool {
        let isQuoted = value.utf8.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
        let bytes = isQuoted ? value.utf8.dropFirst().dropLast() : value.utf8[...]
        return bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\",;\\".utf8.contains($0) }
    }

    /// Whether the attributes allow a prefix of the name (RFC 6265bis §4.1.3), compared without case as in browsers.
    private var satisfiesItsNamePrefix: Bool {
        if hasPrefix("__Host-Http-") || hasPrefix("__Http-"), !isHTTPOnly { return false }
        if hasPrefix(Self.hostPrefix) { return isSecure && isHostOnly && path == "/" }
        return isSecure || !hasPrefix("__Secure-") && !hasPrefix("__Http-")
    }

    /// Returns whether the name has the prefix, compared without case.
    func hasPrefix(_ prefix: String) -> Bool {
        ASCII.isSame(String(decoding: name.utf8.prefix(prefix.utf8.count), as: UTF8.self), prefix)
    }
}

/// The reason why a ``Cookie`` can't be sent.
///
/// The text never contains the cookie's value.
@nonexhaustive
public enum CookieError: Error, Hashable, Sendable {
    /// The name is not a token (RFC 9110 §5.6.2).
    case name(String)

    /// The value contains a character that isn't allowed (RFC 6265 §4.1.1).
    case value(name: String)

    /// Name and value have more than 4,096 bytes together.
    case length(Int)

    /// The domain is not a host.
    case domain(String, name: String)

    /// The domain has no hosts below it that can share the cookie.
    case sharedDomain(String, name: String)

    /// The path is not a valid absolute path.
    case path(name: String)

    /// The attributes don't allow the prefix of the name (RFC 6265bis §4.1.3).
    case prefix(name: String)
}

extension CookieError: DescribedError {
    /// One sentence that names the cookie.
    public var description: String {
        switch self {
        case .name(let name):
            "The cookie name \(name.debugDescription) is not a token: use letters, digits and !#$%&'*+-.^_`|~ only."
        case .value(let name):
            "The value of the cookie '\(name)' contains a space, a control character, a non-ASCII character or one of "
                + "the characters \",;\\, which cookie values can't contain."
        case .length(let count):
            "A cookie of \(count) bytes is too long: name and value can have at most 4096 bytes together."
        case .domain(let domain, let name):
            "The domain \(domain.debugDescription) of the cookie '\(name)' is not a host."
        case .sharedDomain(let domain, let name):
            "The cookie '\(name)' can't be shared with the hosts below \(domain.debugDescription), "
                + "which is an address or has a single label."
        case .path(let name):
            "The path of the cookie '\(name)' does not begin with a slash, has more than 1024 bytes or contains "
                + "characters that a path can't contain."
        case .prefix(let name):
            "The cookie '\(name)' does not meet the requirements of its name: '__Secure-' requires a secure cookie, "
                + "'__Host-' also a single host and the path '/'."
        }
    }
}
