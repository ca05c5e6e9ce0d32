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
            separatesCookies: cache.separatesCookies
        ) { cache.isCredential($0, settings.sensitiveHeaders) }
        guard let asked else { return nil }
        let options = settings.transportOptions
        return try cache.decision(
            on: asked,
            at: record.time.now,
            isWhole: !options.streamsBody && options.decodesBody,
            isRepeated: attempt.number > 1,
            sendsConditions: hop.sendsConditions
        )
    }

    /// Returns the response of the cache, which is recorded as what it is, and is no exchange in the log.
    func supplied(_ hit: CacheHit, _ hop: Hop, _ attempt: CallAttempt) -> TransportResponse {
        let decision =
            switch hit.status {
            case .fresh: "ResponseCache: a fresh response"
            case .revalidated: "ResponseCache: a response that the server has confirmed"
            case .staleOnError: "ResponseCache: a response that is not fresh any more, instead of the error"
            default: "ResponseCache: a response that is not fresh any more"
            }
        record.note(.decision, .text(decision))
        record.leaveOutOfLog(.success(hit.response.status), of: attempt.number)
        if let visit = hit.revalidation { revalidate(visit, hop) }
        return hit.transportResponse
    }

    /// Records the failure of a request; returns the stored response that stands for its response, or nil.
    func failed(_ error: any Error, _ recorded: HopRecord?, _ visit: CacheVisit?) -> CacheHit? {
        recorded?.failed(error)
        return visit?.failed(error, at: record.time.now)
    }

    /// Ends the visit of a request; returns its response, or nil if it has to be sent again, now without conditions.
    func received(
        _ visit: CacheVisit,
        _ response: TransportResponse,
        _ hop: inout Hop,
        _ attempt: CallAttempt
    ) -> TransportResponse? {
        switch visit.received(response, at: record.time.now) {
        case .response(let response): return response
        case .hit(let hit): return supplied(hit, hop, attempt)
        case .sendAgain:
            hop.sendsConditions = false
            return nil
        }
    }

    /// Validates a stored response in the background, with the credential of the hop (RFC 5861 §3).
    ///
    /// `cancelAll()` ends it, the caller of the call does not. It is logged as a hop of the call.
    private func revalidate(_ visit: CacheVisit, _ hop: Hop) {
        var options = settings.transportOptions
        options.exchangeTimeout = Self.revalidationTimeout
        let background = BackgroundWork()
        // Ends with its exchange, or is cancelled by `cancelAll()`.
        background.start { [self, options] in
            let recorded = record.hop(visit.request)
            do {
                let response = try await transport.send(visit.request, options: options)
                _ = visit.received(noted(response, recorded, hop), at: record.time.now)
            } catch {
                _ = failed(error, recorded, visit)
            }
        }
        calls.hold(background)
        // An earlier `cancelAll()` did not reach the work.
        if CallScope.isCancelled { background.cancel() }
    }

    /// Seconds.
    private static let revalidationTimeout = 30.0
}

/// Work in a separate task, which keeps this object.
private final class BackgroundWork: Cancellable {
    /// Cancelled by ``cancel()``; nil before the start.
    private let task = Locked<Task<Void, Never>?>(nil)

    func start(_ operation: @escaping @Sendable () async -> Void) {
        // Not cancelled with the call. Detached, since it must not have the task-local values of the call.
        let started = Task.detached {
            await operation()
            withExtendedLifetime(self) {}
        }
        task.withLock { $0 = started }
    }

    func cancel() { task.withLock { $0 }?.cancel() }
}
