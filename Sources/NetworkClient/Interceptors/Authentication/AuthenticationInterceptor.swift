/// Authenticates requests, and sends a request once more after its credential was refused and replaced.
///
/// ```swift
/// let client = try NetworkClient(
///     baseURL: "https://api.example.com",
///     interceptors: [.authentication(.bearer("t"))]
/// )
/// ```
///
/// The credential goes only to the origin (scheme, host and port) of the client's base URL, or to the given origins in
/// a client without one; requests to other origins are sent without it. A request that already has the header field
/// is sent unchanged, and not repeated.
///
/// The credential is added where the request is sent, after all interceptors and redirects: interceptors see the
/// request without it. A redirect within the origin has it too; a redirect that leaves the origin, and all after it,
/// don't. If the server refuses the credential, only that request is sent again, once: a POST that was performed is not
/// repeated if the target of its redirect asks for a new token. If the credential fails, the attempt fails, so that
/// interceptors before and behind this one see the error.
///
/// A call that began with the token of one person is never sent with the token of another.
public struct AuthenticationInterceptor: InterceptorProtocol {
    /// True, except with ``AuthenticationScheme/signing(headers:_:)``, whose closure may wait anywhere.
    public var runsInCallersTask: Bool {
        if case .signature = scheme.kind { false } else { true }
    }

    /// Whether requests need the credential.
    public enum Requirement: Sendable {
        /// The interceptor decides; its own default is ``required``.
        case byDefault

        /// A missing credential is an error, and nothing is sent.
        ///
        /// If ``CallOptions`` require it, a request to an origin for which the client has no credential is an error,
        /// too.
        case required

        /// A request without a credential is sent unauthenticated.
        case optional

        /// The request is sent without the credential.
        ///
        /// As the requirement of an interceptor, it applies to calls whose `CallOptions.authentication` is
        /// ``byDefault``.
        case none
    }

    private let scheme: AuthenticationScheme
    /// The given origins; nil for that of the client's base URL.
    let origins: [Origin]?
    private let requirement: Requirement

    init(_ scheme: AuthenticationScheme, origins: [URL]? = nil, requirement: Requirement = .required) {
        self.scheme = scheme
        self.origins = origins.map { $0.map { Origin(of: $0) } }
        self.requirement = requirement
    }

    /// The name of the header field that carries the credential.
    var headerName: String { scheme.headerName }

    /// The names of the fields of the credential.
    public var sensitiveHeaders: [String] {
        if case .signature(let signer) = scheme.kind { signer.names } else { [headerName] }
    }

    /// Passes the request on, with the credential for each of its hops to the given origins.
    ///
    /// - Throws: ``AuthenticationError`` for a missing credential and for a failed refresh; the errors of `next`.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let context = RequestContext.current
        guard try isFor(request, in: context) else { return try await next(request) }
        return try await context.authentication.adding(self) { try await next(request) }
    }

    /// Returns whether a request gets the credential; records the reason if not.
    private func isFor(_ request: URLRequest, in context: RequestContext) throws -> Bool {
        guard effectiveRequirement(in: context) != .none, let url = request.url,
            request.value(forHTTPHeaderField: headerName) == nil
        else { return false }
        // The requests of a refresh are sent without the token that the refresh replaces.
        if case .token(let session, _) = scheme.kind, session.isWorking {
            context.authentication.keep(true, for: Requirement.Key.exemption)
            return false
        }
        guard origins != nil || context.authentication.isConfined else {
            throw AuthenticationError(.unknownOrigin, request: request)
        }
        return isFor(url, in: context)
    }

    private func effectiveRequirement(in context: RequestContext) -> Requirement {
        let ofCall = context[Requirement.Key.self]
        return ofCall == .byDefault ? requirement : ofCall
    }

    /// Returns whether the credential may go to a URL; false also if the client would remove it again.
    private func isFor(_ url: URL, in context: RequestContext) -> Bool {
        let isFor = context.authentication.includes(url, of: origins)
        if !isFor { context.authentication.withholds(from: url, credentialOf: origins) }
        return isFor
    }
}

extension AuthenticationInterceptor: HopAuthentication.Authenticator {
    nonisolated(nonsending) func credential(
        for request: URLRequest,
        in context: RequestContext
    ) async throws -> HopAuthentication.Credential? {
        guard let url = request.url, request.value(forHTTPHeaderField: headerName) == nil, isFor(url, in: context)
        else { return nil }
        let requirement = effectiveRequirement(in: context)
        switch scheme.kind {
        case .fixed(let field):
            guard let field else { return try missing(requirement, request) }
            return HopAuthentication.Credential(field: field, authenticator: self)
        case .signature(let signer):
            let signature = HopAuthentication.Signature(name: headerName, sign: signer.sign)
            return .init(field: nil, person: (signer.person, 0), authenticator: self, signature: signature)
        case .token(let session, let field):
            let person = context.authentication.kept(for: session) as? Int
            switch try await session.verdict(on: .credential(of: person), for: request, in: context) {
            case .use(let issued):
                context.authentication.keep(issued.person, for: session)
                guard let field = field(issued.token) else { return try missing(requirement, request) }
                return HopAuthentication.Credential(
                    field: field,
                    refusals: session.policy.statuses,
                    token: issued,
                    person: (SessionPerson(session: session.id, number: issued.person), issued.version),
                    authenticator: self
                )
            case .failed(let error):
                guard requirement == .optional, error.reason == .storeFailed else { throw error.concerning(request) }
                let decision = "AuthenticationInterceptor: no credential, since its store failed"
                context.record(.decision, decision)
                return nil
            case .missing, .stands: return try missing(requirement, request)
            }
        }
    }

    func expectation(for request: URLRequest, in context: RequestContext) -> HopAuthentication.Expectation {
        guard let url = request.url, request.value(forHTTPHeaderField: headerName) == nil,
            context.authentication.includes(url, of: origins)
        else { return .none }
        switch scheme.kind {
        case .fixed(let field): return field.map { .field($0) } ?? .unknown
        case .signature(let signer): return .person(signer.person, field: headerName, refusals: [], version: 0)
        case .token(let session, _):
            let person = context.authentication.kept(for: session) as? Int
            guard let known = session.person(of: person) else { return .unknown }
            context.authentication.keep(known.person, for: session)
            let holder = SessionPerson(session: session.id, number: known.person)
            return .person(holder, field: headerName, refusals: session.policy.statuses, version: known.version)
        }
    }

    /// Returns nil for a request that is sent although its credential is missing; otherwise throws an error.
    private func missing(_ requirement: Requirement, _ request: URLRequest) throws -> HopAuthentication.Credential? {
        guard requirement == .optional else { throw AuthenticationError(.missingCredential, request: request) }
        return nil
    }

    nonisolated(nonsending) func credential(
        insteadOf refused: HopAuthentication.Credential,
        for request: URLRequest,
        after response: NetworkClient.ChainResult,
        in context: RequestContext
    ) async throws -> HopAuthentication.Credential? {
        guard case .token(let session, let field) = scheme.kind, let issued = refused.token as? TokenRefresh.Issued
        else { return nil }
        switch try await session.verdict(on: .rejection(issued), for: request, in: context) {
        case .use(let newer):
            guard let field = field(newer.token) else { return nil }
            return HopAuthentication.Credential(
                field: field,
                refusals: refused.refusals,
                token: newer,
                person: (SessionPerson(session: session.id, number: newer.person), newer.version),
                authenticator: self
            )
        case .failed(let error): throw error.concerning(request, response.response, response.data)
        case .missing, .stands:
            session.forget(issued)
            return nil
        }
    }
}

extension AuthenticationInterceptor.Requirement {
    fileprivate enum Key: CallOptionKey {
        static let defaultValue = AuthenticationInterceptor.Requirement.byDefault
        /// What a call keeps that belongs to the refresh of a session of its chain.
        static let exemption = Exemption()

        final class Exemption: Sendable {}

        /// True: ``check(_:sending:in:)`` throws an error for a value that is not met.
        static func isMet(_ value: AuthenticationInterceptor.Requirement) -> Bool { true }

        static func check(
            _ value: AuthenticationInterceptor.Requirement,
            sending request: URLRequest,
            in context: RequestContext
        ) throws {
            let scope = context.authentication
            guard value == .required, scope.kept(for: exemption) == nil else { return }
            // An interceptor inside may have led the request elsewhere.
            let isServed = scope.authenticators.contains { authenticator in
                if case .none = authenticator.expectation(for: request, in: context) { false } else { true }
            }
            let hasOwn = scope.fields.contains { request.value(forHTTPHeaderField: $0) != nil }
            guard !isServed, !hasOwn else { return }
            let isForeign =
                !scope.authenticators.isEmpty || scope.hasWithheldCredential
                || request.url.map(scope.includes) == false
            throw AuthenticationError(isForeign ? .foreignOrigin : .noAuthentication, request: request)
        }
    }
}

extension CallOptions {
    /// Whether the call needs the credential of an ``AuthenticationInterceptor``; `.none` to send the call without it.
    ///
    /// With `.required`, the call throws an ``AuthenticationError`` before anything is sent if no interceptor of the
    /// client is for the origin of the request, and if the request has no `Authorization` and no other sensitive field.
    public var authentication: AuthenticationInterceptor.Requirement {
        get { self[AuthenticationInterceptor.Requirement.Key.self] }
        set { self[AuthenticationInterceptor.Requirement.Key.self] = newValue }
    }
}

extension InterceptorProtocol where Self == AuthenticationInterceptor {
    // Without this, `[.authentication]` (no parentheses) gets "failed to produce diagnostic".
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, message: "write the scheme: .authentication(.bearer(token))")
    public static var authentication: AuthenticationInterceptor { fatalError() }

    /// An interceptor that authenticates requests to the client's base URL or the given origins.
    ///
    /// - Parameters:
    ///   - scheme: The credential, and how it is sent.
    ///   - origins: URLs whose scheme, host and port may get the credential; their paths have no meaning. Nil for the
    ///     client's base URL; needed in a client without one. A client with a base URL sends no credential elsewhere,
    ///     whatever origins are given.
    ///   - requirement: Whether requests need the credential; `CallOptions.authentication` overrides it.
    /// - Returns: The interceptor.
    public static func authentication(
        _ scheme: AuthenticationScheme,
        origins: [URL]? = nil,
        requirement: AuthenticationInterceptor.Requirement = .required
    ) -> AuthenticationInterceptor {
        AuthenticationInterceptor(scheme, origins: origins, requirement: requirement)
    }
}
