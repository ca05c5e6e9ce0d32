/// What happened in one call, recorded once, where it happens; its journey, log and report are views of this record.
///
///     began → attempt → hop → head or failed → redirect, wait, decision → … → concluded → ended
///
/// Copies share one record.
struct CallRecord: Sendable {
    private struct State {
        var request: URLRequest?
        var journey = CallJourney.Draft()
        var attempts = 0
        var attemptStart = 0.0
        /// The limit of the last attempt, including its body.
        var limit: CallLimit?
        /// The URL to which the last attempt was redirected, if it has another origin than its request.
        var reached: URL?
        /// The number of hops passed to the transport, by this call or by a shared exchange that it waited for.
        var hops = 0
        /// The last attempt whose request a server may have performed.
        var lastPerformedAttempt = 0
        /// The last attempt that waited for the exchange of another call.
        var lastJoinedAttempt = 0
        /// The last attempt whose response is a step of the journey.
        var lastResponse = 0
        /// The last attempt whose failure is in the log.
        var lastLoggedFailure = 0
        /// Whether the outcome is logged, or will be logged by the shared exchange.
        var isConcluded = false
        /// The head of the accepted response, or of the response in the error.
        var head: ResponseHead?
        /// The last accepted response, which is kept because interceptors see and return only a part of it.
        var last: TransportResponse?
        /// The heads of responses whose streamed bodies were discarded when the request was sent again.
        var givenUpHeads: [HTTPURLResponse] = []
        /// What interceptors keep for all attempts of the call.
        var kept: [(key: ObjectIdentifier, value: any Sendable)] = []
        /// The number of seconds spent transferring bodies, which do not count towards the limits of interceptors.
        var moving = 0.0
        var lastMove: Double?
    }

    /// The log of the call; nil if nothing is logged.
    let log: CallLog?
    let time: any TimeSource
    let start: Double
    /// Whether every step is kept.
    ///
    /// Otherwise the call has one attempt, and the metrics of its response tell when it ended.
    let keepsSteps: Bool
    /// The label of the call; nil if it has none.
    let label: String?
    private let observers: CallObservers?
    private let state: Locked<State>

    init(
        _ log: CallLog? = nil,
        observers: CallObservers? = nil,
        label: String? = nil,
        keepsSteps: Bool,
        time: any TimeSource
    ) {
        self.log = log
        self.observers = observers
        self.label = label
        self.keepsSteps = keepsSteps || observers != nil
        self.time = time
        start = time.now
        state = Locked(State())
    }

    /// Whether both are the record of one call.
    static func === (one: CallRecord, other: CallRecord) -> Bool { one.state.storage === other.state.storage }

    // MARK: - Attempts and hops

    /// Records the request, without its body, which would stay in memory as long as the response.
    func began(_ request: URLRequest) {
        guard observers != nil else { return }
        var request = request
        request.httpBody = nil
        request.httpBodyStream = nil
        state.withLock { $0.request = request }
    }

    /// The limit of the last attempt, which includes the body of its response and its decoding.
    var limit: TimeLimit? { state.withLock { $0.limit }.map { TimeLimit(end: $0.end, on: time) } }

    /// Records that an attempt begins, with the limit that includes its body.
    func attempt(at now: Double, _ limit: CallLimit?) {
        state.withLock { state in
            state.attempts += 1
            state.limit = limit
            state.reached = nil
            state.attemptStart = now
            state.lastMove = nil
            guard keepsSteps else { return }
            state.journey.append(.init(time: now - start, kind: .attempt, number: Double(state.attempts)))
        }
    }

    /// Records a new attempt that sends the request of a hop again, with the limit of the last attempt.
    func attemptAgain() {
        let (limit, reached) = state.withLock { ($0.limit, $0.reached) }
        attempt(at: time.now, limit)
        if reached != nil { state.withLock { $0.reached = reached } }
    }

    /// Records the URL to which a request of the attempt was redirected, or that a shared exchange has reached.
    func reached(_ url: URL?, insteadOf first: URL?) {
        let isOther = url.map { Origin(of: $0) } != first.map { Origin(of: $0) }
        state.withLock { $0.reached = isOther ? url : nil }
    }

    /// The URL to which the last attempt was redirected, if it has another origin than its request; otherwise nil.
    var reached: URL? { state.withLock { $0.reached } }

    /// Whether hops are recorded.
    var isRecording: Bool { keepsSteps || log != nil }

    /// The number of attempts so far.
    var attempts: Int { state.withLock { $0.attempts } }

    /// Returns whether a server may have performed the request of an attempt after this one.
    func mayBePerformed(since attempt: Int) -> Bool { state.withLock { $0.lastPerformedAttempt > attempt } }

    /// Records that a request is passed to the transport.
    func hop(_ request: URLRequest) -> Hop {
        let (attempt, earlier) = state.withLock { state in
            defer { state.lastPerformedAttempt = state.attempts }
            state.hops += 1
            return (state.attempts, state.lastPerformedAttempt)
        }
        guard let log else { return Hop(record: self, request: nil, attempt: attempt, earlier: earlier, start: 0) }
        log.report(request, .sent, attempt: attempt)
        return Hop(record: self, request: request, attempt: attempt, earlier: earlier, start: time.now)
    }

    /// Records that no server can have performed the request of a hop.
    func notPerformed(_ hop: Hop) {
        state.withLock { state in
            if state.lastPerformedAttempt == hop.attempt { state.lastPerformedAttempt = hop.earlier }
        }
    }

    /// Records that the attempt waits for the exchange of an identical call in flight.
    func joined() {
        note(.sharing)
        state.withLock { state in
            state.lastPerformedAttempt = state.attempts
            state.lastJoinedAttempt = state.attempts
        }
    }

    /// Whether the last attempt has the outcome of another call's exchange.
    var hasJoined: Bool { state.withLock { $0.attempts > 0 && $0.lastJoinedAttempt == $0.attempts } }

    /// Leaves logging the outcome to the shared exchange.
    func leaveToTheExchange() {
        if log != nil { state.withLock { $0.isConcluded = true } }
    }

    /// Records that the call has stopped waiting for a shared exchange, which may still fail by itself.
    func stoppedWaiting(_ request: URLRequest, _ error: any Error) {
        guard let log else { return }
        let (attempt, start) = state.withLock { ($0.attempts, $0.attemptStart) }
        log.report(request, .failed(error), attempt: attempt, since: start)
    }

    /// Records that an attempt got a response, unless that is recorded already.
    func responded(_ status: Int) {
        guard keepsSteps else { return }
        let now = time.now
        state.withLock { state in
            guard state.lastResponse < state.attempts || state.attempts == 0 else { return }
            state.lastResponse = state.attempts
            state.journey.append(.init(time: now - start, kind: .response, .none, number: Double(status)))
        }
    }

    /// Returns the error of an attempt or of its body; if it was caused by a time limit, the returned error names the
    /// limit.
    func explained(_ error: any Error, _ request: URLRequest?) -> any Error {
        guard let failure = error as? TransportError, failure.reason == .timedOut,
            let limit = state.withLock({ $0.limit })
        else { return error }
        guard failure.detail != limit.sentence else { return error }
        switch failure.passedLimit {
        case .total?: break
        // A transport's timer may fire up to a millisecond early.
        case nil where limit.end - time.now <= 0.001: break
        default: return error
        }
        if limit.name != .attempt { note(.decision, .text("DeadlineInterceptor: \(limit.sentence)")) }
        return TransportError(
            timeoutIn: failure.localWait,
            request: request,
            detail: limit.sentence,
            underlying: failure
        )
    }

    /// Records that an attempt failed.
    func failed(_ error: any Error) {
        guard keepsSteps else { return }
        switch error {
        case NetworkClient.Error.apiError(let response, _): responded(response.statusCode)
        case NetworkClient.Error.requestError(let error): note(.failure, .text(error.reason.description))
        case is CancellationError: note(.failure, .text("cancelled"))
        case let error as any SelfDescribingError: note(.failure, .text("\(error)"))
        default: note(.failure, .text("\(type(of: error))"))
        }
    }

    /// Records that an exchange failed outside its hops, for example because a redirect is not allowed.
    ///
    /// Logs the failure unless a failure of the attempt is logged already.
    func lost(_ request: URLRequest, _ error: any Error) {
        guard let log else { return }
        let (attempt, start, isNews) = state.withLock { state in
            defer { (state.lastLoggedFailure, state.isConcluded) = (state.attempts, true) }
            return (state.attempts, state.attemptStart, state.lastLoggedFailure < state.attempts)
        }
        if isNews { log.report(request, .init(of: error, request.url), attempt: attempt, since: start) }
    }

    func failed(_ hop: Hop, _ error: any Error) {
        guard let log, let request = hop.request else { return }
        state.withLock { $0.lastLoggedFailure = max($0.lastLoggedFailure, hop.attempt) }
        // A transport may throw the error of another call, for example one that it made itself. It is a failure of this
        // call.
        let error = NetworkClient.Error.wrapping(error, request.url)
        log.report(request, .failed(error), attempt: hop.attempt, since: hop.start)
    }

    // MARK: - Steps

    /// Adds a step.
    func note(_ kind: CallJourney.Kind, _ detail: CallJourney.Detail = .none, number: Double? = nil) {
        let step = CallJourney.Step(time: time.now - start, kind: kind, detail, number: number)
        state.withLock { $0.journey.append(step) }
    }

    /// Records that the request will be sent again after a wait.
    func willRetry(_ request: URLRequest, after seconds: Double, _ cause: String) {
        note(.wait, .text("RetryInterceptor, after \(cause)"), number: seconds)
        log?.report(request, .retried(after: seconds, cause: cause), attempt: attempts)
    }

    /// The journey so far.
    var journey: CallJourney { state.withLock { $0.journey }.journey(label: label) }

    /// Returns the journey of a call with an accepted response; nil if the head of the response suffices to create it.
    func journey(to head: ResponseHead) -> CallJourney? {
        let draft = state.withLock { $0.journey }
        let journey = draft.journey(label: label)
        if keepsSteps { return journey }
        guard !draft.isEmpty || label != nil else { return nil }
        return CallJourney(status: head.status, total: time.now - start, between: journey.steps, label: label)
    }

    // MARK: - Bytes

    /// Records that bytes of the request's body were read to be sent.
    func moved() {
        let now = time.now
        state.withLock { state in
            if let last = state.lastMove { state.moving += max(0, now - last) }
            state.lastMove = now
        }
    }

    /// Adds the time since the head was received to the transfer time.
    func received(since head: Double) {
        let now = time.now
        state.withLock { $0.moving += max(0, now - head) }
    }

    /// The number of seconds spent transferring bodies.
    var moving: Double { state.withLock { $0.moving } }

    // MARK: - Values of interceptors

    func kept(for key: ObjectIdentifier) -> (any Sendable)? {
        state.withLock { state in state.kept.first { $0.key == key }?.value }
    }

    /// Keeps a value unless the key has one already; returns the value that is kept.
    func keep(_ value: any Sendable, for key: ObjectIdentifier) -> any Sendable {
        state.withLock { state in
            if let known = state.kept.first(where: { $0.key == key }) { return known.value }
            state.kept.append((key, value))
            return value
        }
    }

    // MARK: - The end

    /// Sets the last response and discards the previous one, since only the last of several streamed bodies is read.
    func setLast(_ response: TransportResponse?) {
        let previous = state.withLock { state in
            defer { state.last = response }
            if let last = state.last, last.body.isStreamed { state.givenUpHeads.append(last.response) }
            return state.last
        }
        if let previous, previous.body.isStreamed { previous.body.channel.cancel() }
    }

    /// Returns the metrics of the last response; nil if it is another response.
    func metrics(of response: HTTPURLResponse) -> TransportMetrics? {
        let last = state.withLock { $0.last }
        return last?.response === response ? last?.metrics : nil
    }

    /// Returns the last response, which now belongs to the caller, and the heads of the discarded responses.
    func takeLast() -> (last: TransportResponse?, givenUpHeads: [HTTPURLResponse]) {
        state.withLock { state in
            defer { state.last = nil }
            return (state.last, state.givenUpHeads)
        }
    }

    /// Records that the call got a response that it accepts.
    func accepted(_ head: ResponseHead) {
        if observers != nil { state.withLock { $0.head = head } }
    }

    /// Records the outcome of the call, before a mapper changes its error.
    ///
    /// It is logged only if there was no hop: an interceptor responded or failed, or the request could not be sent.
    func concluded(_ request: URLRequest, _ stage: @autoclosure () -> NetworkLogEvent.Stage) {
        guard let log else { return }
        let isNews = state.withLock { state in
            defer { state.isConcluded = true }
            return !state.isConcluded && state.hops == 0
        }
        if isNews { log.report(request, stage(), attempt: 1, since: start, wasSent: false) }
    }

    /// Records that the body of the response could not be decoded.
    func undecodable(_ response: TransportResponse, to request: URLRequest, _ error: any Error) {
        guard let log else { return }
        var request = request.clearingInstanceCaching()
        request.url = response.response.url ?? request.url
        let (attempts, hops) = state.withLock { ($0.attempts, $0.hops) }
        log.report(request, .failed(error), attempt: attempts, since: start, wasSent: hops > 0)
    }

    /// Records that the call has ended; a stream ends with its body.
    func ended(_ error: (any Error)?, unmade: @autoclosure () -> URLRequest? = nil) {
        guard let observers else { return }
        let (request, head, journey) = state.withLock { state in
            // The head of a refused response refers to this record.
            defer { state.head = nil }
            return (state.request, state.head, state.journey)
        }
        guard let request = request ?? unmade() else { return }
        let responded = error as? any RespondedError
        let refused = responded?.response.map { ResponseHead($0) }
        observers.report(
            CallReport(
                request: request,
                error: responded?.keeping(bytes: CallReport.longestBody) ?? error,
                journey: journey.journey(label: label),
                duration: time.now - start,
                head: refused ?? head
            )
        )
    }

    /// Records a response that the call does not accept, or that belongs to an error.
    func refused(_ response: HTTPURLResponse) {
        if observers != nil {
            state.withLock { $0.head = ResponseHead(response, metrics: response.metrics) }
        }
    }
}
