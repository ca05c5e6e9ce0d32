/// Limits how many requests are sent per second; other requests wait, in their order.
///
/// ```swift
/// let client = NetworkClient(interceptors: [.rateLimit(10, burst: 20, per: .host)])
/// ```
///
/// A bucket holds up to `burst` tokens, and gets a new one every `1 / requestsPerSecond` seconds; each request takes
/// one. If a response says that the server allows no more requests, nothing is sent until the server's reset, but at
/// most for `maximumPause`. This is read from `RateLimit` (draft-ietf-httpapi-ratelimit-headers),
/// `X-RateLimit-Remaining` and `-Reset`, and the delay that a 429 asks for. With the scope `.host`, the host that sent
/// the response is paused, also if a redirect led to it. With an infinite rate, only the server limits.
///
/// A cancelled request leaves the queue, and the requests behind it move up. A request that would have to wait beyond
/// its deadline throws ``TransportError/Reason/timedOut`` at once. The requests of a ``TokenSession``'s refresh do not
/// wait, since requests in the queue may wait for that refresh: each takes a token even if there is none, and the next
/// request waits longer. Clients that are created with the same value share its buckets. With the scope `.host`, the
/// buckets of the 1,000 most recently used hosts are kept.
public struct RateLimitInterceptor: InterceptorProtocol {
    /// True.
    public var runsInCallersTask: Bool { true }

    private let scope: LimitScope
    private let queueLimit: Int?
    private let maximumPause: TimeInterval
    private let everywhere: RateLimitQueue
    private let hosts: OriginTable<RateLimitQueue>

    init(
        _ requestsPerSecond: Double,
        burst: Int = 1,
        per scope: LimitScope = .host,
        queueLimit: Int? = nil,
        maximumPause: TimeInterval = 60
    ) {
        let bucket = TokenBucket(rate: requestsPerSecond, burst: burst)
        self.scope = scope
        self.queueLimit = queueLimit
        self.maximumPause = Seconds.wait(maximumPause)
        everywhere = RateLimitQueue(bucket)
        hosts = OriginTable { RateLimitQueue(bucket) }
    }

    /// Passes the request on when the bucket has a token for it.
    ///
    /// - Throws: ``QueueFullError``; `CancellationError`; ``NetworkClient/Error/requestError(type:)`` with the reason
    ///   ``TransportError/Reason/timedOut`` if its turn would come after the deadline; the errors of `next`, unchanged.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let queue = scope.origin(of: request).map { hosts.value(of: $0) } ?? everywhere
        let context = RequestContext.current
        try await queue.takeToken(for: request, queueLimit, context)
        do {
            let result = try await next(request)
            obey(result.response, queue, context)
            return result
        } catch NetworkClient.Error.apiError(let response, let data) {
            obey(response, queue, context)
            throw NetworkClient.Error.apiError(response: response, data: data)
        }
    }

    /// The number of requests that wait, if all of them are counted together.
    var waiterCount: Int { everywhere.waiterCount }

    private func obey(_ response: HTTPURLResponse, _ queue: RateLimitQueue, _ context: RequestContext) {
        guard let asked = ServerDelay.untilNextRequest(after: response, on: context.time) else { return }
        let pause = min(asked, maximumPause)
        let queue = queue === everywhere ? queue : context.facts.redirectedURL.map { hosts.value(for: $0) } ?? queue
        guard pause > 0, queue.pause(until: context.time.now + pause) else { return }
        context.record(.decision, "RateLimitInterceptor: pauses for \(pause.inWords), as the server asks")
    }
}

/// A bucket, and the requests that wait for its tokens: the first one sleeps, and the others wait for the first.
private final class RateLimitQueue: Sendable {
    private struct State {
        var bucket: TokenBucket
        var waiterCount = 0
    }

    private let state: Locked<State>
    /// The queue of waiting requests, of which one at a time sleeps until the next token.
    private let turn = ConnectionLimiter(limit: 1)

    init(_ bucket: TokenBucket) {
        state = Locked(State(bucket: bucket))
    }

    var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Stops the requests until a time; returns false if they are already stopped until then.
    func pause(until end: Double) -> Bool {
        state.withLock { $0.bucket.pause(until: end) }
    }

    nonisolated(nonsending) func takeToken(
        for request: URLRequest,
        _ queueLimit: Int?,
        _ context: RequestContext
    ) async throws {
        if takeTokenAtOnce(context) { return }
        guard let delay = try takeTokenOrWait(for: request, queueLimit, context) else { return }
        defer { state.withLock { $0.waiterCount -= 1 } }
        // If the request before this one woke late, there is a token already.
        if delay > 0 { context.record(.wait, "RateLimitInterceptor, until a request is allowed", number: delay) }
        if !turn.tryToEnter(nil) {
            try await turn.wait(nil, queueLimit: nil, for: request, in: context)
        }
        defer { turn.leave(nil) }
        // The server may stop the requests while the first waiting request sleeps.
        while true {
            let now = context.time.now
            let delay = state.withLock { $0.bucket.take(at: now) }
            guard delay > 0 else { return }
            if let remaining = context.remainingTime, delay >= remaining { throw Self.tooLate(request) }
            try await CallScope.sleep(seconds: delay, on: context.time)
        }
    }

    /// Takes a token if the request does not have to wait for it; returns whether it took one.
    private func takeTokenAtOnce(_ context: RequestContext) -> Bool {
        let now = context.time.now
        if state.withLock({ $0.waiterCount == 0 && $0.bucket.take(at: now) == 0 }) { return true }
        guard context.isOfRefresh else { return false }
        state.withLock { $0.bucket.owe(at: now) }
        return true
    }

    /// Takes a token; if there is none, counts the request as waiting and returns the seconds until there may be one.
    private func takeTokenOrWait(
        for request: URLRequest,
        _ queueLimit: Int?,
        _ context: RequestContext
    ) throws -> Double? {
        let (now, remaining) = (context.time.now, context.remainingTime)
        return try state.withLock { state in
            if state.waiterCount == 0, state.bucket.take(at: now) == 0 { return nil }
            if let queueLimit, state.waiterCount >= queueLimit { throw QueueFullError(of: request, limit: queueLimit) }
            let delay = state.bucket.delay(behind: state.waiterCount, at: now)
            if let remaining, delay >= remaining { throw Self.tooLate(request) }
            state.waiterCount += 1
            return delay
        }
    }

    private static func tooLate(_ request: URLRequest) -> NetworkClient.Error {
        let detail = "the rate limit would delay it beyond its deadline"
        return .requestError(type: TransportError(timeoutIn: .rateLimit, request: request, detail: detail))
    }
}

/// Tokens that are taken one by one and return at a rate; the caller passes the time.
struct TokenBucket: Sendable {
    private let rate: Double
    private let burst: Double
    private var tokens: Double
    private var lastRefill: Double?
    private var pauseEnd = -Double.infinity

    /// Creates a full bucket; the rate is at least one token in a day, also for NaN.
    init(rate: Double, burst: Int) {
        self.rate = max(1 / 86_400, rate)
        self.burst = Double(max(1, burst))
        tokens = self.burst
    }

    /// Takes a token.
    ///
    /// - Returns: 0 if a token was taken; otherwise the seconds until there will be one.
    mutating func take(at now: Double) -> Double {
        let delay = delay(behind: 0, at: now)
        if delay == 0 { tokens -= 1 }
        return delay
    }

    /// Takes a token even if there is none, so that later requests wait longer.
    mutating func owe(at now: Double) {
        refill(at: now)
        tokens -= 1
    }

    /// Returns the seconds until there will be a token for a request behind others.
    mutating func delay(behind count: Int, at now: Double) -> Double {
        refill(at: now)
        // Rounding errors may make a sum miss a whole token, or the end of a pause, by a little.
        let missing = Double(count) + 1 - tokens
        let pause = pauseEnd - now
        return max(missing > 0.001 ? missing / rate : 0, pause > 1e-6 ? pause : 0)
    }

    /// Gives out no token until a time; returns false if there is none until then anyway.
    mutating func pause(until end: Double) -> Bool {
        guard end > pauseEnd else { return false }
        pauseEnd = end
        return true
    }

    private mutating func refill(at now: Double) {
        guard let last = lastRefill, rate.isFinite else {
            lastRefill = now
            tokens = burst
            return
        }
        // The time is read before the lock is taken, so another request may already have passed a later time.
        guard now > last else { return }
        lastRefill = now
        tokens = min(burst, tokens + (now - last) * rate)
    }
}

extension InterceptorProtocol where Self == RateLimitInterceptor {
    // Without this, `[.rateLimit]` (no parentheses) gets "failed to produce diagnostic".
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, message: "write the number of requests per second: .rateLimit(10)")
    public static var rateLimit: RateLimitInterceptor { fatalError() }

    /// An interceptor that limits how many requests are sent per second, and obeys the limits that servers send.
    ///
    /// - Parameters:
    ///   - requestsPerSecond: The rate, at least one in a day; infinity if only the server limits.
    ///   - burst: The maximum number of requests that are sent at once after a pause, at least 1.
    ///   - scope: The requests that are counted together.
    ///   - queueLimit: The maximum number of requests that wait; one more throws ``QueueFullError``. Nil for no limit.
    ///   - maximumPause: The maximum number of seconds for which a response can stop the requests.
    /// - Returns: The interceptor, with full buckets.
    public static func rateLimit(
        _ requestsPerSecond: Double,
        burst: Int = 1,
        per scope: LimitScope = .host,
        queueLimit: Int? = nil,
        maximumPause: TimeInterval = 60
    ) -> RateLimitInterceptor {
        RateLimitInterceptor(
            requestsPerSecond,
            burst: burst,
            per: scope,
            queueLimit: queueLimit,
            maximumPause: maximumPause
        )
    }
}
