import NetworkClient

/// A retry of full strength, as a user of the library writes it.
struct PatientInterceptor: InterceptorProtocol {
    var runsInCallersTask: Bool { true }

    let policy: RetryPolicy

    init(_ policy: RetryPolicy) {
        self.policy = policy
    }

    func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        do {
            return try await next(request)
        } catch {
            return try await sendAgain(request, after: error, next)
        }
    }

    private nonisolated(nonsending) func sendAgain(
        _ request: URLRequest,
        after first: any Error,
        _ next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let context = RequestContext.current
        var (error, shown, retry) = (first, first, 1)
        var earlier: RequestContext.Facts?
        while true {
            let mayBePerformed = context.facts.mayBePerformed(since: earlier)
            earlier = context.facts
            // The caller gets the failure of the server, not the refusal of a later attempt.
            if !(error is CircuitOpenError || error is QueueFullError) { shown = error }
            guard retry <= policy.retries, let cause = cause(of: error),
                !mayBePerformed || isRepeatable(request), request.httpBodyStream == nil || request.bodySource != nil,
                let seconds = wait(beforeRetry: retry, after: error, context)
            else {
                context.record(.decision, "PatientInterceptor: gives up")
                throw shown
            }
            context.log(.retried(after: seconds, cause: cause), of: request)
            try await context.wait(seconds: seconds, before: request, "PatientInterceptor, after \(cause)")
            do {
                return try await context.sendingAgain(retry: retry) { try await next(request) }
            } catch let failure {
                error = failure
            }
            retry += 1
        }
    }

    /// The failure in words; nil if another attempt would not avoid it.
    private func cause(of error: any Error) -> String? {
        switch error {
        case NetworkClient.Error.apiError(let response, _):
            policy.statuses.contains(response.status) ? "response \(response.statusCode)" : nil
        case NetworkClient.Error.requestError(let failure):
            policy.reasons.contains(failure.reason) ? failure.reason.description : nil
        case let failure as AuthenticationError: failure.underlying.flatMap(NetworkClient.Error.init).flatMap(cause)
        default: nil
        }
    }

    private func isRepeatable(_ request: URLRequest) -> Bool {
        request.method?.isIdempotent == true || request.value(forHTTPHeaderField: "Idempotency-Key") != nil
    }

    /// The seconds of the wait; nil if it would be too long.
    private func wait(beforeRetry retry: Int, after error: any Error, _ context: RequestContext) -> Double? {
        var seconds = policy.backoff.delay(beforeRetry: retry)
        if case NetworkClient.Error.apiError(let response, _) = error,
            let asked = response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init)
        {
            guard asked <= policy.maximumServerWait else { return nil }
            seconds = max(seconds, asked)
        }
        if let remaining = context.remainingTime, seconds >= remaining { return nil }
        return seconds
    }
}
