import JSONDecoding

/// A token that a server issued, with the data for replacing it.
///
/// ```swift
/// let token = AccessToken("eyJhbGciOi", refreshToken: "8xLOxBtZp8", expiresIn: 3_600)
/// ```
///
/// A token of an OAuth 2 server also has the other members of the server's response (RFC 6749 §5.1). Those without a
/// property are read by name, as in `let type: String? = token["issued_token_type"]`.
///
/// Its text (`description`, `dump`) never shows the secrets and these members; the encoded form contains both.
public struct AccessToken: Hashable, Sendable, Codable {
    /// The secret in requests, without the name of a scheme.
    public let value: String

    /// The secret that is exchanged for the next token (RFC 6749 §1.5); nil without one.
    public let refreshToken: String?

    /// The time from which the server refuses the token; nil if it is not known.
    public let expiry: Date?

    /// The members of the token response that have no other property; nil for a token that is not from a response.
    private var members: [String: JSONTree]?

    /// The identifier of the person in stored tokens, which stays the same through refreshes.
    ///
    /// Nil for a token that no session has used yet. Part of the encoded form, but not compared.
    let person: String?

    /// Creates a token that expires at a fixed time, or at an unknown one.
    public init(_ value: String, refreshToken: String? = nil, expiry: Date? = nil) {
        self.init(value, refreshToken, expiry, person: nil, nil)
    }

    private init(
        _ value: String,
        _ refreshToken: String?,
        _ expiry: Date?,
        person: String?,
        _ members: [String: JSONTree]?
    ) {
        self.value = value
        self.refreshToken = refreshToken
        self.expiry = expiry
        self.person = person
        self.members = members
    }

    /// Creates a token that expires `seconds` from now, as in `expires_in` of RFC 6749 §5.1; in the refresh of a
    /// session, by the clock of the client whose call has started it.
    ///
    /// NaN and more than a thousand years are an unknown time.
    public init(_ value: String, refreshToken: String? = nil, expiresIn seconds: TimeInterval) {
        let isKnown = abs(seconds) < 86_400 * 365_250
        let expiry = SharedWork.date + seconds
        self.init(value, refreshToken: refreshToken, expiry: isKnown ? expiry : nil)
    }

    /// Returns this token for the predecessor's person.
    ///
    /// Members that the server has not sent again are the predecessor's: the refresh token and the scope
    /// (RFC 6749 §6), the ID token (OpenID Connect Core §12.2).
    func succeeding(_ predecessor: AccessToken) -> AccessToken {
        let members = (predecessor.members ?? [:]).merging(members ?? [:]) { $1 }
        return AccessToken(
            value,
            refreshToken ?? predecessor.refreshToken,
            expiry,
            person: predecessor.identifier,
            members.isEmpty ? nil : members
        )
    }

    /// Returns the token of a person; nil stands for the person whom the token itself identifies.
    func identified(as person: String? = nil) -> AccessToken {
        AccessToken(value, refreshToken, expiry, person: person ?? identifier, members)
    }

    /// Returns the token with the members of its response, except for those that have a property.
    func with(_ members: [String: JSONTree]) -> AccessToken {
        var token = self
        let others = members.filter { name, value in
            !["access_token", "refresh_token", "expires_in"].contains(name) && value != .null && value != .text("")
        }
        token.members = others.isEmpty ? nil : others
        return token
    }

    /// The identifier of the person.
    ///
    /// If no session has used the token yet, the identifier is made of its secrets, so that all processes that find the
    /// token in their store get the same identifier.
    var identifier: String {
        if let person { return person }
        // FNV-1a distinguishes sign-ins, and reveals nothing of a secret of more than 64 bits.
        let hash = (refreshToken ?? value).utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return String(hash, radix: 36)
    }

    /// Whether the token cannot be sent because it has only white space.
    var isBlank: Bool { value.allSatisfy(\.isWhitespace) }

    /// Returns whether both tokens have the same secrets; a store may round the expiry.
    func hasSameSecrets(as other: AccessToken) -> Bool {
        value == other.value && refreshToken == other.refreshToken
    }

    /// Returns whether both tokens have the same secrets, or both are missing.
    static func haveSameSecrets(_ one: AccessToken?, _ other: AccessToken?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.hasSameSecrets(as: other)
    }
}

extension AccessToken {
    /// The scopes that the server has granted (RFC 6749 §3.3); nil if it has sent none, since it granted the requested
    /// ones.
    public var scopes: [String]? {
        if let names: [String] = self["scope"] { return names }
        let text: String? = self["scope"]
        return text?.split(separator: " ").map(String.init)
    }

    /// The ID token of an OpenID Connect provider, a JSON Web Token whose signature is not checked here; nil without
    /// one.
    public var idToken: String? { self["id_token"] }

    /// The value of another member of the token response, decoded as the type that the caller expects; nil if there is
    /// no such member or it is not of that type.
    public subscript<Value: Decodable>(name: String) -> Value? {
        members?[name]?.decoded()
    }

    /// Compares the secrets and the expiry.
    public static func == (one: AccessToken, other: AccessToken) -> Bool {
        one.hasSameSecrets(as: other) && one.expiry == other.expiry
    }

    /// Hashes the secrets and the expiry.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
        hasher.combine(refreshToken)
        hasher.combine(expiry)
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    /// The expiry, with the secrets masked.
    public var description: String {
        let ending = expiry.map { "expires at \($0)" } ?? "expiry unknown"
        return "AccessToken(***, \(refreshToken == nil ? "no refresh token" : "refresh token ***"), \(ending))"
    }

    /// A mirror that shows the expiry only.
    public var customMirror: Mirror { Mirror(self, children: ["expiry": expiry as Any], displayStyle: .struct) }
}
