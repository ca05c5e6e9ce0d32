/// The token of a session, the jobs that may replace it, and the knowledge about the store.
///
/// Each mutating function takes an event and returns the action to perform.
///
/// Requests whose token was refused wait for one refresh, and so do new requests once the token has expired. Until it
/// expires, a refresh delays no request: whatever interceptors before this one computed, such as a signature, would be
/// outdated after a wait. All requests wait while a changed store is loaded.
struct RefreshState: Sendable {
    private let policy: TokenSession.RefreshPolicy
    private let canRefresh: Bool

    private(set) var token: AccessToken?
    /// The number of the present token; each change of the token adds 1.
    private var version = 0
    /// The time from which the token is refreshed without having been refused, in seconds since 1970; nil for never.
    private var due: Date?
    /// How many times the signed-in person has changed: jobs begun before the last change are outdated.
    private(set) var person = 0
    /// The identifier of the person in the store, kept while the token is missing; nil if there is no person.
    private var identifier: String?

    private var loading: UInt64?
    /// The refresh in progress, and the version of the token that it replaces.
    private var refresh: (job: TokenRefresh.Job, version: Int)?
    /// The number of refreshes that have ended.
    private var epoch = 0
    /// The failure of the last refresh of the present token, for requests that were sent before that refresh ended.
    private(set) var failure: AuthenticationError?
    /// The times at which the last refreshes began, in seconds of the clock.
    private var starts: [Double] = []
    /// The identifier of the job that the token comes from, or of the last job before the token was set or loaded.
    private var source: UInt64 = 0
    private var lastID: UInt64 = 0

    private var store = KnownStore()

    init(policy: TokenSession.RefreshPolicy, canRefresh: Bool) { (self.policy, self.canRefresh) = (policy, canRefresh) }

    // MARK: - Questions

    /// Returns person and version of the token that the store is known to have; nil for any other than the `asker`.
    func knownPerson(_ asker: Int?, _ mark: UInt64?) -> (person: Int, version: Int)? {
        let isKnown = loading == nil && store.isCurrent(version) && !store.hasChanged(mark, version) && token != nil
        return isKnown && (asker == nil || asker == person) ? (person, version) : nil
    }

    /// Returns the token if it can be sent without reading the clock.
    func timeless(_ question: TokenRefresh.Question, _ mark: UInt64?) -> TokenRefresh.Issued? {
        guard case .credential(let asker) = question, due == nil, knownPerson(asker, mark) != nil else { return nil }
        return token.map(issue)
    }

    /// Returns the verdict on a question; nil if a job has to be started or waited for.
    func verdict(
        on question: TokenRefresh.Question,
        _ mark: UInt64?,
        at now: Moment
    ) -> TokenRefresh.Verdict? {
        var copy = self
        guard case .verdict(let verdict, starting: nil) = copy.decide(question, mark, at: now) else { return nil }
        return verdict
    }

    /// Decides on a question, and begins the job that the decision needs.
    mutating func decide(
        _ question: TokenRefresh.Question,
        _ mark: UInt64?,
        at now: Moment
    ) -> TokenRefresh.Decision {
        let asker =
            switch question {
            case .credential(let person): person
            case .rejection(let issued): issued.person as Int?
            }
        if let asker, asker != person { return .verdict(.failed(AuthenticationError(.signedOut))) }
        if loading != nil || store.hasChanged(mark, version) { return joinLoad() }
        guard case .rejection(let issued) = question else { return decideBeforeSending(mark, at: now) }
        return decide(afterRejectionOf: issued, at: now)
    }

    /// Waits for the load in progress, or begins one.
    private mutating func joinLoad() -> TokenRefresh.Decision {
        if let loading { return .wait(for: loading) }
        let job = makeJob(isRefresh: false)
        loading = job.id
        return .wait(for: job.id, starting: job)
    }

    /// Waits for the refresh in progress, or begins one.
    private mutating func joinRefresh(isProactive: Bool, at now: Moment) -> TokenRefresh.Decision {
        if let refresh { return .wait(for: refresh.job.id) }
        let job = beginRefresh(isProactive: isProactive, at: now)
        return .wait(for: job.id, starting: job)
    }

    private mutating func beginRefresh(isProactive: Bool, at now: Moment) -> TokenRefresh.Job {
        // After a final failure the store is read again, but nothing is sent for the same token.
        if failure?.isFinal != true { starts = starts.filter { isRecent($0, now) } + [now.clock] }
        let job = makeJob(isRefresh: true, isProactive: isProactive)
        refresh = (job, version)
        return job
    }

    private mutating func makeJob(isRefresh: Bool, isProactive: Bool = false) -> TokenRefresh.Job {
        lastID += 1
        return TokenRefresh.Job(id: lastID, person: person, isRefresh: isRefresh, isProactive: isProactive)
    }

    // MARK: - Jobs

    /// Returns whether a job is the refresh in progress.
    func isCurrent(_ id: UInt64) -> Bool { refresh?.job.id == id }

    /// Returns whether a job refreshes the token that is still in use.
    func needs(_ job: TokenRefresh.Job) -> Bool { refresh?.job.id == job.id && refresh?.version == version }

    /// Returns the token that a refresh replaces; nil if the store had a newer token, which needs no refresh.
    mutating func tokenToRefresh(for job: TokenRefresh.Job, at now: Moment) -> AccessToken? {
        guard let refresh, refresh.job.id == job.id, let token else { return nil }
        guard refresh.version == version || isExpired(token, at: now) else { return nil }
        self.refresh?.version = version
        return token
    }

    /// Uses the result of a refresh, which may arrive after the time limit; returns false if there is a newer token or
    /// another person by then.
    mutating func adopt(
        _ token: AccessToken,
        from job: TokenRefresh.Job,
        at now: Moment
    ) -> Bool {
        guard job.person == person, job.id > source else { return false }
        source = job.id
        replace(token, due: Self.due(for: token, policy.leeway, at: now))
        return true
    }

    /// Ends a job; returns the verdict for the requests that waited for it, nil if they have to ask again.
    mutating func finish(
        _ job: TokenRefresh.Job,
        _ error: AuthenticationError?,
        at now: Moment
    ) -> TokenRefresh.Verdict? {
        guard job.isRefresh else { return finishLoad(job, error) }
        guard job.person == person else { return .failed(AuthenticationError(.signedOut)) }
        guard let ended = refresh, ended.job.id == job.id else { return nil }
        refresh = nil
        epoch += 1
        guard let error, ended.version == version else { return nil }
        let isValid = job.isProactive && token.map { !isExpired($0, at: now) } == true
        if !isValid || error.isFinal { failure = error }
        guard isValid else { return .failed(error) }
        // Once the token has expired, a request tries again.
        due = token?.expiry
        return nil
    }

    private mutating func finishLoad(_ job: TokenRefresh.Job, _ error: AuthenticationError?) -> TokenRefresh.Verdict? {
        guard loading == job.id else { return nil }
        loading = nil
        if let error { return .failed(error) }
        // Without a mark, the waiting requests would load the store once more if they asked again.
        return token == nil && store.isCurrent(version) && store.mark == nil ? .missing : nil
    }

    /// Replaces the token because a person has signed in or out, and ends all jobs.
    ///
    /// Returns the verdict for the waiting requests, which began as the previous person; nil if they have to ask again.
    mutating func set(_ token: AccessToken?, at now: Moment) -> TokenRefresh.Verdict? {
        let before = (isSomebody: self.token != nil, person: person)
        (loading, refresh) = (nil, nil)
        source = lastID
        store.overwrites = true
        replace(token, due: token.flatMap { Self.due(for: $0, policy.leeway, at: now) }, of: token?.identifier)
        return before.isSomebody && before.person != person ? .failed(AuthenticationError(.signedOut)) : nil
    }

    /// Forgets a token that was refused and cannot be refreshed, so that the next request loads the token again.
    mutating func forget(_ issued: TokenRefresh.Issued) {
        guard !canRefresh, issued.version == version, store.isCurrent(version) else { return }
        replace(nil, due: nil)
        store.version = version
        store.mark = nil
    }

    // MARK: - The store

    func beginReading(_ mark: UInt64?) -> TokenRefresh.Reading { store.beginReading(mark) }

    /// Takes over a different token from the store, and ends the session of a person whose token was removed.
    ///
    /// A token with the identifier of the present person comes from a refresh of another process.
    mutating func endReading(_ reading: TokenRefresh.Reading, found: AccessToken?) {
        guard store.endReading(reading, found: found, version) else { return }
        guard !AccessToken.haveSameSecrets(found, token) else { return }
        let due = found?.expiry.map { $0 - policy.leeway }
        replace(found, due: due, of: found?.identifier)
        store.version = version
        source = lastID
    }

    /// Whether the store does not have the present token, and nothing is being written.
    var isStoreBehind: Bool { store.isBehind(version) }

    /// Begins a write of the present token.
    mutating func beginWrite() -> TokenRefresh.Write { store.beginWrite(token, version) }

    /// Ends a write, after which the store has this mark, nil if unknown; returns whether the token that was written is
    /// still the present one.
    mutating func endWrite(_ write: TokenRefresh.Write, _ mark: UInt64?) -> Bool {
        store.endWrite(write, mark)
        return write.version == version
    }

    /// Ends a write that has failed.
    mutating func endFailedWrite() { store.endFailedWrite() }

    /// Ends a write that found an unexpected token in the store, so that the store is read again.
    mutating func endRefusedWrite() { store.endRefusedWrite(version) }
}

// MARK: - Rules

extension RefreshState {
    private mutating func decideBeforeSending(_ mark: UInt64?, at now: Moment) -> TokenRefresh.Decision {
        guard let token else {
            // An empty store whose mark is unchanged is still empty.
            return store.isCurrent(version) && (mark == nil || mark != store.mark) ? joinLoad() : .verdict(.missing)
        }
        let issued = issue(token)
        guard canRefresh, let due, now.date >= due else { return .verdict(.use(issued)) }
        let isExpired = isExpired(token, at: now)
        if refresh != nil { return isExpired ? joinRefresh(isProactive: true, at: now) : .verdict(.use(issued)) }
        guard isWithinLimit(now) else { return .verdict(isExpired ? .failed(excessiveRefresh) : .use(issued)) }
        // Until the token expires, it is used while it is refreshed.
        return isExpired
            ? joinRefresh(isProactive: true, at: now)
            : .verdict(.use(issued), starting: beginRefresh(isProactive: true, at: now))
    }

    private mutating func decide(
        afterRejectionOf issued: TokenRefresh.Issued,
        at now: Moment
    ) -> TokenRefresh.Decision {
        guard let token else { return .verdict(.stands) }
        if issued.version < version {
            // The refused token is not the present one. Sending the request again makes sense only with a different
            // token.
            return .verdict(token.value == issued.token.value ? .stands : .use(issue(token)))
        }
        guard canRefresh else { return .verdict(.stands) }
        if refresh != nil { return joinRefresh(isProactive: false, at: now) }
        // The refresh that this request would wait for failed before the response arrived.
        if let failure, issued.epoch < epoch { return .verdict(.failed(failure)) }
        guard isWithinLimit(now) else { return .verdict(.failed(excessiveRefresh)) }
        return joinRefresh(isProactive: false, at: now)
    }

    /// The error of a refresh beyond the limit, with the failure of the last one, if it failed.
    private var excessiveRefresh: AuthenticationError { AuthenticationError(.excessiveRefresh, underlying: failure) }

    private func issue(_ token: AccessToken) -> TokenRefresh.Issued {
        TokenRefresh.Issued(token: token, person: person, version: version, epoch: epoch)
    }

    /// Replaces the token; its owner stays.
    private mutating func replace(_ token: AccessToken?, due: Date?) {
        version += 1
        self.token = token
        self.due = due
        failure = nil
    }

    /// Replaces the token, with a change of person unless the identifier is the same.
    private mutating func replace(_ token: AccessToken?, due: Date?, of identifier: String?) {
        if identifier != self.identifier {
            // Calls that began before anyone had signed in may continue with the first person's token.
            if self.identifier != nil { person += 1 }
            self.identifier = identifier
            refresh = nil
        }
        replace(token?.identified(), due: due)
    }

    private func isExpired(_ token: AccessToken, at now: Moment) -> Bool {
        token.expiry.map { $0 <= now.date } ?? false
    }

    private func isWithinLimit(_ now: Moment) -> Bool {
        failure?.isFinal == true || starts.reduce(0) { $0 + (isRecent($1, now) ? 1 : 0) } < policy.limit
    }

    private func isRecent(_ start: Double, _ now: Moment) -> Bool { now.clock - start < policy.window }

    /// Returns when to refresh a new token, not before half of its life; nil if it has no expiry or has expired.
    private static func due(for token: AccessToken, _ leeway: Double, at now: Moment) -> Date? {
        guard let expiry = token.expiry, expiry > now.date else { return nil }
        return expiry - min(leeway, expiry.timeIntervalSince(now.date) / 2)
    }
}
