/// What follows a failed attempt.
enum RetryDecision: Equatable {
    /// Another attempt, after a wait in seconds.
    case sendAgain(after: TimeInterval, cause: String)
    /// No other attempt, although the failure may pass.
    case giveUp(String)
    /// No other attempt: the failure is not one that may pass, or the policy has no retries.
    case rethrow
}

/// An attempt that has failed, with what is needed to decide whether there is another one.
struct FailedAttempt {
    let request: URLRequest
    var error: any Error
    /// How often the request has been sent again.
    var retries = 0
    /// What the call says about the request; nil to judge by its method and its `Idempotency-Key`.
    var isIdempotent: Bool?
    /// Whether a server may have performed something of the attempt: the request itself, the one that a redirect
    /// followed, or that of the identical call whose exchange failed.
    var mayBePerformed = false
    /// The seconds until the deadline of the call; nil if there is none.
    var remainingTime: TimeInterval?
    /// The wall clock.
    var now: @Sendable () -> Date = { Date() }

    /// Whether the body can be sent a second time.
    private var hasReplayableBody: Bool { request.httpBodyStream.map { $0 is BodyInputStream } ?? true }

    /// Whether a second request has no other effect than one (RFC 9110 §9.2.2).
    private var isRepeatable: Bool { wasNeverPerformed || request.isIdempotent(asSpecified: isIdempotent) }

    /// Whether the server cannot have performed the request: no byte of it has reached the server, or its credential
    /// was refused.
    private var wasNeverPerformed: Bool {
        if let error = error as? AuthenticationError { return error.reason == .refreshFailed && !mayBePerformed }
        guard case NetworkClient.Error.requestError(let error) = error else { return false }
        return !mayBePerformed && error.showsThatNothingWasSent
    }

    /// Whether an interceptor refused the request, which shows nothing about the attempts before.
    var isRefusal: Bool {
        if case NetworkClient.Error.requestError(let error) = error { return error.localWait == .rateLimit }
        return error is CircuitOpenError || error is QueueFullError
    }

    /// What a person reads about the failure.
    private var cause: String {
        switch error {
        case NetworkClient.Error.apiError(let response, _): "response \(response.statusCode)"
        case NetworkClient.Error.requestError(let error): error.reason.description
        case let error as AuthenticationError: error.reason.description
        default: "\(type(of: error))"
        }
    }

    /// Decides by the rules of a policy; the budget of the host is not part of it.
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
        if case NetworkClient.Error.apiError(let received, _) = error { response = received }
        let status = response?.statusCode
        let delay = policy.backoff.delay(beforeRetry: retries + 1, isThrottled: status == 429 || status == 503)
        let asked = response.flatMap { ServerDelay.seconds(in: $0, now: now) } ?? 0
        let limit = Seconds.wait(policy.maximumServerWait)
        guard asked <= limit else {
            return .giveUp("the server asks for a wait of \(asked) s, and the policy allows \(limit) s")
        }
        let wait = max(delay, asked)
        if let remainingTime, wait >= remainingTime {
            return .giveUp("a wait of \(wait) s would pass the deadline")
        }
        return .sendAgain(after: wait, cause: asked > delay ? "\(cause), for as long as the server asks" : cause)
    }
}

extension URLRequest {
    /// Whether a second request has no other effect than one (RFC 9110 §9.2.2): as the call specifies, otherwise by the
    /// method or an `Idempotency-Key`.
    fileprivate func isIdempotent(asSpecified specified: Bool?) -> Bool {
        if let specified { return specified }
        return method?.isIdempotent == true || value(forHTTPHeaderField: "Idempotency-Key")?.isEmpty == false
    }
}
