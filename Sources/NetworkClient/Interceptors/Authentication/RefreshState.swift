import Foundation

/// The token of a session and the one job that may replace it: each mutating function takes an event and returns the
/// action to perform.
///
/// Requests whose token was refused wait for one refresh. While it runs, other requests are sent with the old token:
/// what interceptors before this one made of them, such as a signature, would be out of date after a wait. Only a
/// refresh before the expiry lets them wait, since no server has refused the token yet.
struct RefreshState<Waiter: Sendable>: Sendable {
    private let policy: TokenSession.RefreshPolicy
    private let canRefresh: Bool

    private(set) var token: AccessToken?
    /// The token that the store had last; another one there comes from another process.
    private var stored: AccessToken?
    private var version = 0
    /// When the token is refreshed without a refusal, in seconds since 1970; nil for never.
    private var due: Double?
    private var job: TokenRefresh.Job?
    private var waiters: [UInt64: Waiter] = [:]
    /// The number of refreshes that have ended.
    private var epoch = 0
    /// The failure of the last refresh of the present token, for requests that were sent before it ended.
    private var failure: AuthenticationError?
    /// When the last refreshes began, in seconds of the clock.
    private var starts: [Double] = []
    /// The number of writes to the store that have not ended: its content may be out of date until then.
    private var writes = 0
    /// Whether the last write has failed, so that the content of the store is out of date.
    private var isStoreBehind = false
    /// How often a person has signed in or out.
    private(set) var changes = 0
    private var lastID: UInt64 = 0

    init(policy: TokenSession.RefreshPolicy, canRefresh: Bool) {
        self.policy = policy
        self.canRefresh = canRefresh
    }

    /// The token, if it can be sent at any time without a look at the clock.
    var timeless: TokenRefresh.Issued? {
        guard job == nil, due == nil, let token else { return nil }
        return issue(token)
    }

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Returns the verdict on a question; nil if it needs a wait.
    func verdict(on question: TokenRefresh.Question, at now: TokenRefresh.Moment) -> TokenRefresh.Verdict? {
        guard case .verdict(let verdict) = need(for: question, at: now) else { return nil }
        return verdict
    }

    /// Adds a request that waits if it has to.
    mutating func join(
        _ question: TokenRefresh.Question,
        id: UInt64,
        _ waiter: Waiter,
        at now: TokenRefresh.Moment
    ) -> TokenRefresh.Joining {
        switch need(for: question, at: now) {
        case .verdict(let verdict): return .decided(verdict)
        case .wait:
            waiters[id] = waiter
            return .waits(starting: nil)
        case .job(let token, let isProactive):
            waiters[id] = waiter
            if token != nil { starts = starts.filter { isRecent($0, now) } + [now.clock] }
            let job = TokenRefresh.Job(id: makeID(), token: token, isProactive: isProactive)
            self.job = job
            return .waits(starting: job)
        }
    }

    /// Removes a request that was cancelled or has waited too long; the job goes on for the others.
    mutating func leave(_ id: UInt64) -> Waiter? { waiters.removeValue(forKey: id) }

    /// Ends a job; returns those who waited for it, and their result.
    mutating func finish(
        _ id: UInt64,
        _ outcome: TokenRefresh.Outcome,
        at now: TokenRefresh.Moment
    ) -> (waiters: [Waiter], ending: TokenRefresh.Ending) {
        guard let ended = job, ended.id == id else { return ([], .changed) }
        job = nil
        if ended.token != nil { epoch += 1 }
        switch outcome {
        case .loaded(let token?):
            stored = token
            adopt(token, due: token.expiry.map { $0.timeIntervalSince1970 - policy.leeway })
            return (takeWaiters(), .changed)
        case .loaded(nil): return (takeWaiters(), .decided(.missing))
        case .refreshed(let token):
            adopt(token, due: Self.due(for: token, policy.leeway, at: now))
            return (takeWaiters(), .changed)
        case .cancelled: return (takeWaiters(), .changed)
        case .failed(let error):
            if ended.isProactive, token.map({ !isExpired($0, at: now) }) == true {
                // The token is good for a while; then the next request tries again.
                due = token?.expiry?.timeIntervalSince1970
                return (takeWaiters(), .changed)
            }
            if ended.token != nil { failure = error }
            return (takeWaiters(), .decided(.failed(error)))
        }
    }

    /// Replaces the token because a person has signed in or out; returns those who waited, who ask again.
    mutating func set(_ token: AccessToken?, at now: TokenRefresh.Moment) -> [Waiter] {
        job = nil
        writes += 1
        changes += 1
        adopt(token, due: token.flatMap { Self.due(for: $0, policy.leeway, at: now) })
        return takeWaiters()
    }

    /// Forgets a token that was refused and cannot be refreshed, so that the next request loads it again.
    mutating func forget(_ issued: TokenRefresh.Issued) {
        guard !canRefresh, issued.version == version, job == nil else { return }
        adopt(nil, due: nil)
    }

    // MARK: - The store

    /// Whether a token in the store was put there by another process.
    func isNews(_ found: AccessToken) -> Bool {
        isStoreCurrent && stored?.hasSameSecrets(as: found) != true && token?.hasSameSecrets(as: found) != true
    }

    /// Whether nothing of this session is missing in the store: else its token must not be used.
    private var isStoreCurrent: Bool { writes == 0 && !isStoreBehind }

    /// Begins to store the result of a job; returns false if it is out of date and must not be stored.
    mutating func beginWrite(of id: UInt64) -> Bool {
        guard isCurrent(id) else { return false }
        writes += 1
        return true
    }

    /// Whether the result of a job is still wanted.
    func isCurrent(_ id: UInt64) -> Bool { job?.id == id }

    /// Ends a write of a token, or of its removal.
    mutating func endWrite(_ written: AccessToken?, succeeded: Bool) {
        writes -= 1
        isStoreBehind = !succeeded
        if succeeded, let written { stored = written }
    }
}

// MARK: - Rules

extension RefreshState {
    private enum Need {
        case verdict(TokenRefresh.Verdict)
        case wait
        case job(AccessToken?, isProactive: Bool)
    }

    private func need(for question: TokenRefresh.Question, at now: TokenRefresh.Moment) -> Need {
        switch question {
        case .credential(let person): person.map { $0 != changes } == true ? .verdict(.failed(.init(.signedOut))) : needBeforeSending(at: now)
        case .rejection(let issued): need(afterRejectionOf: issued, at: now)
        }
    }

    private func needBeforeSending(at now: TokenRefresh.Moment) -> Need {
        if let job, job.token == nil || job.isProactive { return .wait }
        guard let token else { return isStoreCurrent ? .job(nil, isProactive: false) : .verdict(.missing) }
        guard job == nil, canRefresh, let due, now.calendar >= due else { return .verdict(.use(issue(token))) }
        if isWithinLimit(now) { return .job(token, isProactive: true) }
        return .verdict(isExpired(token, at: now) ? .failed(.init(.excessiveRefresh)) : .use(issue(token)))
    }

    private func need(afterRejectionOf issued: TokenRefresh.Issued, at now: TokenRefresh.Moment) -> Need {
        guard let token else { return .verdict(.stands) }
        // The refusal is of an older token.
        if issued.version < version { return .verdict(.use(issue(token))) }
        guard canRefresh else { return .verdict(.stands) }
        if job != nil { return .wait }
        // The refresh that this request would have waited for has failed before its response came.
        if let failure, issued.epoch < epoch { return .verdict(.failed(failure)) }
        return isWithinLimit(now) ? .job(token, isProactive: false) : .verdict(.failed(.init(.excessiveRefresh)))
    }

    private func issue(_ token: AccessToken) -> TokenRefresh.Issued {
        TokenRefresh.Issued(token: token, version: version, epoch: epoch, person: changes)
    }

    private mutating func adopt(_ token: AccessToken?, due: Double?) {
        version += 1
        self.token = token
        self.due = due
        failure = nil
    }

    private mutating func takeWaiters() -> [Waiter] {
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    private func isExpired(_ token: AccessToken, at now: TokenRefresh.Moment) -> Bool {
        token.expiry.map { $0.timeIntervalSince1970 <= now.calendar } ?? false
    }

    private func isWithinLimit(_ now: TokenRefresh.Moment) -> Bool {
        starts.reduce(0) { $0 + (isRecent($1, now) ? 1 : 0) } < policy.limit
    }

    private func isRecent(_ start: Double, _ now: TokenRefresh.Moment) -> Bool { now.clock - start < policy.window }

    /// When a new token is refreshed; never for one that has expired on arrival, since then a calendar is wrong, and
    /// not before the middle of its life.
    private static func due(for token: AccessToken, _ leeway: Double, at now: TokenRefresh.Moment) -> Double? {
        guard let expiry = token.expiry?.timeIntervalSince1970, expiry > now.calendar else { return nil }
        return expiry - min(leeway, (expiry - now.calendar) / 2)
    }
}
