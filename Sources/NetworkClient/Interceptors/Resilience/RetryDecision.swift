/// The decision after a failed attempt.
enum RetryDecision: Equatable {
    /// Another attempt, after a wait in seconds.
    case sendAgain(after: TimeInterval, cause: String)
    /// No other attempt, although the failure may be temporary.
    case giveUp(String)
    /// No other attempt, because the failure is permanent, or the policy has no retries.
    case rethrow
}

/// A failed attempt, with the data for the decision whether to make another one.
struct FailedAttempt {
    let request: URLRequest
    var error: any Error
    /// The number of times that the request has been sent again.
    var retries = 0
    /// The call's own setting; nil to decide by the request's method and its `Idempotency-Key`.
    var isIdempotent: Bool?
    /// Whether a server may have performed a request of the attempt: the first one, one that followed a redirect, or
    /// the request of another call whose exchange this one shared.
    var mayBePerformed = false
    /// The seconds until the deadline of the call; nil if there is none.
    var remainingTime: TimeInterval?
    var time: any TimeSource = SystemTimeSource()

    /// Whether the body can be sent a second time.
    private var hasReplayableBody: Bool { request.httpBodyStream.map { $0 is BodyInputStream } ?? true }

    /// Whether two requests have the same effect as one (RFC 9110 §9.2.2).
    private var isRepeatable: Bool { wasNeverPerformed || request.isIdempotent(asSpecified: isIdempotent) }

    /// Whether the server cannot have performed the request: no byte of it has reached the server, or its credential
    /// was refused.
    private var wasNeverPerformed: Bool {
        if let error = error as? AuthenticationError { return error.failureOfRefresh != nil && !mayBePerformed }
        guard case NetworkClient.Error.requestError(let error) = error else { return false }
        return !mayBePerformed && error.showsThatNothingWasSent
    }

    /// Whether an interceptor refused the request, which says nothing about earlier attempts.
    var isRefusal: Bool {
        if case NetworkClient.Error.requestError(let error) = error { return error.localWait == .rateLimit }
        return error is CircuitOpenError || error is QueueFullError
    }

    /// The failure in words, for people.
    private var cause: String { (error as? any OutageError)?.cause ?? "\(type(of: error))" }

    /// Decides by the rules of a policy; the budget is checked elsewhere.
    func decision(by policy: RetryPolicy) -> RetryDecision {
        guard policy.retries > 0, policy.isTransient(error) else {
            return retries > 0 && isRefusal ? .giveUp("the request was refused before it was sent") : .rethrow
        }
        guard retries < policy.retries else { return .giveUp("no retry is left") }
        if isRefusal, case NetworkClient.Error.requestError = error {
            return .giveUp("the rate limit would delay it beyond its deadline")
        }
        guard isRepeatable else { return .giveUp("the request (\(request.httpMethod ?? "GET")) is not idempotent") }
        guard hasReplayableBody else { return .giveUp("the body can be sent only once") }
        var response: HTTPURLResponse?
        if case NetworkClient.Error.apiError(let received, _) = RetryPolicy.failure(behind: error) {
            response = received
        }
        let status = response?.statusCode
        let isThrottled = status == 429 || status == 503
        let (delay, saved) = policy.backoff.wait(beforeRetry: retries + 1, isThrottled: isThrottled)
        let asked = response.flatMap { ServerDelay.seconds(in: $0, on: time) } ?? 0
        let limit = Seconds.wait(policy.maximumServerWait)
        guard asked <= limit else {
            return .giveUp("the server asks for a wait of \(asked.inWords), and the policy allows \(limit.inWords)")
        }
        let least = max(delay, asked)
        if let remainingTime, least >= remainingTime {
            return .giveUp("a wait of \(least.inWords) would use up the \(remainingTime.inWords) that remain")
        }
        // The server may have sent the same time to many callers: the random part spreads their retries after it.
        let spread = asked > delay ? asked + saved : delay
        let wait = spread < remainingTime ?? .infinity ? spread : least
        let reason = asked > delay ? "\(cause), for at least as long as the server asks" : cause
        return .sendAgain(after: wait, cause: reason)
    }
}

extension URLRequest {
    /// Returns whether two requests have the same effect as one (RFC 9110 §9.2.2): by the call's setting, otherwise by
    /// the method or an `Idempotency-Key`.
    fileprivate func isIdempotent(asSpecified specified: Bool?) -> Bool {
        if let specified { return specified }
        return method?.isIdempotent == true || value(forHTTPHeaderField: "Idempotency-Key")?.isEmpty == false
    }
}
