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
/// try await session.signOut()
/// ```
///
/// The token is refreshed when a server refuses it, once for all requests that carried it, and shortly before it
/// expires, while requests still use it. A refresh runs in its own task, which no caller's cancellation ends, for at
/// most ``RefreshPolicy/timeout`` seconds. If it fails, each of the requests that waited for it throws an
/// ``AuthenticationError`` with the response that refused the token; a later request may refresh again.
///
/// A call that began with the token of one person is never sent with that of another: after a sign-out, a sign-in or a
/// change of the store it fails with ``AuthenticationError/Reason/signedOut``.
public final class TokenSession: Sendable {
    /// Returns a new token in exchange for an old one, whose refresh token stays if the new one has none.
    ///
    /// It may use the same client: its requests are sent without the token, and do not wait for a
    /// ``ConcurrencyLimitInterceptor``. Send them in its own task or in child tasks: requests of a detached task, or of
    /// a task that an actor has started before, are told apart from no others, and once the token has expired they
    /// would wait for the refresh that waits for them, until its time limit.
    public typealias Refresh = @Sendable (_ old: AccessToken) async throws -> AccessToken

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

    /// The rules, and what waits and runs for them.
    private struct State: Sendable {
        var rules: RefreshState
        /// The tasks that wait, by the number of the job that they wait for.
        var waiters: [UInt64: Waiters<TokenRefresh.Verdict?>] = [:]
        var refresh: (id: UInt64, task: Task<Void, Never>)?

        mutating func leave(_ id: UInt64) -> Waiter<TokenRefresh.Verdict?>? {
            for job in waiters.keys {
                if let waiter = waiters[job]?.remove(id) { return waiter }
            }
            return nil
        }

        /// Returns the task of a refresh that nobody waits for any more, to be cancelled: others may wait for its lock.
        mutating func takeOutdatedRefresh() -> Task<Void, Never>? {
            guard let refresh, !rules.isCurrent(refresh.id) else { return nil }
            self.refresh = nil
            return refresh.task
        }
    }

    /// The refreshes, loads and writes of credentials that the current task is part of.
    @TaskLocal private static var working: [Work] = []

    let policy: RefreshPolicy
    private let store: any CredentialStore
    private let operation: Refresh?
    private let state: Locked<State>
    /// The difference between the calendar and the clock of a test, when the session was first used with it.
    private let offset = Locked<Double?>(nil)

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - store: Keeps the token. The session follows it: when the token is removed there, the session ends, and
    ///     another token is used by later calls.
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
        state = Locked(State(rules: RefreshState(policy: policy, canRefresh: refresh != nil)))
    }

    /// Uses the token of a person who has signed in, in place of the present one; nil is ``signOut()``.
    ///
    /// Applies to the next request, even if the store fails; a store that has failed is tried again with each later
    /// request. The result of a refresh in flight is dropped.
    ///
    /// - Parameters:
    ///   - token: The token that the server has issued.
    ///   - person: Identifies the person, for example an account number; stored beside the token. While it stays the
    ///     same, calls in flight go on with the new token. Without it, the token is that of another person, and those
    ///     calls fail with ``AuthenticationError/Reason/signedOut`` rather than be sent again.
    /// - Throws: ``AuthenticationError`` if the store cannot write the token; `CancellationError`.
    public func setToken(_ token: AccessToken?, person: String? = nil) async throws {
        let now = moment(SystemTimeSource())
        let (write, refresh, waiters, verdict) = state.withLock { state in
            let verdict = state.rules.set(token?.identified(as: person), at: now)
            let waiters = state.waiters.values
            state.waiters = [:]
            return (state.rules.beginWrite(), state.takeOutdatedRefresh(), waiters, verdict)
        }
        refresh?.cancel()
        for var waiters in waiters {
            for waiter in waiters.removeAll() { waiter.resume(returning: verdict) }
        }
        do {
            try await persist(write)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw AuthenticationError(.storeFailed, underlying: error)
        }
    }

    /// Removes the token, also from the store, after a person has signed out.
    ///
    /// Applies to the next request, even if the store fails: calls in flight are not sent again, and nothing refreshes
    /// the token any more. To end the calls in flight too, call ``NetworkClient/NetworkClient/cancelAll()`` before.
    ///
    /// - Throws: ``AuthenticationError`` if the store cannot remove the token; `CancellationError`.
    public func signOut() async throws {
        try await setToken(nil)
    }

    /// Returns the token that a request would be sent with now, loading or refreshing it as for a request; nil if there
    /// is none.
    ///
    /// - Throws: ``AuthenticationError``; `CancellationError`.
    public func currentToken() async throws -> AccessToken? {
        // The work of the session would wait for itself.
        guard !isWorking else { return state.withLock { $0.rules.token } }
        switch try await verdict(on: .credential(of: nil), for: nil, in: RequestContext(nil)) {
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
    /// - Throws: ``TransportError/Reason/timedOut`` if the deadline of the context passes; `CancellationError`.
    nonisolated(nonsending) func verdict(
        on question: TokenRefresh.Question,
        for request: URLRequest?,
        in context: RequestContext = .current
    ) async throws -> TokenRefresh.Verdict {
        let mark = store.revision
        if let issued = state.withLock({ $0.rules.timeless(question, mark) }) { return .use(issued) }
        while true {
            storeAgain(context)
            let (mark, now) = (store.revision, moment(context.time))
            if let verdict = state.withLock({ $0.rules.verdict(on: question, mark, at: now) }) { return verdict }
            if let verdict = try await wait(question, mark, now, request, context) { return verdict }
        }
    }

    /// Drops a token that was refused, unless it can be refreshed: the store may have another one by the next request.
    func forget(_ issued: TokenRefresh.Issued) {
        state.withLock { $0.rules.forget(issued) }
    }

    // MARK: - Waiting

    /// Returns the verdict of a wait; nil if the question has to be asked again.
    private nonisolated(nonsending) func wait(
        _ question: TokenRefresh.Question,
        _ mark: UInt64?,
        _ now: TokenRefresh.Moment,
        _ request: URLRequest?,
        _ context: RequestContext
    ) async throws -> TokenRefresh.Verdict? {
        var job: TokenRefresh.Job?
        do {
            if let limit = context.limit, limit.remaining <= 0 { throw TimeLimit.Passed() }
            let verdict = try await state.wait(until: context.limit) { state, waiter in
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
                Self.record(job, in: context)
                if let job { start(job, context.time) }
                job = nil
            }
            if let job {
                // The token is good for a while, and used until the refresh has ended.
                Self.record(job, in: context)
                start(job, context.time)
            }
            return verdict
        } catch is TimeLimit.Passed {
            let detail = "its deadline passed while it waited for the credential"
            let failure = TransportError(timeoutIn: .credential, request: request, detail: detail)
            throw NetworkClient.Error.requestError(type: failure)
        }
    }

    private static func record(_ job: TokenRefresh.Job?, in context: RequestContext) {
        guard let job else { return context.record(.decision, "AuthenticationInterceptor: waits for the credential") }
        guard job.isRefresh else { return }
        let cause = job.isProactive ? "before it expires" : "after it was refused"
        context.record(.decision, "AuthenticationInterceptor: refreshes the credential \(cause)")
    }

    // MARK: - Working

    private func start(_ job: TokenRefresh.Job, _ time: any TimeSource) {
        // No caller cancels it: a server may have replaced the old token by the time of a cancellation. A change of
        // person does.
        let task = work {
            let error = await self.perform(job, time)
            return {
                let now = self.moment(time)
                var (waiters, verdict) = self.state.withLock { state in
                    let verdict = state.rules.finish(job, error, at: now)
                    return (state.waiters.removeValue(forKey: job.id) ?? Waiters(), verdict)
                }
                for waiter in waiters.removeAll() { waiter.resume(returning: verdict) }
            }
        }
        guard job.isRefresh else { return }
        let isCurrent = state.withLock { state in
            guard state.rules.isCurrent(job.id) else { return false }
            state.refresh = (job.id, task)
            return true
        }
        if !isCurrent { task.cancel() }
    }

    /// Runs an operation whose requests do without the token, and then what it returns.
    @discardableResult
    private func work(_ operation: @escaping @Sendable () async -> @Sendable () -> Void) -> Task<Void, Never> {
        let work = Work(for: self)
        let working = Self.working + [work]
        // Detached, since it works for all requests: it must not run with the task-local values of the first.
        return Task.detached(priority: max(.medium, Task.currentPriority)) {
            let finish = await Self.$working.withValue(working) { await operation() }
            work.end()
            finish()
        }
    }

    /// Returns the failure of a job.
    private func perform(_ job: TokenRefresh.Job, _ time: any TimeSource) async -> AuthenticationError? {
        do {
            guard job.isRefresh else {
                try await followStore()
                return nil
            }
            let limit = TimeLimit(seconds: policy.timeout, on: time) ?? .never
            guard limit.remaining > 0 else { throw TimeLimit.Passed() }
            return try await limit.run { [store] in
                try await store.withExclusiveAccess { await self.refresh(job, time) }
            }
        } catch is TimeLimit.Passed {
            return AuthenticationError(.refreshTimedOut)
        } catch is CancellationError {
            return nil
        } catch {
            return AuthenticationError(.storeFailed, underlying: error)
        }
    }

    private func refresh(_ job: TokenRefresh.Job, _ time: any TimeSource) async -> AuthenticationError? {
        // A store that fails does not keep the token in memory from being refreshed.
        try? await followStore()
        let now = moment(time)
        guard let operation, let old = state.withLock({ $0.rules.tokenToRefresh(for: job, at: now) }) else {
            return nil
        }
        do {
            // In a task of its own: when this one is cancelled, the store is released for others, even if the operation
            // ignores its cancellation.
            try await TimeLimit.never.run {
                await self.keep(try await operation(old).succeeding(old), job, time)
            }
            return nil
        } catch is CancellationError {
            // The client of the refresh has cancelled all its calls; those who wait may be calls of others.
            return nil
        } catch {
            // Another process may have spent the refresh token: then its result is used.
            try? await followStore()
            return AuthenticationError(.refreshFailed, underlying: error)
        }
    }

    /// Uses and stores the result of a refresh, which may come after its time limit.
    ///
    /// A token that cannot be stored is used all the same: the server has replaced the old one already.
    private func keep(_ token: AccessToken, _ job: TokenRefresh.Job, _ time: any TimeSource) async {
        let now = moment(time)
        let write = state.withLock { $0.rules.adopt(token, from: job, at: now) ? $0.rules.beginWrite() : nil }
        if let write { try? await persist(write) }
    }

    // MARK: - The store

    /// Loads the token of the store, and takes it over unless the session knows better.
    private func followStore() async throws {
        let reading = state.withLock { [mark = store.revision] in $0.rules.beginReading(mark) }
        let found = try await store.load()
        let outdated = state.withLock { state in
            state.rules.endReading(reading, found: found)
            return state.takeOutdatedRefresh()
        }
        outdated?.cancel()
    }

    /// Stores a token, and again if another has taken its place in the meantime: of several writes at once, any may be
    /// the last to reach the store.
    private func persist(_ first: TokenRefresh.Write) async throws {
        var next: TokenRefresh.Write? = first
        while let write = next {
            do {
                guard try await perform(write) else {
                    state.withLock { $0.rules.endRefusedWrite() }
                    return try await followStore()
                }
            } catch {
                state.withLock { $0.rules.endFailedWrite() }
                throw error
            }
            let mark = await mark(of: write.token)
            next = state.withLock { $0.rules.endWrite(write, mark) ? nil : $0.rules.beginWrite() }
        }
    }

    /// Returns false if the store has another token than the one to be replaced.
    private func perform(_ write: TokenRefresh.Write) async throws -> Bool {
        guard write.overwrites else { return try await store.replace(write.expected, with: write.token) }
        if let token = write.token { try await store.save(token) } else { try await store.remove() }
        return true
    }

    /// Returns the mark of the store with the token that was written; nil if it is not known, so that the store is
    /// loaded again.
    private func mark(of written: AccessToken?) async -> UInt64? {
        guard let mark = store.revision, let found = try? await store.load() as AccessToken?? else { return nil }
        return AccessToken.haveSameSecrets(found, written) ? mark : nil
    }

    /// Stores a token that the store has refused before.
    private func storeAgain(_ context: RequestContext) {
        guard let write = state.withLock({ $0.rules.isStoreBehind ? $0.rules.beginWrite() : nil }) else { return }
        context.record(
            .decision,
            "AuthenticationInterceptor: stores the credential again, since its store failed"
        )
        work {
            try? await self.persist(write)
            return {}
        }
    }

    /// The present time: the calendar never falls behind the clock of a test.
    private func moment(_ time: any TimeSource) -> TokenRefresh.Moment {
        let (calendar, clock) = (Date().timeIntervalSince1970, time.now)
        guard !(time is SystemTimeSource) else { return TokenRefresh.Moment(clock: clock, calendar: calendar) }
        let offset = offset.withLock { offset in
            let known = offset ?? calendar - clock
            offset = known
            return known
        }
        return TokenRefresh.Moment(clock: clock, calendar: max(calendar, clock + offset))
    }
}

extension TimeLimit {
    /// For work that only its cancellation ends.
    fileprivate static let never = TimeLimit(end: .infinity, on: SystemTimeSource())
}

extension TokenSession: CustomReflectable {
    /// A mirror that shows the policy only.
    public var customMirror: Mirror { Mirror(self, children: ["policy": policy], displayStyle: .class) }
}
