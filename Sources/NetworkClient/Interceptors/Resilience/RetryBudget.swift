/// The limit of the extra load that retries may cause, for each origin (scheme, host and port).
///
/// An origin has a bucket of tokens. It is full at first; each call adds a part of a token, each retry takes a whole
/// one, and without a token there is no retry. A server that is overloaded therefore gets few retries for many calls,
/// and occasional failures are retried immediately. An origin that had no call for a minute has a full bucket again, so
/// that the limit does not matter where there is little load.
public struct RetryBudget: Sendable, Hashable {
    /// The part of a token that each call adds, 0…1: the number of retries for each call in the long run.
    public var ratio: Double

    /// The most tokens in a bucket, 0 or more: the number of retries at once; below 1, there are no retries.
    public var reserve: Double

    /// Creates a budget; numbers out of range count as the nearest number in range, and NaN as 0.
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

/// The tokens that are left for each origin.
struct RetryTokens {
    private struct Bucket {
        var tokens: Double
        /// The number of retries that wait; while there is one, the bucket is in use.
        var waits = 0
        var lastUse: Double
    }

    /// After how many seconds without a use a bucket is full again.
    static let idleTime = 60.0

    private let ratio: Double
    private let reserve: Double
    /// The buckets in use; a full one is removed.
    private var buckets: [Origin: Bucket] = [:]
    private var lastSweep = 0.0

    init(_ budget: RetryBudget) {
        // False for NaN.
        ratio = budget.ratio > 0 ? min(budget.ratio, 1) : 0
        reserve = budget.reserve > 0 ? budget.reserve : 0
    }

    /// Whether every bucket is full, so that calls need not be counted.
    var areFull: Bool { buckets.isEmpty }

    /// The number of origins that are remembered.
    var count: Int { buckets.count }

    /// Counts a call to an origin; the time is in seconds.
    mutating func addCall(to origin: Origin, at now: Double) {
        sweep(at: now)
        change(origin, at: now) { [ratio] in $0.tokens += ratio }
    }

    /// Takes a token for a retry that is about to wait; false if there is none.
    mutating func takeRetry(to origin: Origin, at now: Double) -> Bool {
        var bucket = current(origin, at: now) ?? Bucket(tokens: reserve, lastUse: now)
        guard bucket.tokens >= 1 else {
            buckets[origin]?.lastUse = now
            return false
        }
        bucket.tokens -= 1
        bucket.waits += 1
        bucket.lastUse = now
        buckets[origin] = bucket
        return true
    }

    /// Ends the wait of a retry, which gives its token back unless it is sent.
    mutating func endWait(of origin: Origin, isSent: Bool, at now: Double) {
        change(origin, at: now) { bucket in
            bucket.waits -= 1
            if !isSent { bucket.tokens += 1 }
        }
    }

    private func current(_ origin: Origin, at now: Double) -> Bucket? {
        buckets[origin].flatMap { isIdle($0, at: now) ? nil : $0 }
    }

    private func isIdle(_ bucket: Bucket, at now: Double) -> Bool {
        bucket.waits == 0 && now - bucket.lastUse >= Self.idleTime
    }

    private mutating func change(_ origin: Origin, at now: Double, _ body: (inout Bucket) -> Void) {
        guard var bucket = current(origin, at: now) else {
            buckets[origin] = nil
            return
        }
        body(&bucket)
        bucket.tokens = min(bucket.tokens, reserve)
        bucket.lastUse = now
        buckets[origin] = bucket.tokens >= reserve && bucket.waits == 0 ? nil : bucket
    }

    /// Forgets the origins that had no call for a time, now and then.
    private mutating func sweep(at now: Double) {
        guard now - lastSweep >= Self.idleTime else { return }
        lastSweep = now
        buckets = buckets.filter { !isIdle($0.value, at: now) }
    }
}
