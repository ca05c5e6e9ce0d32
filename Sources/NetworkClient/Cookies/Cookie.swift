public import Foundation

/// One cookie as a ``CookieStore`` keeps it: what a server asked to be sent back, and where to (RFC 6265 §5.3).
///
/// Its text form (`description`) never shows the value. The value is secret; encode a cookie (it is `Codable`) only to
/// where a password could lie as well.
public struct Cookie: Hashable, Sendable {
    /// The name; case counts.
    public let name: String

    /// The value as it goes on the wire, quotes included.
    public let value: String

    /// The host that it belongs to, in lower case; an IPv6 address without brackets.
    public let domain: String

    /// Whether it goes to ``domain`` only, and not to the names below it.
    public let isHostOnly: Bool

    /// Where it goes on that host: to this path and those below it; case counts.
    public let path: String

    /// When it ends; nil if it ends with the session, of which the program knows the end.
    public let expires: Date?

    /// Whether it goes over https only.
    public let isSecure: Bool

    /// Whether the server would not have scripts read it; kept, and of no effect here.
    public let isHTTPOnly: Bool

    /// What the server says of requests that come from other sites; kept, and of no effect here.
    public let sameSite: SameSite

    /// Takes a cookie that a server would be allowed to set (RFC 6265 §4.1.1).
    ///
    /// - Parameters:
    ///   - name: A token.
    ///   - value: ASCII without spaces and `",;\`; quotes may stand around it.
    ///   - domain: A host, such as `example.com`; non-ASCII names in their `xn--` form.
    ///   - isHostOnly: False to share it with the names below; asks for a domain of two labels or more.
    ///   - path: Begins with a slash; at most 1,024 bytes.
    ///   - expires: When it ends.
    ///   - isSecure: Whether it goes over https only.
    ///   - isHTTPOnly: Without effect.
    ///   - sameSite: Without effect.
    /// - Throws: ``InvalidCookie`` for what cannot be sent.
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
    ) throws(InvalidCookie) {
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

    /// Whether it has not ended; a date that is no number is no date to wait for.
    func isLive(at now: Date) -> Bool {
        expires.map { $0 > now } ?? true
    }

    /// Whether the store holds at most one of the two (RFC 6265 §5.3, and host-only ones apart, as browsers do: the
    /// host below cannot replace what belongs to the host above).
    func isSame(as other: Cookie) -> Bool {
        isHostOnly == other.isHostOnly
            && name.utf8.elementsEqual(other.name.utf8)
            && domain.utf8.elementsEqual(other.domain.utf8)
            && path.utf8.elementsEqual(other.path.utf8)
    }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Name and place, as in `Cookie 'id' of example.com/`, with the value left out.
    public var description: String {
        "Cookie '\(name)' of \(isHostOnly ? "" : "*.")\(domain)\(path)"
    }

    /// Name and place, with the value left out.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows no value either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
