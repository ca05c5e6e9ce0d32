/// Sends a request again after a temporary failure, such as a lost connection, a timeout, or 503.
///
/// ```swift
/// let client = NetworkClient(interceptors: [
///     .retry(3), .headers([.language(value: "el")]),
/// ])
/// ```
///
/// It sends idempotent requests again (RFC 9110 §9.2.2): by their method (GET, HEAD, PUT, DELETE, OPTIONS, TRACE,
/// QUERY), by an `Idempotency-Key`, or because the call sets ``CallOptions/isIdempotent``. It sends any other request
/// again only if the server cannot have performed it: its connection was never made, it timed out in a queue, or its
/// credential was refused and could not be refreshed for a temporary reason. A request whose body is a stream is sent
/// once, since the stream can be read only once. Decoding errors, untrusted certificates and cancellations never lead
/// to another attempt.
///
/// The waits come from the policy's ``RetryPolicy/backoff``; they are longer if the server asks for that with
/// `Retry-After` or the fields of a rate limit. No wait begins that would exceed the deadline of the call. A
/// ``RetryBudget`` limits the retries to each origin, so that they don't keep the server from recovering.
///
/// The interceptors after this one run again for each attempt, and ``RequestContext/attempt`` is its number. If no
/// attempt is left, the caller gets the error of the last attempt that was sent, not a later refusal by a circuit
/// breaker or a full queue; ``CallJourney`` has the waits and the decisions.
public struct RetryInterceptor: InterceptorProtocol {
    /// True.
    public var runsInCallersTask: Bool { true }

    private let policy: RetryPolicy
    /// Shared by the copies of the interceptor.
    private let tokens: OriginTable<Locked<RetryTokens>>
    /// Whether a retry has taken a token; until then all buckets are full, and calls need not be counted.
    private let hasRetried = Locked(false)

    init(_ policy: RetryPolicy = .default, budget: RetryBudget = .default) {
        self.policy = policy
        tokens = OriginTable { Locked(RetryTokens(budget)) }
    }

    /// Passes the request on, and sends it again after temporary failures; rethrows the error of the last attempt that
    /// was sent.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        // In each call: the journey names an option that no interceptor has read.
        readPolicy()
        do {
            let result = try await next(request)
            if hasRetried.withLock({ $0 }) { countCall(request) }
            return result
        } catch {
            if hasRetried.withLock({ $0 }) { countCall(request) }
            return try await sendAgain(request, after: error, next)
        }
    }

    @inline(never)
    private func readPolicy() { _ = RequestContext.current[RetryKey.self] }

    private nonisolated(nonsending) func sendAgain(
        _ request: URLRequest,
        after error: any Error,
        _ next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let context = RequestContext.current
        let policy = context[RetryKey.self] ?? policy
        var attempt = FailedAttempt(request: request, error: error, time: context.time)
        attempt.isIdempotent = context.isIdempotent
        var lastError: (any Error)?
        // The facts before the failed attempt; nil for the first one.
        var earlier: RequestContext.Facts?
        while true {
            attempt.mayBePerformed = context.facts.mayBePerformed(since: earlier)
            attempt.remainingTime = context.remainingTime
            // If a later attempt is refused, the caller gets the error that caused it.
            if !attempt.isRefusal { lastError = attempt.error }
            guard try await wait(after: attempt, policy, context) else { throw lastError ?? attempt.error }
            attempt.retries += 1
            earlier = context.facts
            do {
                return try await context.sendingAgain(retry: attempt.retries) { try await next(request) }
            } catch {
                attempt.error = error
            }
        }
    }

    /// Waits before another attempt; returns false if there is none.
    private nonisolated(nonsending) func wait(
        after attempt: FailedAttempt,
        _ policy: RetryPolicy,
        _ context: RequestContext
    ) async throws -> Bool {
        let seconds: Double
        let cause: String
        switch attempt.decision(by: policy) {
        case .rethrow: return false
        case .giveUp(let reason):
            context.record(.decision, "RetryInterceptor: gives up, \(reason)")
            return false
        case .sendAgain(let wait, let reason): (seconds, cause) = (wait, reason)
        }
        guard let tokens = tokens(for: attempt.request, context) else { return false }
        let now = context.time.now
        hasRetried.withLock { $0 = true }
        guard tokens.withLock({ $0.takeRetry(at: now) }) else {
            context.record(.decision, "RetryInterceptor: gives up, the retry budget of the host is used up")
            return false
        }
        var isSent = false
        defer {
            let now = context.time.now
            tokens.withLock { $0.endWait(isSent: isSent, at: now) }
        }
        context.log(.retried(after: seconds, cause: cause), of: attempt.request)
        do {
            try await context.wait(seconds: seconds, before: attempt.request, "RetryInterceptor, after \(cause)")
        } catch is NetworkClient.Error {
            // The deadline was nearer than the decision has seen.
            return false
        }
        isSent = true
        return true
    }

    /// Counts a call for the budget; a separate function, since few clients need it.
    @inline(never)
    private func countCall(_ request: URLRequest) {
        let context = RequestContext.current
        let now = context.time.now
        tokens(for: request, context)?.withLock { $0.addCall(at: now) }
    }

    /// Returns the budget of the origin that the last attempt has reached.
    private func tokens(for request: URLRequest, _ context: RequestContext) -> Locked<RetryTokens>? {
        (context.facts.redirectedURL ?? request.url).map { tokens.value(for: $0) }
    }
}

extension RequestContext {
    /// The call's own setting; nil if it has none.
    fileprivate var isIdempotent: Bool? { self[IsIdempotentKey.self] }
}

extension InterceptorProtocol where Self == RetryInterceptor {
    /// An interceptor that sends requests again after temporary failures, twice.
    public static var retry: RetryInterceptor { RetryInterceptor(.default) }

    /// An interceptor that sends requests again after temporary failures, by default twice.
    ///
    /// - Parameters:
    ///   - policy: The policy for calls without ``CallOptions/retry``.
    ///   - budget: The limit of the retries to each origin, which all calls of the interceptor share.
    /// - Returns: The interceptor.
    public static func retry(
        _ policy: RetryPolicy = .default,
        budget: RetryBudget = .default
    ) -> RetryInterceptor {
        RetryInterceptor(policy, budget: budget)
    }
}

private enum RetryKey: CallOptionKey {
    static let defaultValue: RetryPolicy? = nil

    static func isMet(_ value: RetryPolicy?) -> Bool { value.map { $0.retries <= 0 } ?? true }
}

private enum IsIdempotentKey: CallOptionKey {
    static let defaultValue: Bool? = nil

    /// It states a fact about the request, and asks for nothing.
    static func isMet(_ value: Bool?) -> Bool { true }
}

extension CallOptions {
    /// The policy of ``RetryInterceptor`` for this call, such as `.never`; nil for the interceptor's policy.
    public var retry: RetryPolicy? {
        get { self[RetryKey.self] }
        set { self[RetryKey.self] = newValue }
    }

    /// Whether sending the request twice has the same effect as sending it once (RFC 9110 §9.2.2), so that it may be
    /// sent again; nil to decide by its method and its `Idempotency-Key`.
    ///
    /// A request that the server cannot have performed, for example because its connection was never made, is sent
    /// again even if this is false.
    public var isIdempotent: Bool? {
        get { self[IsIdempotentKey.self] }
        set { self[IsIdempotentKey.self] = newValue }
    }
}
