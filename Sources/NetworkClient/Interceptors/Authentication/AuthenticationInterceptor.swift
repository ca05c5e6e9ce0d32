import NetworkUtilities

#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Authenticates requests, and sends a request once more after the credential was refused and replaced.
///
/// ```swift
/// let client = NetworkClient(interceptors: [
///     .authentication(.bearer("t"), origins: [url])
/// ])
/// ```
///
/// The credential goes only to the given origins (scheme, host and port); requests to others are sent without it. In a
/// client with a base URL, it goes to the origin of the base URL only. A request that has the header field already is
/// left alone, whatever its response. Each request is sent at most twice.
public struct AuthenticationInterceptor: ScopedInterceptor {
    /// Whether requests need the credential.
    public enum Requirement: Sendable {
        /// As the interceptor specifies; for the interceptor itself as ``required``.
        case byDefault

        /// A missing credential is an error, and nothing is sent; for ``CallOptions`` a foreign origin is one, too.
        ///
        /// Of several authentication interceptors, each demands that of the call.
        case required

        /// Without a credential, the request is sent unauthenticated.
        case optional

        /// The request is sent unauthenticated.
        case none
    }

    private let scheme: AuthenticationScheme
    private let origins: [Origin]
    private let requirement: Requirement

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - scheme: The credential, and how it is sent.
    ///   - origins: URLs whose scheme, host and port may get the credential; their paths have no meaning.
    ///   - requirement: Whether requests need the credential; `CallOptions.authentication` overrides it.
    public init(_ scheme: AuthenticationScheme, origins: [URL], requirement: Requirement = .required) {
        self.scheme = scheme
        self.origins = origins.map { Origin(of: $0) }
        self.requirement = requirement
    }

    /// The name of the header field that carries the credential.
    var headerName: String { scheme.headerName }

    /// Adds the credential, and sends the request again if the credential was refused and there is a newer one.
    ///
    /// - Throws: ``AuthenticationError`` for a missing credential and for a failed refresh; the errors of `next`.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        guard let requirement = try applicable(to: request) else { return try await next(request) }
        switch scheme.kind {
        case .fixed(let field):
            guard let field = try field ?? missing(requirement, request) else { return try await next(request) }
            return try await next(request.setting(header: field))
        case .token(let session, let field):
            guard !session.isWorking else { return try await next(request) }
            return try await send(request, session, field, requirement, next)
        case .digest(let digest): return try await send(request, digest, next)
        }
    }

    /// Returns whether the request needs the credential; nil for a request that does not get it.
    private func applicable(to request: URLRequest) throws -> Requirement? {
        let context = RequestContext.current
        let ofCall = context[Requirement.Key.self]
        let effective = ofCall == .byDefault ? requirement : ofCall
        guard effective != .none, let url = request.url else { return nil }
        guard Origin.isOne(of: origins, url), Self.keepsCredentials(context, url) else {
            guard ofCall == .required else { return nil }
            throw AuthenticationError(.foreignOrigin, request: request)
        }
        return request.value(forHTTPHeaderField: headerName) == nil ? effective : nil
    }

    /// Whether the client would send a credential to a URL rather than remove it again.
    private static func keepsCredentials(_ context: RequestContext, _ url: URL) -> Bool {
        context.credentialOrigin.map { Origin.isOne(of: [$0], url) } ?? true
    }

    /// Returns nil for a request that is sent without the credential, since it is missing.
    private func missing(_ requirement: Requirement, _ request: URLRequest) throws -> HeaderField? {
        guard requirement == .optional else { throw AuthenticationError(.missingCredential, request: request) }
        return nil
    }

    // MARK: - Tokens

    private func send(
        _ request: URLRequest,
        _ session: TokenSession,
        _ field: AuthenticationScheme.TokenField,
        _ requirement: Requirement,
        _ next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let issued: TokenRefresh.Issued?
        switch try await session.verdict(on: .credential(of: nil), for: request) {
        case .use(let token): issued = token
        case .failed(let error): throw error.concerning(request)
        case .missing, .stands: issued = nil
        }
        guard let issued, let first = field(issued.token) else {
            _ = try missing(requirement, request)
            return try await next(request)
        }
        let refusal: Refusal
        switch try await attempt(request.setting(header: first), session.policy.statuses, next) {
        case .result(let result): return result
        case .refused(let refused): refusal = refused
        }
        switch try await session.verdict(on: .rejection(issued), for: request) {
        case .use(let newer):
            guard let second = field(newer.token) else { return try refusal.stands() }
            guard request.canBeSentAgain else { return try refusal.standsForOneShotBody() }
            record("retries with the newer credential")
            return try await sendAgain(request.setting(header: second), next)
        case .failed(let error): throw error.concerning(request, refusal.response, refusal.data)
        case .missing, .stands:
            session.forget(issued)
            return try refusal.stands()
        }
    }

    // MARK: - Digest

    private func send(
        _ request: URLRequest,
        _ digest: DigestAuthenticator,
        _ next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let known = digest.authorization(for: request)
        let refusal: Refusal
        switch try await attempt(known.map { request.setting(header: $0.field) } ?? request, [401], next) {
        case .result(let result):
            if let known { digest.confirm(known, for: request) }
            return result
        case .refused(let refused): refusal = refused
        }
        guard let authorization = digest.authorization(for: request, after: refusal.response, to: known) else {
            record("the challenge is not supported for this request, or refuses the password")
            return try refusal.stands()
        }
        guard request.canBeSentAgain else { return try refusal.standsForOneShotBody() }
        record("responds to the challenge")
        let result = try await sendAgain(request.setting(header: authorization.field), next)
        if result.response.statusCode != 401 { digest.confirm(authorization, for: request) }
        return result
    }

    // MARK: - Attempts

    private enum Attempt {
        case result(NetworkClient.ChainResult)
        case refused(Refusal)
    }

    private func attempt(
        _ request: URLRequest,
        _ statuses: Set<Int>,
        _ next: NetworkClient.Next
    ) async throws -> Attempt {
        do {
            let result = try await next(request)
            guard statuses.contains(result.response.statusCode) else { return .result(result) }
            guard isFromTheOrigin(of: request, result.response) else { return .result(result) }
            return .refused(Refusal(response: result.response, data: result.data, error: nil))
        } catch NetworkClient.Error.apiError(let response, let data)
            where statuses.contains(response.statusCode) && isFromTheOrigin(of: request, response)
        {
            let error = NetworkClient.Error.apiError(response: response, data: data)
            return .refused(Refusal(response: response, data: data, error: error))
        }
    }

    /// Whether a response is from the origin that got the credential: a redirect to another one was followed without
    /// it.
    private func isFromTheOrigin(of request: URLRequest, _ response: HTTPURLResponse) -> Bool {
        guard let url = request.url, let place = response.url else { return false }
        return Origin(of: url) == Origin(of: place)
    }

    private func sendAgain(
        _ request: URLRequest,
        _ next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let context = RequestContext.current
        return try await context.with(attempt: context.attempt + 1).run { try await next(request) }
    }

    private func record(_ decision: String) {
        RequestContext.current.record(.decision, "AuthenticationInterceptor: \(decision)")
    }
}

/// A response that refuses the credential.
private struct Refusal {
    let response: HTTPURLResponse
    let data: Data
    /// The error that `next` threw; nil if the call accepts the status.
    let error: (any Error)?

    /// Returns or throws what `next` did.
    func stands() throws -> NetworkClient.ChainResult {
        if let error { throw error }
        return (data, response)
    }

    /// The refusal of a request that there is a newer credential for, but whose body is gone.
    func standsForOneShotBody() throws -> NetworkClient.ChainResult {
        let decision = "does not send again, since the body can be read only once"
        RequestContext.current.record(.decision, "AuthenticationInterceptor: \(decision)")
        return try stands()
    }
}

extension URLRequest {
    /// Whether there is no body, or one that can be read a second time.
    fileprivate var canBeSentAgain: Bool { httpBodyStream.map { $0 is BodyInputStream } ?? true }
}

extension AuthenticationInterceptor.Requirement {
    fileprivate enum Key: CallOptionKey {
        static let defaultValue = AuthenticationInterceptor.Requirement.byDefault
    }
}

extension CallOptions {
    /// Whether the call needs the credential of an ``AuthenticationInterceptor``; `.none` to send it without.
    public var authentication: AuthenticationInterceptor.Requirement {
        get { self[AuthenticationInterceptor.Requirement.Key.self] }
        set { self[AuthenticationInterceptor.Requirement.Key.self] = newValue }
    }
}

extension InterceptorProtocol where Self == AuthenticationInterceptor {
    /// An interceptor that authenticates requests to the given origins; see
    /// ``AuthenticationInterceptor/init(_:origins:requirement:)``.
    public static func authentication(
        _ scheme: AuthenticationScheme,
        origins: [URL],
        requirement: AuthenticationInterceptor.Requirement = .required
    ) -> AuthenticationInterceptor {
        AuthenticationInterceptor(scheme, origins: origins, requirement: requirement)
    }
}
