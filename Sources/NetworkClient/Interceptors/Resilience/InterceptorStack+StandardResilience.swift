extension InterceptorProtocol where Self == InterceptorStack {
    /// The usual interceptors against failing and slow servers, with the usual numbers: a deadline of 30 s for a call,
    /// retries, at most 1,000 requests in flight, a circuit breaker for each origin, and 10 s for each attempt.
    ///
    /// ```swift
    /// let client = NetworkClient(interceptors: [.standardResilience, .logging()])
    /// ```
    public static var standardResilience: InterceptorStack {
        standardResilience(1_000, .client, 30, .default, .default, .init(), 10)
    }

    /// The usual interceptors against failing and slow servers, in the usual order, with other numbers.
    ///
    /// ```swift
    /// let client = NetworkClient(interceptors: [
    ///     try .standardResilience(deadline: 60), .logging(),
    /// ])
    /// ```
    /// From the outside in: a deadline for the call, retries, a limit of the requests in flight, a circuit breaker for
    /// each origin, and a wait timeout for each attempt. The deadline includes the wait in the queue; a request that
    /// waits for a retry isn't in flight.
    ///
    /// - Parameters:
    ///   - concurrency: The maximum number of requests in flight, at least 1; further requests wait. Nil for no limit.
    ///   - scope: The requests that are counted together: with ``LimitScope/host``, a slow host does not delay others.
    ///   - deadline: How many seconds a call may take, more than 0; ``CallOptions/deadline`` overrides it. Left out,
    ///     30, or the wait timeout if that is longer.
    ///   - retry: The policy of the retries; ``CallOptions/retry`` overrides it.
    ///   - retryBudget: The limit of the retries to each origin, with a reserve of at least 1 if there are retries.
    ///   - circuitBreaker: The numbers of the circuit breaker. Left out, its usual ones, with a window of at least two
    ///     wait timeouts.
    ///   - waitTimeout: How many seconds each attempt may wait: more than 0, at most the deadline, and at most half
    ///     the window of the circuit breaker. Left out, 10, or the longest that these allow.
    /// - Returns: The interceptors as one.
    /// - Throws: ``InterceptorStack/NumbersError`` if a number is out of range, or contradicts another.
    public static func standardResilience(
        concurrency: Int? = 1_000,
        per scope: LimitScope = .client,
        deadline: TimeInterval? = nil,
        retry: RetryPolicy = .default,
        retryBudget: RetryBudget = .default,
        circuitBreaker: CircuitBreakerInterceptor.Thresholds? = nil,
        waitTimeout: TimeInterval? = nil
    ) throws -> InterceptorStack {
        let longestWait = min(deadline ?? .infinity, (circuitBreaker?.window ?? .infinity) / 2)
        let waitTimeout = waitTimeout ?? min(10, longestWait)
        let deadline = deadline ?? max(30, waitTimeout)
        let circuitBreaker = circuitBreaker ?? .init(window: max(30, 2 * waitTimeout))
        let complaint = complaint(concurrency, deadline, retry, retryBudget, circuitBreaker, waitTimeout)
        if let complaint { throw InterceptorStack.NumbersError(complaint) }
        return standardResilience(concurrency, scope, deadline, retry, retryBudget, circuitBreaker, waitTimeout)
    }

    private static func standardResilience(
        _ concurrency: Int?,
        _ scope: LimitScope,
        _ deadline: TimeInterval,
        _ retry: RetryPolicy,
        _ retryBudget: RetryBudget,
        _ circuitBreaker: CircuitBreakerInterceptor.Thresholds,
        _ waitTimeout: TimeInterval
    ) -> InterceptorStack {
        let limits: [any InterceptorProtocol] = concurrency.map { [.concurrencyLimit($0, per: scope)] } ?? []
        return InterceptorStack(
            [.deadline(deadline), .retry(retry, budget: retryBudget)] + limits + [
                .circuitBreaker(circuitBreaker),
                .waitTimeout(waitTimeout),
            ]
        )
    }

    /// Returns what is wrong with the numbers, without the full stop; nil if they are valid.
    private static func complaint(
        _ concurrency: Int?,
        _ deadline: TimeInterval,
        _ retry: RetryPolicy,
        _ budget: RetryBudget,
        _ breaker: CircuitBreakerInterceptor.Thresholds,
        _ waitTimeout: TimeInterval
    ) -> String? {
        if let concurrency, concurrency < 1 {
            return "with at most \(concurrency) requests in flight, none could be sent"
        }
        // Comparisons with NaN are false.
        guard deadline > 0, deadline < .infinity else {
            return "a deadline of \(deadline) s is not valid"
        }
        guard waitTimeout > 0, waitTimeout < .infinity else {
            return "a wait timeout of \(waitTimeout) s is not valid"
        }
        guard waitTimeout <= deadline else {
            return "the wait timeout of \(waitTimeout.inWords) is longer than the deadline of \(deadline.inWords)"
        }
        guard retry.retries >= 0 else {
            return "a request cannot be sent again \(retry.retries) times"
        }
        guard retry.retries == 0 || budget.reserve >= 1 else {
            return "a retry budget with a reserve of \(budget.reserve) would allow no retry"
        }
        guard breaker.failureRatio > 0 else {
            return "a circuit breaker with a failure ratio of 0 would open at a single failure"
        }
        guard breaker.window >= 2 * waitTimeout else {
            return "the window of the circuit breaker, \(breaker.window.inWords), is shorter than two wait timeouts of "
                + "\(waitTimeout.inWords)"
        }
        return nil
    }
}

extension InterceptorStack {
    /// The error for numbers of a stack that are out of range, or contradict each other.
    public struct NumbersError: Swift.Error, Sendable, Hashable {
        private let complaint: String

        fileprivate init(_ complaint: String) {
            self.complaint = complaint
        }
    }
}

extension InterceptorStack.NumbersError: DescribedError {
    /// One sentence that names the numbers.
    public var description: String { "The numbers of the resilience stack are invalid: \(complaint)." }
}
