/// Holds the token of requests, and refreshes it in one place for any number of clients.
///
/// ```swift
/// let session = TokenSession(store: FileCredentialStore(file: fileURL)) { old in
///     // Ask the server, in exchange for `old.refreshToken`.
///     AccessToken("t2", refreshToken: "r2", expiresIn: 3_600)
/// }
/// let client = try NetworkClient(
///     baseURL: "https://api.example.com",
///     interceptors: [.authentication(.bearer(session))]
/// )
/// try await session.setToken(AccessToken("t1", refreshToken: "r1", expiresIn: 3_600))
/// try await session.signOut()
/// ```
///
/// The token is refreshed when a server refuses it, once for all requests that carried it, and shortly before it
/// expires, while requests still use it. A refresh runs in a separate task for at most ``RefreshPolicy/timeout``
/// seconds; no caller's cancellation ends it. If it fails, each request that waited for it throws an
/// ``AuthenticationError`` with the response that refused the token; a later request may refresh again.
///
/// A call that began with the token of one person is never sent with the token of another: after a sign-out, a sign-in
/// or a change of the store it fails with ``AuthenticationError/Reason/signedOut``.
public final class TokenSession: Sendable {
    /// Returns a new token in exchange for an old one.
    ///
    /// If the new token has no refresh token, the old refresh token is kept; an empty token is a failure.
    ///
    /// The closure may use the same client: its requests are sent without the token, and do not wait for a
    /// ``ConcurrencyLimitInterceptor`` or a ``RateLimitInterceptor``. Send them in the closure's own task or in child
    /// tasks. Requests of a detached task, or of a task that an actor started earlier, are like any other: if the token
    /// has expired, they wait for the refresh, which waits for them, until its time limit.
    public typealias Refresh = @Sendable (_ old: AccessToken) async throws -> AccessToken

    let policy: RefreshPolicy
    /// Identifies the session, also after its end.
    let id = UUID()
    private let jobs: TokenJobs
    private let state: Locked<TokenJobs.State>

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - store: Keeps the token. The session follows it: removing the token from the store ends the session, and
    ///     later calls use a different token that is stored there.
    ///   - policy: When and how often the token is refreshed.
    ///   - refresh: Returns a new token; nil if the token cannot be refreshed, so that a refusal is final.
    public init(
        store: some CredentialStore = InMemoryCredentialStore(),
        policy: RefreshPolicy = RefreshPolicy(),
        refresh: Refresh? = nil
    ) {
        self.policy = policy
        state = Locked(TokenJobs.State(rules: RefreshState(policy: policy, canRefresh: refresh != nil)))
        jobs = TokenJobs(state, store, policy, refresh)
    }

    /// Uses the token of a person who has signed in, replacing the present one; nil has the effect of ``signOut()``.
    ///
    /// Applies to the next request, even if the store fails; a store that has failed is tried again with each later
    /// request. The result of a refresh in flight is dropped.
    ///
    /// - Parameters:
    ///   - token: The token that the server has issued.
    ///   - person: Identifies the person, for example an account number; stored with the token. If it is unchanged,
    ///     calls in flight continue with the new token. Without it, the token belongs to a new person, and these calls
    ///     fail with ``AuthenticationError/Reason/signedOut`` if they would have to be sent again.
    /// - Throws: ``AuthenticationError`` if the store cannot write the token; `CancellationError`.
    public func setToken(_ token: AccessToken?, person: String? = nil) async throws {
        let write = jobs.set(token?.identified(as: person))
        do {
            try await jobs.persist(write)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw AuthenticationError(.storeFailed, underlying: error)
        }
    }

    /// Removes the token, also from the store, after a person has signed out.
    ///
    /// Applies to the next request, even if the store fails: calls in flight are not sent again, and the token is not
    /// refreshed any more. To end the calls in flight too, call ``NetworkClient/NetworkClient/cancelAll()`` first.
    ///
    /// - Throws: ``AuthenticationError`` if the store cannot remove the token; `CancellationError`.
    public func signOut() async throws {
        try await setToken(nil)
    }

    /// Returns the token with which a request would be sent now; nil if there is none.
    ///
    /// Loads or refreshes the token as for a request.
    ///
    /// - Throws: ``AuthenticationError``; `CancellationError`.
    public func currentToken() async throws -> AccessToken? {
        // An operation of the session would wait for itself.
        guard !isWorking else { return state.withLock { $0.rules.token } }
        switch try await verdict(on: .credential(of: nil), for: nil, in: RequestContext()) {
        case .use(let issued): return issued.token
        case .failed(let error): throw error
        case .missing, .stands: return nil
        }
    }

    /// Whether the current task loads, refreshes or stores a token for this session, so that its requests are sent
    /// without a token.
    var isWorking: Bool { jobs.isWorking }

    /// Returns the person whose token a request gets, expired or not, and the token's version; nil if that is not known
    /// without waiting, or if it is not the `asker`, with whose token the call began.
    func person(of asker: Int?) -> (person: Int, version: Int)? {
        let mark = jobs.mark
        return state.withLock { $0.rules.knownPerson(asker, mark) }
    }

    /// Returns the verdict on a question, and waits for it if necessary.
    ///
    /// - Throws: ``TransportError/Reason/timedOut`` if the deadline of the context passes; `CancellationError`.
    nonisolated(nonsending) func verdict(
        on question: TokenRefresh.Question,
        for request: URLRequest?,
        in context: RequestContext = .current
    ) async throws -> TokenRefresh.Verdict {
        let mark = jobs.mark
        if let issued = state.withLock({ $0.rules.timeless(question, mark) }) { return .use(issued) }
        while true {
            if jobs.storeAgain(on: context.time) {
                let decision = "stores the credential again, since its store failed"
                context.record(.decision, "AuthenticationInterceptor: \(decision)")
            }
            let (mark, now) = (jobs.mark, jobs.moment(on: context.time))
            if let verdict = state.withLock({ $0.rules.verdict(on: question, mark, at: now) }) { return verdict }
            if let verdict = try await wait(question, mark, now, request, context) { return verdict }
        }
    }

    /// Drops a token that was refused, unless it can be refreshed: the store may have another one by the next request.
    func forget(_ issued: TokenRefresh.Issued) {
        state.withLock { $0.rules.forget(issued) }
    }

    // MARK: - Waiting

    /// Decides on a question, and waits for a job if necessary; returns nil if the question has to be asked again.
    private nonisolated(nonsending) func wait(
        _ question: TokenRefresh.Question,
        _ mark: UInt64?,
        _ now: Moment,
        _ request: URLRequest?,
        _ context: RequestContext
    ) async throws -> TokenRefresh.Verdict? {
        var job: TokenRefresh.Job?
        let verdict = try await context.waiting(for: .credential, request) { limit in
            if let limit, limit.remaining <= 0 { throw TimeLimit.Passed() }
            return try await state.wait(until: limit) { state, waiter in
                switch state.rules.decide(question, mark, at: now) {
                case .verdict(let verdict, let starting):
                    job = starting
                    return Optional.some(verdict)
                case .wait(let id, let starting):
                    job = starting
                    state.waiters[id, default: Waiters()].add(waiter)
                    return nil
                }
            } leaving: { [state] id in
                state.withLock { $0.leave(id) }
            } begun: {
                if let job {
                    start(job, request, context)
                } else {
                    context.record(.decision, "AuthenticationInterceptor: waits for the credential")
                }
                job = nil
            }
        }
        // The token is still valid, and used until the refresh has ended.
        if let job { start(job, request, context) }
        return verdict
    }

    /// Starts a job; a refresh is recorded, and logged from its beginning to its end, with the request that needs it.
    private func start(_ job: TokenRefresh.Job, _ request: URLRequest?, _ context: RequestContext) {
        guard job.isRefresh else { return jobs.start(job, context.time) }
        let beginning = "refreshes the credential \(job.isProactive ? "before it expires" : "after it was refused")"
        context.record(.decision, "AuthenticationInterceptor: \(beginning)")
        guard context.isLogged(), var request else { return jobs.start(job, context.time) }
        // The refresh may end long after the call.
        request.httpBody = nil
        request.httpBodyStream = nil
        let log = { @Sendable [request] (message: String, type: LogType) in
            context.log(.noted("AuthenticationInterceptor: \(message)", type: type), of: request)
        }
        log(beginning, .info)
        jobs.start(job, context.time) { failure in
            if let failure { log("\(failure)", .warning) } else { log("has a new credential", .info) }
        }
    }
}

extension TokenSession: CustomReflectable {
    /// A mirror that shows the policy only.
    public var customMirror: Mirror { Mirror(self, children: ["policy": policy], displayStyle: .class) }
}
