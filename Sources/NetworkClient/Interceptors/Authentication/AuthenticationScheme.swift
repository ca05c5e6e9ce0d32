/// How an ``AuthenticationInterceptor`` authenticates requests.
///
/// `.bearer(…)`, `.token(prefix:…)`, `.apiKey(…)` and `.basic(…)`; the first three accept a fixed secret or a
/// ``TokenSession``, which can be refreshed. Its text never shows a secret.
public struct AuthenticationScheme: Sendable {
    enum Kind: Sendable {
        /// The field; nil for a secret or a name that cannot be sent.
        case fixed(HeaderField?)
        case token(TokenSession, TokenField)
        case signature(RequestSigner)
    }

    /// The header field that carries a token.
    struct TokenField: Sendable {
        let name: String
        /// The text before the token, including the space.
        let prefix: String

        /// Returns the field; nil for an empty token, and for a name that is not a token (RFC 9110 §5.6.2).
        func callAsFunction(_ token: AccessToken) -> HeaderField? {
            let field = HeaderField.custom(name: name, value: prefix + token.value)
            return field.value == nil || token.isBlank ? nil : field
        }
    }

    let kind: Kind

    /// The name of the header field, of a signature the first one.
    let headerName: String

    private let name: String

    private init(_ kind: Kind, headerName: String = "Authorization", name: String) {
        self.kind = kind
        self.headerName = headerName
        self.name = name
    }

    private init(_ session: TokenSession, _ field: TokenField, name: String) {
        self.init(.token(session, field), headerName: field.name, name: name)
    }

    private init(_ secret: String, _ field: TokenField, name: String) {
        self.init(.fixed(field(AccessToken(secret))), headerName: field.name, name: name)
    }
}

extension AuthenticationScheme {
    private static let bearerField = TokenField(name: "Authorization", prefix: "Bearer ")

    /// A fixed bearer token (RFC 6750 §2.1): `Authorization: Bearer <token>`.
    public static func bearer(_ token: String) -> AuthenticationScheme {
        AuthenticationScheme(token, bearerField, name: "bearer")
    }

    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(
        *,
        unavailable,
        message: """
            a token that changes is that of a session: .bearer(store: InMemoryCredentialStore(token)) { old in … }, \
            whose closure returns the next one
            """
    )
    public static func bearer(_ token: () async throws -> String) -> AuthenticationScheme { fatalError() }

    /// The bearer token of a session, which may be shared with other clients.
    public static func bearer(_ session: TokenSession) -> AuthenticationScheme {
        AuthenticationScheme(session, bearerField, name: "bearer")
    }

    /// The bearer token of a store, which a new ``TokenSession`` refreshes.
    ///
    /// People sign in and out by changes of the store: the next call uses a token that was saved there, as the token of
    /// another person, and after `remove()` calls have no credential. Prefer a ``TokenSession``, in which both take
    /// effect at once with any store: one without ``CredentialStore/revision`` is read only before a refresh.
    public static func bearer(
        store: some CredentialStore,
        refresh: @escaping TokenSession.Refresh
    ) -> AuthenticationScheme {
        bearer(TokenSession(store: store, refresh: refresh))
    }

    /// A fixed token after any prefix: `Authorization: <prefix> <token>`.
    public static func token(prefix: String, _ token: String) -> AuthenticationScheme {
        AuthenticationScheme(token, TokenField(name: "Authorization", prefix: "\(prefix) "), name: "token")
    }

    /// The token of a session after any prefix.
    public static func token(prefix: String, _ session: TokenSession) -> AuthenticationScheme {
        AuthenticationScheme(session, TokenField(name: "Authorization", prefix: "\(prefix) "), name: "token")
    }

    /// A fixed key in a header field of any name, by default `X-API-Key: <key>`.
    ///
    /// Whatever its name, the field is never sent to another origin, and the client's logs mask it.
    public static func apiKey(_ key: String, header: String = "X-API-Key") -> AuthenticationScheme {
        AuthenticationScheme(key, TokenField(name: header, prefix: ""), name: "apiKey")
    }

    /// The key of a session in a header field of any name.
    public static func apiKey(_ session: TokenSession, header: String = "X-API-Key") -> AuthenticationScheme {
        AuthenticationScheme(session, TokenField(name: header, prefix: ""), name: "apiKey")
    }

    /// A user name and a password (RFC 7617), as UTF-8.
    ///
    /// - Throws: `HeaderFieldError.colonInUserName` if the user name contains a colon; the password may.
    public static func basic(user: String, password: String) throws(HeaderFieldError) -> AuthenticationScheme {
        let field = HeaderField.authorization(try .basic(user: user, password: password))
        return AuthenticationScheme(.fixed(field), name: "basic")
    }
}

extension AuthenticationScheme {
    /// A signature of each request, such as AWS Signature Version 4, HMAC, or HTTP Message Signatures (RFC 9421).
    ///
    /// ```swift
    /// @Sendable func signature(of request: URLRequest) async throws -> String {
    ///     var body = Data()
    ///     try request.bodySource?.forEachPortion { body.append(contentsOf: $0) }
    ///     return "made of the method, the URL and the body, with a key"
    /// }
    /// let scheme = AuthenticationScheme.signing(headers: ["X-Signature"]) { request in
    ///     [.custom(name: "X-Signature", value: try await signature(of: request))]
    /// }
    /// ```
    /// It is made where the request is sent, after cookies and other credentials, anew for each attempt and each
    /// redirect that stays on the origin of the request. It is for the bytes that are sent: place what changes the
    /// request before. The closure doesn't see what is added later: the fields of an ``ExchangeObserver``, and those of
    /// the transport, such as `Host`, `Content-Length` and `Accept-Encoding`.
    ///
    /// A request that has the first of the fields already is sent unchanged. The value that this function returns
    /// stands for one person: calls that are signed with it may share an exchange and stored responses. Make another
    /// one for the key of another person, and a client with it.
    ///
    /// - Parameters:
    ///   - headers: The names of the header fields that the closure sets; logs mask them. With none, it is
    ///     `Authorization`.
    ///   - sign: Returns header fields, which replace those of the same names. It may wait; the limits of the call end
    ///     the wait. `request.bodySource` is the body, which it may read from the beginning to the end, and which is
    ///     nil for no body and for a stream that can be read once. If it throws, or sets a field that `headers` does
    ///     not name, the attempt fails with ``AuthenticationError/Reason/signingFailed``.
    /// - Returns: The scheme.
    public static func signing(
        headers: [String] = ["Authorization"],
        _ sign: @escaping @Sendable (_ request: URLRequest) async throws -> [HeaderField]
    ) -> AuthenticationScheme {
        let signer = RequestSigner(names: headers.isEmpty ? ["Authorization"] : headers, closure: sign)
        return AuthenticationScheme(.signature(signer), headerName: signer.names[0], name: "signing")
    }
}

/// A closure that signs requests, and the names of the fields that it sets.
struct RequestSigner: Sendable {
    let names: [String]
    let closure: @Sendable (URLRequest) async throws -> [HeaderField]
    /// Stands for the holder of the key.
    let person = SessionPerson(session: UUID(), number: 0)

    func sign(_ request: URLRequest) async throws -> [HeaderField] {
        let fields: [HeaderField]
        do {
            fields = try await closure(request)
        } catch {
            if CallScope.isCancelled || error is CancellationError { throw CancellationError() }
            throw AuthenticationError(.signingFailed, request: request, underlying: error)
        }
        var signed = request
        for field in fields {
            signed.set(header: field)
            let isNamed = names.contains { HeaderField.isSameName($0, field.name) }
            guard !isNamed || field.value == nil else { continue }
            let reason = isNamed ? "has no text" : "is not among the fields of the signature"
            let flaw = HeaderFieldError.unusableValue(name: field.name, reason: reason)
            throw AuthenticationError(.signingFailed, request: request, underlying: flaw)
        }
        do {
            _ = try RequestValidation.check(signed)
        } catch {
            throw AuthenticationError(.signingFailed, request: request, underlying: error)
        }
        return fields
    }
}

extension AuthenticationScheme: OpaqueValue {
    /// The name of the scheme, without its secret.
    public var description: String { "\(name)(***)" }
}
