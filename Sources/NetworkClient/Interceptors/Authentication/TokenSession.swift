import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The token that requests carry, and the one place that refreshes it, for any number of clients.
///
/// ```swift
/// let session = TokenSession(store: FileCredentialStore(file: fileURL)) { old in
///     // Ask the server, in exchange for `old.refreshToken`.
///     AccessToken("t2", refreshToken: "r2", expiresIn: 3_600)
/// }
/// let client = NetworkClient(interceptors: [.authentication(.bearer(session), origins: [url])])
/// try await session.setToken(AccessToken("t1", refreshToken: "r1", expiresIn: 3_600))
/// ```
///
/// The token is refreshed when a server refuses it, once for all requests that carried it, and shortly before it
/// expires. A refresh runs in its own task, which no caller's cancellation ends, for at most
/// ``RefreshPolicy/timeout`` seconds. It may use the same client: its requests are sent without the token, and do not
/// wait for a ``ConcurrencyLimitInterceptor``. If a refresh fails, each of the requests that waited for it throws an
/// ``AuthenticationError`` with the response that refused the token; a later request may refresh again.
public final class TokenSession: Sendable {
    /// Returns a new token in exchange for an old one, whose refresh token stays if the new one has none.
    public typealias Refresh = @Sendable (_ old: AccessToken) async throws -> AccessToken

    private typealias Waiter = CheckedContinuation<TokenRefresh.Ending, any Error>

    /// Getting or storing a token for a session.
    private final class Work: Sendable {
        let session: ObjectIdentifier
        private let hasEnded = Locked(false)

        init(for session: TokenSession) {
            self.session = ObjectIdentifier(session)
        }

        /// Whether it goes on: a task that it has started may outlive it.
        var isActive: Bool { hasEnded.withLock { !$0 } }

        func end() { hasEnded.withLock { $0 = true } }
    }

    /// The refreshes and loads of credentials that the current task is part of.
    @TaskLocal private static var working: [Work] = []

    let policy: RefreshPolicy
    private let store: any CredentialStore
    private let operation: Refresh?
    private let state: Locked<RefreshState<Waiter>>
    /// The difference between the calendar and the client's clock, when the session was first used.
    private let offset = Locked<Double?>(nil)

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - store: Keeps the token. It is loaded when it is needed and the session has none, and before each refresh.
    ///   - policy: When and how often the token is refreshed.
    ///   - refresh: Gets a new token; nil if the token cannot be refreshed, so that a refusal is final.
    public init(
        store: some CredentialStore = InMemoryCredentialStore(),
        policy: RefreshPolicy = RefreshPolicy(),
        refresh: Refresh? = nil
    ) {
        self.store = store
        self.policy = policy
        operation = refresh
        state = Locked(RefreshState(policy: policy, canRefresh: refresh != nil))
    }

    /// Replaces the token after a person has signed in, or removes it for nil.
    ///
    /// Applies to the next request, even if the store fails. The result of a refresh in flight is dropped.
    ///
    /// - Throws: ``AuthenticationError`` if the store cannot write the token.
    public func setToken(_ token: AccessToken?) async throws {
        let now = moment(nil)
        let waiters = state.withLock { $0.set(token, at: now) }
        for waiter in waiters { waiter.resume(returning: .changed) }
        do {
            try await persistPresent()
        } catch {
            throw AuthenticationError(.storeFailed, underlying: error)
        }
    }

    /// Returns the token that a request would be sent with now, loading or refreshing it as for a request; nil if there
    /// is none.
    ///
    /// - Throws: ``AuthenticationError``; `CancellationError`.
    public func currentToken() async throws -> AccessToken? {
        // The work of the session would wait for itself.
        guard !isWorking else { return state.withLock { $0.token } }
        switch try await verdict(on: .credential(of: nil), for: nil) {
        case .use(let issued): return issued.token
        case .failed(let error): throw error
        case .missing, .stands: return nil
        }
    }

    /// Whether the current task gets or stores a token for this session: its requests need to do without one.
    var isWorking: Bool { Self.working.contains { $0.session == ObjectIdentifier(self) && $0.isActive } }

    /// Whether the current task works for requests that wait for a token, and so must not wait for one of their places.
    static var isServing: Bool { working.contains(where: \.isActive) }

    /// Returns the verdict on a question, after a wait if need be.
    ///
    /// - Throws: ``TransportError/Reason/timedOut`` if the deadline of the call passes; `CancellationError`.
    nonisolated(nonsending) func verdict(
        on question: TokenRefresh.Question,
        for request: URLRequest?,
        in context: RequestContext = .current
    ) async throws -> TokenRefresh.Verdict {
        if case .credential(nil) = question, let issued = state.withLock({ $0.timeless }) { return .use(issued) }
        let time = request == nil ? nil : context.time
        while true {
            let now = moment(time)
            if let verdict = state.withLock({ $0.verdict(on: question, at: now) }) { return verdict }
            if case .decided(let verdict) = try await wait(question, request, time, context) { return verdict }
        }
    }

    /// Drops a token that was refused, unless it can be refreshed: the store may have another one by the next request.
    func forget(_ issued: TokenRefresh.Issued) {
        state.withLock { $0.forget(issued) }
    }

    // MARK: - Waiting

    private nonisolated(nonsending) func wait(
        _ question: TokenRefresh.Question,
        _ request: URLRequest?,
        _ time: (any TimeSource)?,
        _ context: RequestContext
    ) async throws -> TokenRefresh.Ending {
        let remaining = request == nil ? nil : context.remainingTime
        if let remaining, remaining <= 0 { throw Self.timeout(of: request, context) }
        let id = state.withLock { $0.makeID() }
        var alarm: Task<Void, Never>?
        defer {
            alarm?.cancel()
            state.meet()
        }
        return try await CallScope.withCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                let now = moment(time)
                switch state.withLock({ $0.join(question, id: id, waiter, at: now) }) {
                case .decided(let verdict): return waiter.resume(returning: .decided(verdict))
                case .waits(let job):
                    if request != nil { Self.record(job, question, in: context) }
                    if let job { start(job, time) }
                }
                if let remaining, let time { alarm = leave(id, request, context, after: remaining, on: time) }
                // A cancellation before `join` found no waiter.
                if CallScope.isCancelled { leave(id, CancellationError()) }
            }
        } onCancel: {
            self.leave(id, CancellationError())
        }
    }

    private static func record(
        _ job: TokenRefresh.Job?,
        _ question: TokenRefresh.Question,
        in context: RequestContext
    ) {
        guard let job else { return context.record(.decision, "AuthenticationInterceptor: waits for the credential") }
        guard job.token != nil else { return }
        let cause = job.isProactive ? "before it expires" : "after it was refused"
        context.record(.decision, "AuthenticationInterceptor: refreshes the credential \(cause)")
    }

    private static func timeout(of request: URLRequest?, _ context: RequestContext) -> NetworkClient.Error {
        .requestError(type: context.timeout(of: request, waitingFor: .credential))
    }

    /// Ends a wait at a deadline.
    private func leave(
        _ id: UInt64,
        _ request: URLRequest?,
        _ context: RequestContext,
        after seconds: Double,
        on time: any TimeSource
    ) -> Task<Void, Never> {
        // Cancelled when the wait has ended.
        Task {
            guard (try? await time.sleep(seconds: seconds)) != nil else { return }
            self.leave(id, Self.timeout(of: request, context))
        }
    }

    private func leave(_ id: UInt64, _ error: any Error) {
        state.withLock { $0.leave(id) }?.resume(throwing: error)
    }

    // MARK: - Working

    private func start(_ job: TokenRefresh.Job, _ time: (any TimeSource)?) {
        let work = Work(for: self)
        let working = Self.working + [work]
        // No caller cancels it: a server may have replaced the old token by the time of a cancellation. Detached, since
        // it works for all requests that wait: it must not run with the task-local values of the first.
        Task.detached(priority: max(.medium, Task.currentPriority)) {
            await Self.$working.withValue(working) {
                let outcome = await self.outcome(of: job, time)
                work.end()
                let now = self.moment(time)
                let (waiters, ending) = self.state.withLock { $0.finish(job.id, outcome, at: now) }
                for waiter in waiters { waiter.resume(returning: ending) }
            }
        }
    }

    private func outcome(of job: TokenRefresh.Job, _ time: (any TimeSource)?) async -> TokenRefresh.Outcome {
        guard var token = job.token, let operation else { return await load() }
        // A store that fails does not keep the token in memory from being refreshed.
        if let found = try? await store.load(), state.withLock({ $0.isNews(found) }) {
            let now = moment(time).calendar
            if found.expiry.map({ $0.timeIntervalSince1970 > now }) != false { return .loaded(found) }
            token = found
        }
        do {
            let refreshed = try await TokenRefresh.run(operation, on: token, within: policy.timeout, time)
                .succeeding(token)
            await save(refreshed, job)
            return .refreshed(refreshed)
        } catch is CancellationError {
            // The client of the refresh has cancelled all its calls; those who wait may be calls of others.
            return .cancelled
        } catch is TokenRefresh.TookTooLong {
            return .failed(AuthenticationError(.refreshTimedOut))
        } catch {
            return .failed(AuthenticationError(.refreshFailed, underlying: error))
        }
    }

    private func load() async -> TokenRefresh.Outcome {
        do {
            return .loaded(try await store.load())
        } catch {
            return .failed(AuthenticationError(.storeFailed, underlying: error))
        }
    }

    /// Stores a new token, unless a person has signed in or out since the refresh began.
    ///
    /// A token that cannot be stored is used all the same: the server has replaced the old one already.
    private func save(_ token: AccessToken, _ job: TokenRefresh.Job) async {
        guard state.withLock({ $0.beginWrite(of: job.id) }) else { return }
        let isSaved = (try? await store.save(token)) != nil
        if state.withLock({ $0.isCurrent(job.id) }) {
            state.withLock { $0.endWrite(token, succeeded: isSaved) }
        } else {
            try? await persistPresent()
        }
    }

    /// Ends a write by storing the token of the session, again if another has taken its place in the meantime: of
    /// several writes at once, any may be the last to reach the store.
    private func persistPresent() async throws {
        while true {
            let (token, change) = state.withLock { ($0.token, $0.changes) }
            do {
                if let token { try await store.save(token) } else { try await store.remove() }
            } catch {
                state.withLock { $0.endWrite(nil, succeeded: false) }
                throw error
            }
            let isPresent = state.withLock { state in
                guard state.changes == change else { return false }
                state.endWrite(token, succeeded: true)
                return true
            }
            if isPresent { return }
        }
    }

    /// The present time: the calendar never falls behind the clock of the client, which tests advance.
    private func moment(_ time: (any TimeSource)?) -> TokenRefresh.Moment {
        let calendar = Date().timeIntervalSince1970
        guard let time else { return TokenRefresh.Moment(clock: SystemTimeSource().now, calendar: calendar) }
        let clock = time.now
        let offset = offset.withLock { offset in
            let known = offset ?? calendar - clock
            offset = known
            return known
        }
        return TokenRefresh.Moment(clock: clock, calendar: max(calendar, clock + offset))
    }
}

extension TokenSession: CustomReflectable {
    /// A mirror that shows the policy only.
    public var customMirror: Mirror { Mirror(self, children: ["policy": policy], displayStyle: .class) }
}
