public import Foundation

/// A token that a server issued, with what is needed to replace it.
///
/// ```swift
/// let token = AccessToken("eyJhbGciOi", refreshToken: "8xLOxBtZp8", expiresIn: 3_600)
/// ```
///
/// Its text (`description`, `dump`) never shows the secrets; the encoded form contains them.
public struct AccessToken: Hashable, Sendable, Codable {
    /// The secret that requests carry, without the name of a scheme.
    public let value: String

    /// The secret that is exchanged for the next token (RFC 6749 §1.5); nil without one.
    public let refreshToken: String?

    /// The time from which the server refuses the token; nil if it is not known.
    public let expiry: Date?

    /// Creates a token that expires at a fixed time, or at an unknown one.
    public init(_ value: String, refreshToken: String? = nil, expiry: Date? = nil) {
        self.value = value
        self.refreshToken = refreshToken
        self.expiry = expiry
    }

    /// Creates a token that expires `seconds` from now, as in `expires_in` of RFC 6749 §5.1.
    ///
    /// NaN, as well as more than a thousand years, is an unknown time.
    public init(_ value: String, refreshToken: String? = nil, expiresIn seconds: TimeInterval) {
        let isKnown = abs(seconds) < 86_400 * 365_250
        self.init(value, refreshToken: refreshToken, expiry: isKnown ? Date(timeIntervalSinceNow: seconds) : nil)
    }

    /// Returns the token with the refresh token of its predecessor, unless it has its own: a server need not send
    /// another one (RFC 6749 §6).
    func succeeding(_ predecessor: AccessToken) -> AccessToken {
        guard refreshToken == nil, predecessor.refreshToken != nil else { return self }
        return AccessToken(value, refreshToken: predecessor.refreshToken, expiry: expiry)
    }

    /// Whether both tokens have the same secrets; a store may round the expiry.
    func hasSameSecrets(as other: AccessToken) -> Bool {
        value == other.value && refreshToken == other.refreshToken
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The expiry, with the secrets masked.
    public var description: String {
        let ending = expiry.map { "expires at \($0)" } ?? "expiry unknown"
        return "AccessToken(***, \(refreshToken == nil ? "no refresh token" : "refresh token ***"), \(ending))"
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// A mirror that shows the expiry only.
    public var customMirror: Mirror { Mirror(self, children: ["expiry": expiry as Any], displayStyle: .struct) }
}
