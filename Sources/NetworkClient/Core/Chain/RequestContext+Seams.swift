/// What an interceptor may do beside calling `next`: learn what was sent, send again, wait, limit, keep values, report.
extension RequestContext {
    /// Facts about the requests that a call has sent so far.
    ///
    /// ```swift
    /// let context = RequestContext.current
    /// let before = context.facts
    /// // … then, when `next` has failed:
    /// let mayBePerformed = context.facts.mayBePerformed(since: before)
    /// ```
    ///
    /// If attempts overlap, what stands here of the last attempt may be of another one.
    public struct Facts: Sendable {
        /// The number of requests that a server may have performed; nil outside a call.
        let performed: Int?

        /// The URL that the last attempt has reached by redirects, if its origin is not that of the request.
        ///
        /// What an interceptor keeps for a server belongs to the one that was reached.
        public let redirectedURL: URL?

        /// Whether the last attempt has the outcome of another call's exchange.
        public let isShared: Bool

        /// Whether a redirect of the last attempt led to a GET: the server of the first request has performed it.
        public let becameGet: Bool

        let covered: (error: any Error, origin: Origin?)?

        /// Returns whether a server may have performed a request of the call since the earlier facts, or since the call
        /// began: the request itself, or one that followed a redirect.
        ///
        /// False if none has left, since no connection was made or an interceptor refused it, and if the server has
        /// refused the credential. True for the exchange of another call, and outside a call, where nothing is known.
        public func mayBePerformed(since earlier: Facts? = nil) -> Bool {
            guard let performed else { return true }
            return performed > earlier?.performed ?? 0
        }

        /// Returns the failure of a URL's server for which a cache has responded in the last attempt; nil for none.
        public func coveredFailure(of url: URL?) -> (any Error)? {
            guard let covered, covered.origin == url.map({ Origin(of: $0) }) else { return nil }
            return covered.error
        }
    }

    /// The facts as of now: read them before `next`, and after it.
    public var facts: Facts {
        call?.withState { state in
            Facts(
                performed: state.performed,
                redirectedURL: state.reached,
                isShared: state.hasJoined,
                becameGet: state.hasTurnedIntoGet,
                covered: state.covered
            )
        } ?? Facts(performed: nil, redirectedURL: nil, isShared: false, becameGet: false, covered: nil)
    }

    /// Whether the client has a cache, which may respond in place of the server; false for a WebSocket.
    public var hasCache: Bool { call?.cacheStep != nil }

    /// Returns whether the call is logged; with a logger, whether by one that writes the same records to the same
    /// destination.
    public func isLogged(by logger: (any NetworkLogger)? = nil) -> Bool {
        guard let own = call?.record.log?.logger else { return false }
        return logger.map { $0.repeats(own) } ?? true
    }

    /// Returns whether a refused response that `next` has thrown is one of this call: another interceptor may throw the
    /// error of another call.
    public func isOfThisCall(_ response: HTTPURLResponse) -> Bool { call?.isOfThisCall(response) ?? true }

    /// Whether the current task refreshes a token: other requests may wait for the refresh, so that its requests must
    /// not wait in a queue behind them.
    public var isOfRefresh: Bool { SharedWork.isInProgress }

    /// Throws `CancellationError` if the call was cancelled, also by ``NetworkClient/NetworkClient/cancelAll()``, for
    /// an interceptor that computes for long.
    public func checkCancellation() throws { try CallScope.checkCancellation() }

    /// Records that the server has refused the last request without performing it, such as with 415 (RFC 9110
    /// §15.5.16), so that it may be sent again.
    public func recordRefusal() { call?.withState { $0.performed = max(0, $0.performed - 1) } }

    /// Runs an operation, such as the next step of an interceptor, as another attempt of the call.
    ///
    /// - Parameters:
    ///   - retry: How often the interceptor sends the request again, 0 for the first attempt; ``attempt`` inside is
    ///     higher by this number.
    ///   - operation: The operation.
    /// - Returns: The result of the operation.
    /// - Throws: The errors of the operation.
    public nonisolated(nonsending) func sendingAgain<Result>(
        retry: Int = 1,
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await with(attempt: attempt + retry).run(operation)
    }

    /// Runs an operation, such as the next step of an interceptor, with a limit for the time that it waits.
    ///
    /// The limit holds for everything inside that knows the deadline of the call: exchanges, queues, waits, refreshes.
    /// It stands still while the bytes of a transfer move, and does not interrupt the code of other interceptors. The
    /// same limit in the ``CallOptions`` of the call takes its place.
    ///
    /// - Parameters:
    ///   - seconds: The seconds from now; 0 or less sends nothing, and infinity or NaN sets no limit.
    ///   - isForAttempt: Whether it limits one attempt, so that errors name a wait timeout and
    ///     ``CallOptions/attemptTimeout`` takes its place; otherwise it is a deadline, and
    ///     ``CallOptions/deadline`` does.
    ///   - operation: The operation.
    /// - Returns: The result of the operation.
    /// - Throws: The errors of the operation; inside, ``NetworkClient/Error/requestError(type:)`` with the reason
    ///   ``TransportError/Reason/timedOut`` when the limit has passed.
    public nonisolated(nonsending) func limited<Result>(
        to seconds: TimeInterval,
        isForAttempt: Bool = false,
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let isSetByTheCall =
            isForAttempt ? call?.settings.hasAttemptTimeout == true : call?.settings.deadline != nil
        guard !isSetByTheCall else { return try await operation() }
        let limit = CallLimit(isForAttempt ? .wait(seconds) : .deadline(seconds), from: now)
        return try await with(limit).run(operation)
    }

    /// Runs an operation, such as the next step of an interceptor, whose requests are checked when they depart.
    ///
    /// Neither a call that joins the exchange of another call nor the validation of a stored response in the background
    /// is checked. Inside `check`, ``current`` may be the context of no call: use the one outside.
    ///
    /// - Parameters:
    ///   - check: Called before each request to the transport to which no cache responds, also one of a redirect and
    ///     one with a replaced credential, and before its credentials are added. An error keeps the request back; a
    ///     cache may respond in place of it.
    ///   - operation: The operation.
    /// - Returns: The result of the operation.
    /// - Throws: The errors of the operation, to which those of `check` belong.
    public nonisolated(nonsending) func checkingDepartures<Result>(
        _ check: @escaping @Sendable (URLRequest) throws -> Void,
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await admitting(check).run(operation)
    }

    /// Waits on the client's clock before a request, and adds the wait to the ``CallJourney``.
    ///
    /// - Parameters:
    ///   - seconds: The seconds; 0 or less for no wait.
    ///   - request: The request that is sent after the wait, which an error names.
    ///   - reason: The reason for the journey.
    /// - Throws: ``NetworkClient/Error/requestError(type:)`` with the reason ``TransportError/Reason/timedOut`` at once
    ///   if the wait would pass the deadline, or if that has passed; `CancellationError` as soon as the call is
    ///   cancelled.
    public nonisolated(nonsending) func wait(
        seconds: TimeInterval,
        before request: URLRequest,
        _ reason: @autoclosure () -> String
    ) async throws {
        let seconds = max(0, seconds)
        if let remainingTime, seconds >= remainingTime { throw timeoutBeforeAttempt(of: request) }
        record(.wait, reason(), number: seconds)
        try await CallScope.sleep(seconds: seconds, on: time)
    }

    /// Waits for something other than the clock, at most until the nearest deadline.
    nonisolated(nonsending) func waiting<Result>(
        for wait: TransportError.LocalWait,
        _ request: URLRequest?,
        _ operation: nonisolated(nonsending) (TimeLimit?) async throws -> Result
    ) async throws -> Result {
        do {
            return try await operation(limit)
        } catch is TimeLimit.Passed {
            guard wait == .credential else { throw timeoutBeforeAttempt(of: request) }
            throw NetworkClient.Error.requestError(type: timeout(of: request, waitingFor: wait))
        }
    }

    /// Adds an event to the log of the call, such as ``NetworkLogEvent/Stage/retried(after:cause:)`` or
    /// ``NetworkLogEvent/Stage/noted(_:type:)``; it may come after the end of the call.
    ///
    /// - Parameters:
    ///   - stage: What happens.
    ///   - request: The request for which it happens; its body is left out.
    public func log(_ stage: @autoclosure () -> NetworkLogEvent.Stage, of request: URLRequest) {
        guard let record = call?.record, record.log != nil else { return }
        record.report(stage(), of: request)
    }

    /// Returns the value that the call keeps for a type, which is the same in every attempt.
    ///
    /// The value is made on its first use; outside a call, it is made each time. All instances of an interceptor share
    /// it: use a private type for each value.
    public func kept<Owner, Value: Sendable>(for owner: Owner.Type, _ make: () -> Value) -> Value {
        guard let call else { return make() }
        let key = ObjectIdentifier(owner)
        if let known = call.withState({ $0.kept(for: key) }) { return known as? Value ?? make() }
        let made = make()
        // Another attempt may have been faster, since attempts can overlap.
        return call.withState { $0.keep(made, for: key) } as? Value ?? made
    }
}

extension RequestContext.Facts: OpaqueValue {
    /// The facts in words, without URLs and errors.
    public var description: String {
        let facts = [
            mayBePerformed() ? "may be performed" : "not performed", redirectedURL == nil ? nil : "redirected",
            isShared ? "shared" : nil, becameGet ? "became GET" : nil, covered == nil ? nil : "from a cache",
        ]
        return facts.compactMap(\.self).joined(separator: ", ")
    }
}
