/// The cache stands between the credential of a hop and the transport: only there is the person of the hop known.
extension Chain {
    /// Returns what the cache does with the request of a hop, which has its cookies and credentials; nil if the cache
    /// has no part in it.
    ///
    /// Throws ``TransportError/Reason/notInCache``.
    func cached(
        in cache: ResponseCache,
        _ request: URLRequest,
        _ hop: Hop,
        _ attempt: CallAttempt
    ) throws -> CacheDecision? {
        let asked = CacheRequest(
            request,
            persons: hop.credentials.compactMap { credential in
                credential.person.map { (person: $0, field: credential.field.name) }
            },
            refusals: hop.credentials.reduce(into: []) { $0.formUnion($1.refusals) },
            sensitiveHeaders: settings.sensitiveHeaders,
            in: cache
        )
        guard let asked else { return nil }
        return try cache.decision(
            on: asked,
            isWhole: !settings.isTransfer && settings.transportOptions.decodesBody,
            isRepeated: attempt.number > 1,
            sendsConditions: hop.sendsConditions
        )
    }

    /// Returns the response of the cache, which is recorded as what it is, and is no exchange in the log.
    func supplied(
        _ hit: CacheHit,
        _ hop: Hop,
        _ attempt: CallAttempt,
        _ context: RequestContext
    ) throws -> TransportResponse {
        guard let response = hit.transportResponse(to: hop.request) else { throw TransportError(.invalidURL) }
        let decision =
            switch hit.status {
            case .fresh: "ResponseCache: a fresh response"
            case .revalidated: "ResponseCache: a response that the server has confirmed"
            case .staleOnError: "ResponseCache: a response that is not fresh any more, instead of the error"
            default: "ResponseCache: a response that is not fresh any more"
            }
        record.note(.decision, .text(decision))
        record.leaveOutOfLog(.success(hit.response.status), of: attempt.number)
        if let visit = hit.revalidation { revalidate(visit, context.exchangeObservers) }
        return response
    }

    /// Ends the visit of a request; returns its response, or nil if it has to be sent again, now without conditions.
    func received(
        _ visit: CacheVisit,
        _ response: TransportResponse,
        _ hop: inout Hop,
        _ attempt: CallAttempt,
        _ context: RequestContext
    ) throws -> TransportResponse? {
        switch visit.received(response) {
        case .response(let response): return response
        case .hit(let hit): return try supplied(hit, hop, attempt, context)
        case .sendAgain:
            try CallScope.checkCancellation()
            hop.sendsConditions = false
            return nil
        }
    }

    /// Validates a stored response in the background, with the credential of the hop (RFC 5861 §3).
    ///
    /// `cancelAll()` ends it, the caller of the call does not. It has its own record, and stores no cookies, since the
    /// person may have signed out by then.
    private func revalidate(_ visit: CacheVisit, _ observers: [any ExchangeObserver]) {
        var options = settings.transportOptions
        options.exchangeTimeout = Self.revalidationTimeout
        options.streamsBody = false
        let record = CallRecord(record.log, label: record.label, keepsSteps: false, time: record.time)
        let background = BackgroundWork()
        calls.hold(background)
        // Ends with its exchange, or is cancelled by `cancelAll()`.
        background.start { [transport, options] in
            _ = record.attempt(at: record.time.now)
            var request = visit.request
            let recorded = record.hop(&request, observers)
            do {
                let response = try await transport.send(request, options: options)
                _ = visit.received(recorded?.responded(response, isReadByTheCaller: false) ?? response)
            } catch {
                recorded?.failed(error)
                _ = visit.failed(error)
            }
        }
        // An earlier `cancelAll()` did not reach the work.
        if CallScope.isCancelled { background.cancel() }
    }

    /// Seconds.
    private static let revalidationTimeout = 30.0
}

/// Work in a separate task, which keeps this object.
private final class BackgroundWork: Cancellable {
    private struct State {
        /// Cancelled by ``cancel()``; nil before the start.
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let state = Locked(State())

    func start(_ operation: @escaping @Sendable () async -> Void) {
        // Not cancelled with the call. Detached, since it must not have the task-local values of the call.
        let started = Task.detached {
            await operation()
            withExtendedLifetime(self) {}
        }
        let isCancelled = state.withLock { state in
            state.task = started
            return state.isCancelled
        }
        if isCancelled { started.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
