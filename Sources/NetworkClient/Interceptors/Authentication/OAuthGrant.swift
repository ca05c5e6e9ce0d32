/// What an OAuth 2 client exchanges for an access token (RFC 6749).
///
/// ```swift
/// let grant = OAuthGrant.clientCredentials(id: "app", secret: "s", scopes: ["read"])
/// let client = try NetworkClient(
///     baseURL: "https://api.example.com",
///     interceptors: [.authentication(.oauth(tokenURL: tokenURL, grant: grant))]
/// )
/// ```
///
/// A ``TokenSession`` with a grant gets and renews tokens by itself; ``token(from:replacing:client:)`` gets one token,
/// for example for a sign-in. The client authenticates itself with HTTP Basic, or with `secretInBody` by
/// `client_secret` in the form (§2.3.1); a public client has no secret, and sends only its `client_id`. `parameters`
/// are further fields of each token request, such as `audience`, or `resource` (RFC 8707), which may be repeated.
///
/// The text (`description`, `dump`) never shows a secret.
public struct OAuthGrant: Sendable {
    private let id: String?
    private let secret: String?
    private let secretInBody: Bool
    /// The fields that are exchanged for the first token; empty if only a refresh token is.
    private var first: [URLQueryItem]
    private let others: [URLQueryItem]
    /// Whether later tokens are issued in exchange for refresh tokens.
    private let usesRefreshTokens: Bool

    private init(
        _ client: (id: String?, secret: String?, secretInBody: Bool),
        _ first: KeyValuePairs<String, String?>,
        scopes: [String] = [],
        _ parameters: KeyValuePairs<String, String>,
        usesRefreshTokens: Bool = true
    ) {
        (id, secret, secretInBody) = client
        self.first = first.compactMap { $1 == nil ? nil : URLQueryItem(name: $0, value: $1) }
        let scope = scopes.isEmpty ? [] : [URLQueryItem(name: "scope", value: scopes.joined(separator: " "))]
        others = scope + parameters.map { URLQueryItem(name: $0, value: $1) }
        self.usesRefreshTokens = usesRefreshTokens
    }

    /// The client's own credentials (§4.4), for a service without a person.
    ///
    /// A session asks for a new token each time; a refresh token that the server may add is not used.
    public static func clientCredentials(
        id: String,
        secret: String,
        scopes: [String] = [],
        parameters: KeyValuePairs<String, String> = [:],
        secretInBody: Bool = false
    ) -> OAuthGrant {
        let fields: KeyValuePairs<String, String?> = ["grant_type": "client_credentials"]
        return OAuthGrant((id, secret, secretInBody), fields, scopes: scopes, parameters, usesRefreshTokens: false)
    }

    /// The refresh token of the token that is replaced (§6); without one, the error is
    /// ``AuthenticationError/Reason/missingCredential``.
    ///
    /// Without scopes, the new token has those of the old one. If the server sends a new refresh token, it replaces the
    /// old one, otherwise the old one is kept.
    public static func refreshToken(
        id: String,
        secret: String? = nil,
        scopes: [String] = [],
        parameters: KeyValuePairs<String, String> = [:],
        secretInBody: Bool = false
    ) -> OAuthGrant {
        OAuthGrant((id, secret, secretInBody), [:], scopes: scopes, parameters)
    }

    /// The code that a browser has brought back from the person's sign-in (§4.1.3).
    ///
    /// A code works once: in a session it is exchanged for the first token if the store has none, and later tokens are
    /// issued in exchange for refresh tokens. `redirectURI` is the address in the browser's request, nil if that had
    /// none, and `pkce` the proof whose challenge was part of it.
    public static func authorizationCode(
        _ code: String,
        redirectURI: URL? = nil,
        pkce: PKCE? = nil,
        id: String,
        secret: String? = nil,
        parameters: KeyValuePairs<String, String> = [:],
        secretInBody: Bool = false
    ) -> OAuthGrant {
        let fields: KeyValuePairs<String, String?> = [
            "grant_type": "authorization_code", "code": code,
            "redirect_uri": redirectURI?.absoluteString, "code_verifier": pkce?.verifier,
        ]
        return OAuthGrant((id, secret, secretInBody), fields, parameters)
    }

    /// Any other grant by its fields, `grant_type` included: a device code (RFC 8628), a token exchange (RFC 8693), an
    /// assertion (RFC 7523).
    ///
    /// ```swift
    /// let exchange = OAuthGrant.custom(
    ///     fields: [
    ///         "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
    ///         "subject_token": authToken,
    ///         "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
    ///     ],
    ///     id: "app"
    /// )
    /// ```
    /// A session sends the fields for the first token, and again whenever it has no refresh token. For fields that work
    /// once or expire, such as an assertion, write a session whose refresh makes a new grant.
    ///
    /// - Parameters:
    ///   - fields: The fields of the grant.
    ///   - id: The client; nil if the grant identifies it, and then there is no secret.
    ///   - secret: The secret of the client; nil for a public client, and for one that proves itself by `parameters`.
    ///   - scopes: The scopes to ask for.
    ///   - parameters: More fields, which are sent with refresh tokens too, such as `client_assertion`.
    ///   - secretInBody: Whether the secret is sent in the body, and not in the header.
    /// - Returns: The grant.
    public static func custom(
        fields: KeyValuePairs<String, String>,
        id: String?,
        secret: String? = nil,
        scopes: [String] = [],
        parameters: KeyValuePairs<String, String> = [:],
        secretInBody: Bool = false
    ) -> OAuthGrant {
        var grant = OAuthGrant((id, secret, secretInBody), [:], scopes: scopes, parameters)
        grant.first = fields.map { URLQueryItem(name: $0, value: $1) }
        return grant
    }

    /// Sends one token request, and returns the token.
    ///
    /// The request is sent only to `tokenURL`: a redirect is an error.
    ///
    /// - Parameters:
    ///   - tokenURL: The token endpoint of the authorization server; should be https (§3.2).
    ///   - old: The token to be replaced; its refresh token takes precedence over a code.
    ///   - client: Sends the request, without its authentication interceptors. Its logs mask the secrets.
    /// - Returns: The token, which expires as the server has specified.
    /// - Throws: ``OAuthError`` for a refusal; ``AuthenticationError`` without a refresh token; the errors of the
    ///   client.
    public func token(
        from tokenURL: URL,
        replacing old: AccessToken? = nil,
        client: NetworkClient = NetworkClient()
    ) async throws -> AccessToken {
        let request = try request(to: tokenURL, replacing: old)
        let options = CallOptions { options in
            options.acceptedStatuses = .successful
            options.redirects = .never
            options.authentication = .none
            // Compressed secrets can be guessed by their length, and token endpoints need not decode a body.
            options.compression = .identity
            options.errorMapper = ResponseErrorMapper { Self.error(for: $0, request) }
        }
        let response: NetworkClient.Response<Data> = try await client.fetch(request: request, options: options)
        return try AccessToken(oauth: response.item)
    }

    private func request(to url: URL, replacing old: AccessToken?) throws -> URLRequest {
        let renewal = old?.refreshToken.map { token in
            [
                URLQueryItem(name: "grant_type", value: "refresh_token"),
                URLQueryItem(name: "refresh_token", value: token),
            ]
        }
        var fields = usesRefreshTokens ? renewal ?? first : first
        guard !fields.isEmpty, id != nil || secret == nil else { throw AuthenticationError(.missingCredential) }
        fields += others
        if let id, secretInBody || secret == nil { fields.append(URLQueryItem(name: "client_id", value: id)) }
        if secretInBody, let secret { fields.append(URLQueryItem(name: "client_secret", value: secret)) }
        var request = URLRequest.post(url: url).bodyForm(items: fields).set(header: .accept(type: .json)).build()
        if let id, let secret, !secretInBody {
            let credential = try Credential.basic(user: Self.escaped(id), password: Self.escaped(secret))
            request.set(header: .authorization(credential))
        }
        return request
    }

    /// Returns an identifier or a secret in the form's encoding (§2.3.1), with `%20` for a space, which servers that
    /// expect a URL's encoding read too.
    private static func escaped(_ text: String) -> String {
        PercentEncoding.form.encode(text).replacingOccurrences(of: "+", with: "%20")
    }

    private static func error(for info: ResponseErrorMapper.Info, _ request: URLRequest) -> any Error {
        switch info.response.statusCode {
        case 300..<400:
            let redirect = "a token request must not be redirected"
            return NetworkClient.Error.requestError(
                type: TransportError(.redirectRefused, request: request, detail: redirect)
            )
        case 400..<500: return OAuthError(info.data) ?? info.error
        default: return info.error
        }
    }
}

extension OAuthGrant: OpaqueValue {
    /// The name of the type, with the secrets masked.
    public var description: String { "OAuthGrant(***)" }
}

extension OAuthGrant {
    /// A store whose sessions get their first token like every later one: an empty store has an expired token.
    fileprivate struct Store<Base: CredentialStore>: CredentialStore {
        let base: Base
        /// The token of the empty store; nil if the grant needs a refresh token.
        let first: AccessToken?
        /// Whether the grant of a person was exchanged or given up: a code works once (§4.1.2), and a person who has
        /// signed out stays so.
        private let isSpent: Locked<Bool>?

        init(_ base: Base, for grant: OAuthGrant) {
            self.base = base
            // Fields that are exchanged for a refresh token stand for a person, whose calls are not sent with the token
            // of another one.
            let fields = grant.usesRefreshTokens ? grant.first : []
            let values = fields.first { $0.name == "code" }.map { [$0.value] } ?? fields.map(\.value)
            let secret = values.map { $0 ?? "" }.joined(separator: "\u{0}")
            let person = fields.isEmpty ? nil : AccessToken(secret).identifier
            first = grant.first.isEmpty ? nil : AccessToken("", expiry: .distantPast).identified(as: person)
            isSpent = person == nil ? nil : Locked(false)
        }

        func load() async throws -> AccessToken? {
            if let token = try await base.load() {
                spend()
                return token
            }
            return isSpent?.withLock { $0 } == true ? nil : first
        }

        func save(_ token: AccessToken) async throws {
            spend()
            try await base.save(token)
        }

        func remove() async throws {
            spend()
            try await base.remove()
        }

        private func spend() { isSpent?.withLock { $0 = true } }

        var revision: UInt64? { base.revision }

        func withExclusiveAccess<Output: Sendable>(
            _ body: @escaping @Sendable () async throws -> Output
        ) async throws -> Output {
            try await base.withExclusiveAccess(body)
        }

        func replace(_ old: AccessToken?, with new: AccessToken?) async throws -> Bool {
            let isReplaced = try await base.replace(old == first ? nil : old, with: new)
            if isReplaced { spend() }
            return isReplaced
        }
    }
}

extension TokenSession {
    /// Creates a session whose tokens an OAuth 2 server issues, with one token request at a time for all callers.
    ///
    /// After ``OAuthError/Code/invalidGrant``, each refresh fails with that error and sends nothing, until there is
    /// another token; after ``signOut()``, only client credentials are sent again. Other failures are temporary: the
    /// next request tries again, with the same refresh token.
    ///
    /// - Parameters:
    ///   - tokenURL: The token endpoint; the only address that gets the secrets of the grant.
    ///   - grant: What is exchanged for a token.
    ///   - store: Keeps the token.
    ///   - policy: When the token is renewed, by default 30 s before it expires.
    ///   - client: Sends the token requests.
    public convenience init(
        tokenURL: URL,
        grant: OAuthGrant,
        store: some CredentialStore = InMemoryCredentialStore(),
        policy: RefreshPolicy = RefreshPolicy(),
        client: NetworkClient = NetworkClient()
    ) {
        self.init(store: OAuthGrant.Store(store, for: grant), policy: policy) { old in
            try await grant.token(from: tokenURL, replacing: old, client: client)
        }
    }
}

extension AuthenticationScheme {
    /// The bearer token of a new session with an OAuth 2 server; see
    /// ``TokenSession/init(tokenURL:grant:store:policy:client:)``.
    public static func oauth(
        tokenURL: URL,
        grant: OAuthGrant,
        store: some CredentialStore = InMemoryCredentialStore(),
        policy: TokenSession.RefreshPolicy = TokenSession.RefreshPolicy(),
        client: NetworkClient = NetworkClient()
    ) -> AuthenticationScheme {
        bearer(TokenSession(tokenURL: tokenURL, grant: grant, store: store, policy: policy, client: client))
    }
}
