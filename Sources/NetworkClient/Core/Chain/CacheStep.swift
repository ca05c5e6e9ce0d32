/// Asks the cache for the response to each request, and gives it the server's.
///
/// It stands before the credentials: the person of a session is known without waiting, and a credential is fetched only
/// for a request that departs.
struct CacheStep: HopStep {
    let cache: ResponseCache

    nonisolated(nonsending) func prepare(_ hop: inout Hop, _ chain: Chain) async throws -> TransportResponse? {
        guard chain.cacheStep != nil else { return nil }
        // The request is sent again with another credential.
        hop.forwarded?.leave()
        hop.forwarded = nil
        guard let asked = try await request(of: &hop, chain) else { return nil }
        let decision = try cache.decision(
            on: asked,
            isWhole: !chain.settings.isTransfer && chain.settings.transportOptions.decodesBody,
            isRepeated: hop.attempt.number > 1,
            sendsConditions: hop.sendsConditions,
            on: chain.record.time
        )
        switch decision {
        case .hit(let hit)?: return try supplied(hit, hop, chain)
        case .forward(let forwarded)?: (hop.forwarded, hop.sent) = (forwarded, forwarded.request)
        case nil: break
        }
        return nil
    }

    nonisolated(nonsending) func received(
        _ response: TransportResponse,
        _ hop: inout Hop,
        _ chain: Chain
    ) async throws -> TransportResponse? {
        guard let forwarded = hop.forwarded else { return response }
        hop.forwarded = nil
        switch forwarded.received(response, for: hop.persons, on: chain.record.time) {
        case .response(let response): return response
        case .hit(var hit):
            if hit.status == .staleOnError {
                hit.covered = NetworkClient.Error.apiError(response: response.response, data: Data())
            }
            return try supplied(hit, hop, chain)
        case .sendAgain:
            try CallScope.checkCancellation()
            hop.sendsConditions = false
            return nil
        }
    }

    func failed(_ error: any Error, _ hop: inout Hop, _ chain: Chain) throws -> TransportResponse? {
        let hit = hop.forwarded?.failed(error, mayBePerformed: hop.mayBePerformed, on: chain.record.time)
        hop.forwarded = nil
        return try hit.map { try supplied($0, hop, chain) }
    }

    /// Returns the request as the cache reads it, with its persons or its credentials; nil if it has no URL.
    private nonisolated(nonsending) func request(of hop: inout Hop, _ chain: Chain) async throws -> CacheRequest? {
        var sent = hop.sent
        let (persons, refusals) = try await hop.addKnownCredentials(to: &sent)
        return CacheRequest(
            sent,
            persons: persons,
            refusals: refusals,
            sensitiveHeaders: chain.settings.sensitiveHeaders,
            in: cache
        )
    }

    /// Returns the response of the cache; the journey tells its origin, and the log has no exchange for it.
    private func supplied(_ hit: CacheHit, _ hop: Hop, _ chain: Chain) throws -> TransportResponse {
        guard let response = hit.transportResponse(to: hop.request) else { throw TransportError(.invalidURL) }
        let covered = hit.covered.map { NetworkClient.Error.wrapping($0, hop.request.url) }
        if let covered {
            let origin = hop.request.url.map { Origin(of: $0) }
            chain.withState { $0.covered = (covered, origin) }
        }
        let decision =
            switch hit.status {
            case .fresh: "ResponseCache: a fresh response"
            case .revalidated: "ResponseCache: a response that the server has confirmed"
            case .staleOnError:
                "ResponseCache: a response that is not fresh any more, instead of the error: "
                    + ((covered as? any OutageError)?.cause ?? "")
            default: "ResponseCache: a response that is not fresh any more"
            }
        chain.record.note(.decision, .text(decision))
        chain.record.leaveOutOfLog(.success(hit.response.status), of: hop.attempt.number)
        if let forwarded = hit.revalidation { revalidate(forwarded, hop, chain) }
        return response
    }

    /// Validates a stored response in the background (RFC 5861 §3), with a credential of the same person.
    ///
    /// `cancelAll()` ends it, the caller of the call does not. It has its own record, and stores no cookies, since the
    /// person may have signed out by then.
    private func revalidate(_ forwarded: ForwardedRequest, _ hop: Hop, _ chain: Chain) {
        let background = BackgroundWork()
        chain.calls.hold(background)
        let inner = chain.inBackground
        // Ends with its exchange, or is cancelled by `cancelAll()`.
        background.start {
            let (record, now) = (inner.record, inner.record.time.now)
            let limit = TimeLimit(seconds: Self.revalidationTimeout, on: record.time)
            let attempt = CallAttempt(number: record.attempt(at: now), start: now, limit: limit)
            let context = hop.context.withoutLimits.serving(inner)
            var validation = Hop(forwarded.request, attempt, context, hasLeft: hop.hasLeft)
            validation.credentials = hop.credentials
            do {
                let response = try await inner.send(&validation)
                _ = forwarded.received(response, for: validation.persons, on: record.time)
            } catch {
                _ = forwarded.failed(error, mayBePerformed: validation.mayBePerformed, on: record.time)
            }
        }
        // An earlier `cancelAll()` did not reach the work.
        if CallScope.isCancelled { background.cancel() }
    }

    /// Seconds.
    private static let revalidationTimeout = 30.0
}

extension Chain {
    /// The position of the cache among the steps; nil without one, and for a WebSocket, which a stored response can't
    /// open, and which it does not show to be refused.
    var cacheStep: Int? { settings.opening == nil ? steps.firstIndex { $0 is CacheStep } : nil }

    /// A chain for requests in the background: with its own record, and only the steps after the cache.
    fileprivate var inBackground: Chain {
        let own = CallRecord(record.log, label: record.label, keepsSteps: false, time: record.time)
        // A call that reports its progress streams its body.
        var settings = settings
        settings.transportOptions.streamsBody = false
        let state = withState(\.self)
        own.withState { $0.keepAll(of: state) }
        return Chain(
            interceptors: [],
            transport: transport,
            sharing: sharing,
            settings: settings,
            calls: calls,
            mapper: mapper,
            record: own,
            steps: Array(steps.drop { !($0 is CacheStep) }.dropFirst())
        )
    }
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
