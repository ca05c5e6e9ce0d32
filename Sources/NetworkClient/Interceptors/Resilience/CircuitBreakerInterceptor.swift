/// Stops sending to a server that fails, and tries again after a while.
///
/// ```swift
/// let client = NetworkClient(interceptors: [.retry(), .circuitBreaker()])
/// ```
///
/// Each origin (scheme, host and port) has its own state. When half of at least 20 requests in 30 s have failed, the
/// circuit opens: for 5 s, every request to which no cache responds throws ``CircuitOpenError`` at once. Then one is
/// sent as a probe. If it succeeds, the circuit closes and counts from zero; if it fails, the circuit is open for
/// another 5 s. If the probe is cancelled, or fails for a reason on the client's side, the next request is a probe. If
/// it has not ended after another 5 s, the next request is a second probe, and the success of either closes the
/// circuit. The refresh of a ``TokenSession`` is sent in addition to the probe, which may wait for it.
///
/// Failures are: a status of 500 or more, except 501 and 505; a timeout; a failure of the connection or of its
/// security, and a malformed response. Successes are all other statuses, including 429, which a working server sends
/// (``RateLimitInterceptor`` obeys it). Cancellations, a device without a network, limits and errors on the client's
/// side, a proxy that refuses with a status below 500, a deadline that passes in a queue or during a refresh of the
/// credential, and the errors of other interceptors do not count. An exchange that several calls share counts once. The
/// outcome of a redirected request counts for the origin that it has reached, and the redirect as a success of its own.
///
/// Place it inside a retry, so that it counts attempts. Clients that are created with the same value share its state.
/// The states of the 1,000 most recently used origins are kept.
public struct CircuitBreakerInterceptor: InterceptorProtocol {
    /// True.
    public var runsInCallersTask: Bool { true }

    /// The numbers by which a circuit opens and closes.
    public struct Thresholds: Sendable, Hashable {
        /// The fraction of failed requests at which the circuit opens, from 0 to 1; 0.5 by default, so that a server
        /// which fails one request in five stays in use.
        public let failureRatio: Double

        /// The minimum number of requests in the window, at least 1; 20 by default.
        ///
        /// With fewer requests, the circuit stays closed.
        public let minimumRequests: Int

        /// The number of seconds for which an outcome counts, at least 0.01; 30 by default.
        ///
        /// Outcomes are dropped in steps of a tenth of this time.
        public let window: TimeInterval

        /// The number of seconds for which an open circuit refuses requests before the next probe, and for which it
        /// waits for a probe before it sends another; 5 by default.
        public let openTime: TimeInterval

        /// Creates thresholds; a number outside its range becomes the nearest one in it, and a time is at most a
        /// thousand days.
        public init(
            failureRatio: Double = 0.5,
            minimumRequests: Int = 20,
            window: TimeInterval = 30,
            openTime: TimeInterval = 5
        ) {
            self.failureRatio = min(max(0, failureRatio), 1)
            self.minimumRequests = max(1, minimumRequests)
            self.window = max(0.01, Seconds.wait(window))
            self.openTime = Seconds.wait(openTime)
        }
    }

    private let openTime: TimeInterval
    private let circuits: OriginTable<Locked<Circuit>>

    init(_ thresholds: Thresholds = Thresholds()) {
        openTime = thresholds.openTime
        circuits = OriginTable { Locked(Circuit(thresholds)) }
    }

    /// Passes the request on unless the circuit of its origin is open.
    ///
    /// - Throws: ``CircuitOpenError`` if the circuit is open: without calling `next`, or, in a client with a cache, if
    ///   that does not respond; the errors of `next`, unchanged.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        guard let url = request.url else { return try await next(request) }
        let circuit = circuits.value(for: url)
        guard let ticket = circuit.withLock({ $0.admitIfClosed() }) else {
            return try await passing(request, circuit, next)
        }
        do {
            let result = try await next(request)
            end(ticket, .init(of: result.response), circuit, request)
            return result
        } catch {
            end(ticket, .init(of: error), circuit, request)
            throw error
        }
    }

    /// Passes on a request whose circuit is not closed: it is refused, or becomes a probe; with a cache, only when it
    /// departs, since the cache may respond in place of the server.
    ///
    /// The accepted head of a probe closes the circuit, since its body may take long.
    private func passing(
        _ request: URLRequest,
        _ circuit: Locked<Circuit>,
        _ next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let (outer, isOfRefresh) = (RequestContext.current, RequestContext.current.isOfRefresh)
        let admit: @Sendable () throws -> Circuit.Ticket = {
            try self.admit(request, circuit, isOfRefresh, outer)
        }
        let admitted = Locked(outer.hasCache ? nil : try admit())
        // Called in the task of the exchange, whose context may be that of no call.
        let heads = HeadObserver(origin: request.url.map { Origin(of: $0) }) {
            if let ticket = admitted.withLock(\.self) { receiveHead(ticket, circuit, request, outer) }
        }
        let result: Result<NetworkClient.ChainResult, any Error>
        do {
            let received = try await outer.observing(heads) {
                try await RequestContext.current.checkingDepartures { _ in
                    // A redirect of the cache may lead to another server.
                    guard outer.facts.redirectedURL == nil, admitted.withLock({ $0 == nil }) else { return }
                    let ticket = try admit()
                    admitted.withLock { $0 = ticket }
                } _: {
                    try await next(request)
                }
            }
            result = .success(received)
        } catch {
            result = .failure(error)
        }
        if let ticket = admitted.withLock(\.self) {
            let outcome: Circuit.Outcome =
                switch result {
                case .success(let result): .init(of: result.response)
                case .failure(let error): .init(of: error)
                }
            end(ticket, outcome, circuit, request)
        }
        return try result.get()
    }

    /// Admits a request as a probe of a circuit that is not closed, or refuses it; a separate function, since it is
    /// rare.
    @inline(never)
    private func admit(
        _ request: URLRequest,
        _ circuit: Locked<Circuit>,
        _ isOfRefresh: Bool,
        _ context: RequestContext
    ) throws -> Circuit.Ticket {
        let (now, origin) = (context.time.now, Self.origin(of: request))
        switch circuit.withLock({ $0.admit(at: now, isOfRefresh: isOfRefresh) }) {
        case .refused(let seconds):
            let error = CircuitOpenError(origin: origin, secondsUntilProbe: seconds)
            context.record(.decision, "CircuitBreakerInterceptor: refused, since \(error.reason)")
            // The call that opened the circuit may have had no log.
            if context.isLogged(), circuit.withLock({ $0.claimsWarning() }) {
                context.log(.noted("the circuit is open: \(error.reason)", type: .warning), of: request)
            }
            throw error
        case .proceeds(let ticket):
            if ticket.isProbe { context.record(.decision, "CircuitBreakerInterceptor: probes '\(origin)'") }
            return ticket
        }
    }

    private func end(
        _ ticket: Circuit.Ticket,
        _ outcome: Circuit.Outcome,
        _ circuit: Locked<Circuit>,
        _ request: URLRequest
    ) {
        let context = RequestContext.current
        let facts = context.facts
        // A shared exchange counts once, for the call that started it; a failure for which a cache responds counts too.
        func counted(_ url: URL?, _ outcome: Circuit.Outcome) -> Circuit.Outcome {
            facts.isShared ? .neutral : facts.coveredFailure(of: url).map { .init(of: $0) } ?? outcome
        }
        var outcome = counted(request.url, outcome)
        let now = context.time.now
        if let url = facts.redirectedURL {
            let reached = counted(url, outcome)
            let change = circuits.value(for: url).withLock { $0.add(reached, at: now) }
            if let change { record(change, Origin(of: url).text, request, circuits.value(for: url), context) }
            // The server of the request has responded, with the redirect.
            if outcome == .failure, facts.coveredFailure(of: request.url) == nil { outcome = .success }
        }
        guard let change = circuit.withLock({ $0.end(ticket, outcome, at: now) }) else { return }
        record(change, Self.origin(of: request), request, circuit, context)
    }

    private func receiveHead(
        _ ticket: Circuit.Ticket,
        _ circuit: Locked<Circuit>,
        _ request: URLRequest,
        _ context: RequestContext
    ) {
        let now = context.time.now
        guard let change = circuit.withLock({ $0.receiveHead(ticket, .success, at: now) }) else { return }
        record(change, Self.origin(of: request), request, circuit, context)
    }

    /// Tells a change in the journey and in the log, of which each opening has one warning.
    @inline(never)
    private func record(
        _ change: Circuit.Change,
        _ origin: String,
        _ request: URLRequest,
        _ circuit: Locked<Circuit>,
        _ context: RequestContext
    ) {
        let reason =
            switch change {
            case .closed: "closes, since the probe of '\(origin)' succeeded"
            case .reopened: "opens for \(openTime.inWords), since the probe of '\(origin)' failed"
            case .opened(let failures, let total):
                "opens for \(openTime.inWords), since \(failures) of \(total) requests to '\(origin)' failed"
            }
        context.record(.decision, "CircuitBreakerInterceptor: \(reason)")
        guard context.isLogged() else { return }
        let isWarning = change == .closed || circuit.withLock { $0.claimsWarning() }
        context.log(.noted("the circuit \(reason)", type: isWarning ? .warning : .debug), of: request)
    }

    private static func origin(of request: URLRequest) -> String {
        request.url.map { Origin(of: $0).text } ?? ""
    }
}

/// Sees the heads with which one origin responds in success: other statuses may not be the outcome, such as that of a
/// redirect or of a credential that is replaced.
private struct HeadObserver: ExchangeObserver {
    let origin: Origin?
    let onSuccess: @Sendable () -> Void

    func willSend(_ request: URLRequest, number: Int) -> ExchangeObservation? {
        guard request.url.map({ Origin(of: $0) }) == origin else { return nil }
        return ExchangeObservation(onHead: { if 200..<300 ~= $0.statusCode { onSuccess() } }) { _ in }
    }
}

extension Circuit.Outcome {
    init(ofStatus status: Int) {
        self = status >= 500 && status != 501 && status != 505 ? .failure : .success
    }

    /// The outcome of a request with a response; one from a cache tells nothing about the server.
    fileprivate init(of response: HTTPURLResponse) {
        if response.isFromCache { self = .neutral } else { self.init(ofStatus: response.statusCode) }
    }

    /// The outcome of a request that threw an error.
    init(of error: any Error) {
        switch error {
        case NetworkClient.Error.apiError(let response, _): self.init(of: response)
        case NetworkClient.Error.requestError(let failure):
            let isOfThisSide =
                failure.localWait != nil || Self.failuresOfThisSide.contains(failure.reason)
                || failure.proxyStatus.map { $0.rawValue < 500 } == true
            self = isOfThisSide ? .neutral : .failure
        default: self = .neutral
        }
    }

    private static let failuresOfThisSide: Set<TransportError.Reason> = [
        .offline, .tooManyOpenFiles, .bodyTooLarge, .tooManyRedirects, .redirectRefused, .bodyNotReplayable,
        .bodyUnreadable, .fileNotWritten, .invalidRequest, .transportClosed, .unsupported, .notInCache,
    ]
}

extension InterceptorProtocol where Self == CircuitBreakerInterceptor {
    /// An interceptor that stops sending to a server of which half of at least 20 requests fail, for 5 seconds.
    public static var circuitBreaker: CircuitBreakerInterceptor { CircuitBreakerInterceptor() }

    /// An interceptor that stops sending to a server that fails, and tries again after a while; all circuits are closed
    /// at first.
    public static func circuitBreaker(
        _ thresholds: CircuitBreakerInterceptor.Thresholds = .init()
    ) -> CircuitBreakerInterceptor {
        CircuitBreakerInterceptor(thresholds)
    }
}
