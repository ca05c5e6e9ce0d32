/// Performs the jobs of a ``TokenSession``: loads, refreshes and stores its token.
final class TokenJobs: Sendable {
    /// The rules, with the waiting requests and the running tasks.
    struct State: Sendable {
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

        /// Returns the task of the refresh in progress if the result of the refresh is no longer needed.
        ///
        /// The caller cancels it, since other refreshes may wait for its lock.
        mutating func takeOutdatedRefresh() -> Task<Void, Never>? {
            guard let refresh, !rules.isCurrent(refresh.id) else { return nil }
            self.refresh = nil
            return refresh.task
        }
    }

    private let state: Locked<State>
    private let store: any CredentialStore
    private let policy: TokenSession.RefreshPolicy
    private let operation: TokenSession.Refresh?
    /// The clock of the client that has used the session last.
    private let time = Locked<any TimeSource>(SystemTimeSource())

    init(
        _ state: Locked<State>,
        _ store: any CredentialStore,
        _ policy: TokenSession.RefreshPolicy,
        _ operation: TokenSession.Refresh?
    ) {
        self.state = state
        self.store = store
        self.policy = policy
        self.operation = operation
    }

    /// Whether the current task loads, refreshes or stores a token for this session.
    var isWorking: Bool { SharedWork.isInProgress(for: self) }

    /// The mark of the store; nil if it has none.
    var mark: UInt64? { store.revision }

    func moment(on time: any TimeSource) -> Moment {
        self.time.withLock { $0 = time }
        return Moment(time)
    }

    /// Replaces the token after a sign-in or a sign-out, and ends all jobs; returns the write to be performed.
    func set(_ token: AccessToken?) -> TokenRefresh.Write {
        let now = Moment(time.withLock(\.self))
        let (write, refresh, waiters, verdict) = state.withLock { state in
            let verdict = state.rules.set(token, at: now)
            let waiters = state.waiters.values
            state.waiters = [:]
            return (state.rules.beginWrite(), state.takeOutdatedRefresh(), waiters, verdict)
        }
        refresh?.cancel()
        for var waiters in waiters {
            for waiter in waiters.removeAll() { waiter.resume(returning: verdict) }
        }
        return write
    }

    /// Starts a job that the rules have begun; calls the closure with its failure, or nil, when it has ended.
    func start(
        _ job: TokenRefresh.Job,
        _ time: any TimeSource,
        onEnd: (@Sendable (AuthenticationError?) -> Void)? = nil
    ) {
        // Not cancelled with a caller: the server may have replaced the old token by then. Cancelled when the person
        // changes.
        let task = SharedWork.start(for: self, on: time) {
            let error = await self.perform(job, time)
            return {
                let now = Moment(time)
                var (waiters, verdict, isNeeded) = self.state.withLock { state in
                    let isNeeded = state.rules.needs(job)
                    let verdict = state.rules.finish(job, error, at: now)
                    return (state.waiters.removeValue(forKey: job.id) ?? Waiters(), verdict, isNeeded)
                }
                if case .failed(let failure) = verdict { onEnd?(failure) } else { onEnd?(isNeeded ? error : nil) }
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

    /// Performs a job; returns its failure, or nil.
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
        } catch {
            return AuthenticationError(.storeFailed, underlying: error)
        }
    }

    private func refresh(_ job: TokenRefresh.Job, _ time: any TimeSource) async -> AuthenticationError? {
        // If the store fails, the token in memory can still be refreshed.
        try? await followStore()
        let now = Moment(time)
        guard let operation, let old = state.withLock({ $0.rules.tokenToRefresh(for: job, at: now) }) else {
            return nil
        }
        // Nothing is sent again for a token that was refused for good.
        if let known = state.withLock({ $0.rules.failure }), known.isFinal { return known }
        do {
            // The operation runs in a separate task: if the task of the job is cancelled, the store is released for
            // others, even if the operation ignores its cancellation.
            try await TimeLimit.never.run {
                let token = try await operation(old)
                guard !token.isBlank else { throw AuthenticationError(.missingCredential) }
                await self.keep(token.succeeding(old), job, time)
            }
            return nil
        } catch {
            // If another process has used the refresh token, its result is used.
            try? await followStore()
            return AuthenticationError(.refreshFailed, underlying: error)
        }
    }

    /// Uses and stores the result of a refresh, which may arrive after the time limit.
    ///
    /// A token that cannot be stored is still used: the server has already replaced the old one.
    private func keep(_ token: AccessToken, _ job: TokenRefresh.Job, _ time: any TimeSource) async {
        let now = Moment(time)
        let write = state.withLock { $0.rules.adopt(token, from: job, at: now) ? $0.rules.beginWrite() : nil }
        if let write { try? await persist(write) }
    }

    // MARK: - The store

    /// Loads the token of the store, and takes it over unless the session has written a newer one.
    private func followStore() async throws {
        let reading = state.withLock { [mark = store.revision] in $0.rules.beginReading(mark) }
        let found = try await store.load()
        let outdated = state.withLock { state in
            state.rules.endReading(reading, found: found)
            return state.takeOutdatedRefresh()
        }
        outdated?.cancel()
    }

    /// Stores a token, and then a newer one if there is one by then: of several concurrent writes, any may reach the
    /// store last.
    func persist(_ first: TokenRefresh.Write) async throws {
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

    /// Performs a write; returns false if the store has another token than the one to be replaced.
    private func perform(_ write: TokenRefresh.Write) async throws -> Bool {
        guard write.overwrites else { return try await store.replace(write.expected, with: write.token) }
        if let token = write.token { try await store.save(token) } else { try await store.remove() }
        return true
    }

    /// Returns the mark of the store with the written token; nil if the mark is unknown, so that the store is loaded
    /// again.
    private func mark(of written: AccessToken?) async -> UInt64? {
        guard let mark = store.revision, let found = try? await store.load() as AccessToken?? else { return nil }
        return AccessToken.haveSameSecrets(found, written) ? mark : nil
    }

    /// Starts to store the token if an earlier attempt to store it failed; returns false otherwise.
    func storeAgain(on time: any TimeSource) -> Bool {
        guard let write = state.withLock({ $0.rules.isStoreBehind ? $0.rules.beginWrite() : nil }) else { return false }
        SharedWork.start(for: self, on: time) {
            try? await self.persist(write)
            return {}
        }
        return true
    }
}

extension TimeLimit {
    /// A limit for work that only its cancellation ends.
    fileprivate static let never = TimeLimit(end: .infinity, on: SystemTimeSource())
}
