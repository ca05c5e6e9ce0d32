/// The limit of the extra load that retries may cause, for each origin (scheme, host and port).
///
/// Each origin has a bucket of tokens. It is full at first; each call adds a part of a token, each retry takes a whole
/// token, and without a token there is no retry. So an overloaded server gets few retries for many calls, and
/// occasional failures are retried immediately. After a minute without a call, a bucket is full again, so that the
/// limit does not matter under low load. The buckets of the 1,000 most recently used origins are kept.
public struct RetryBudget: Sendable, Hashable {
    /// The part of a token that each call adds, 0…1: the number of retries for each call in the long run.
    public var ratio: Double

    /// The maximum number of tokens in a bucket, 0 or more, and so of retries at once; below 1, there are no retries.
    public var reserve: Double

    /// Creates a budget; a number out of range becomes the nearest one in it, and NaN becomes 0.
    ///
    /// With the defaults, a thousand calls without a success lead to at most 10 + 0.19 · 1,000 = 200 retries: 20 % more
    /// than one request for each call.
    public init(ratio: Double = 0.19, reserve: Double = 10) {
        self.ratio = ratio
        self.reserve = reserve
    }

    /// 0.19 retries for each call, and 10 at once.
    public static let `default` = RetryBudget()

    /// No limit.
    public static let unlimited = RetryBudget(ratio: 1, reserve: .infinity)
}

/// The tokens of one origin.
struct RetryTokens: Sendable {
    /// The number of seconds without use after which a bucket is full again.
    private static let idleTime = 60.0

    private let ratio: Double
    private let reserve: Double
    private var tokens: Double
    /// The number of retries that wait; while there is one, the bucket is in use.
    private var waits = 0
    private var lastUse = -Double.infinity

    init(_ budget: RetryBudget) {
        // The comparison is false for NaN.
        ratio = budget.ratio > 0 ? min(budget.ratio, 1) : 0
        reserve = budget.reserve > 0 ? budget.reserve : 0
        tokens = reserve
    }

    /// Counts a call; the time is in seconds.
    mutating func addCall(at now: Double) {
        use(at: now)
        tokens = min(tokens + ratio, reserve)
    }

    /// Takes a token for a retry that begins to wait; returns false if there is none.
    mutating func takeRetry(at now: Double) -> Bool {
        use(at: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        waits += 1
        return true
    }

    /// Ends the wait of a retry, and returns its token unless the retry is sent.
    mutating func endWait(isSent: Bool, at now: Double) {
        use(at: now)
        waits -= 1
        if !isSent { tokens = min(tokens + 1, reserve) }
    }

    private mutating func use(at now: Double) {
        if waits == 0, now - lastUse >= Self.idleTime { tokens = reserve }
        // The time is read before the lock is taken, so another call may already have passed a later time.
        lastUse = max(lastUse, now)
    }
}
