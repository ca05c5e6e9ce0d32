/// What happened in one call, recorded once, where it happens; its journey, log and report are views of this record.
///
///     began → attempt → hop → its response or failure → … → the attempt's → … → the call's → ended
///
/// The log has one rule: an outcome of a hop is always logged, and an outcome of an attempt or of the call only if none
/// of its hops had it. Copies share one record.
struct CallRecord: Sendable {
    private struct State {
        var request: URLRequest?
        var journey = CallJourney.Draft()
        /// The number of attempts.
        var attempts = 0
        /// The number of requests that were passed to the transport, if hops are recorded.
        var requests = 0
        /// The number of these of which no byte reached a server.
        var unsent = 0
        /// The logged outcomes: of hops and exchanges with their attempt's number, of attempts and the call with 0.
        var logged: [(attempt: Int, outcome: Outcome)] = []
        /// The head of the response of the call, accepted or not.
        var head: ResponseHead?
        /// The state of the chain, which the record does not read.
        var call = CallState()
    }

    /// How a hop, an attempt or a call ended, as far as the log tells outcomes apart.
    private enum Outcome: Equatable {
        case response(Int)
        case failure
        case cancellation

        init(_ stage: NetworkLogEvent.Stage) {
            switch stage {
            case .received(let response, _): self = .response(response.statusCode)
            case .failed(is CancellationError): self = .cancellation
            default: self = .failure
            }
        }
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

    /// Reads or changes the state of the chain, which has the lock of the record: another one would cost each call an
    /// allocation.
    func withState<Result>(_ body: (inout CallState) -> Result) -> Result { state.withLock { body(&$0.call) } }

    // MARK: - Attempts and hops

    /// Records the request, without its body, which would stay in memory as long as the response.
    func began(_ request: URLRequest) {
        guard observers != nil else { return }
        state.withLock { $0.request = request.withoutBody }
    }

    /// Records that an attempt begins, which may change the state of the chain; returns its number, from 1.
    func attempt(at now: Double, _ change: (inout CallState) -> Void = { _ in }) -> Int {
        state.withLock { state in
            state.attempts += 1
            change(&state.call)
            if keepsSteps {
                state.journey.append(.init(time: now - start, kind: .attempt, number: Double(state.attempts)))
            }
            return state.attempts
        }
    }

    /// Records that a request is passed to the transport, with the fields of its observers; nil if it is neither logged
    /// nor observed.
    func hop(_ request: inout URLRequest, _ observers: [any ExchangeObserver]) -> HopRecord? {
        guard log != nil || !observers.isEmpty else { return nil }
        let (attempt, number) = state.withLock { state in
            state.requests += 1
            return (state.attempts, state.requests)
        }
        let observations = observers.compactMap { $0.willSend(request, number: number) }
        // One change, since each copies all fields.
        let fields = observations.flatMap(\.fields)
        if !fields.isEmpty { request.set(headers: fields) }
        log?.report(request, .sent, attempt: attempt)
        return HopRecord(
            record: self,
            request: request,
            attempt: attempt,
            start: time.now,
            observations: observations
        )
    }

    /// Adds the outcome of a hop to the log.
    func log(_ stage: @autoclosure () -> NetworkLogEvent.Stage, of hop: HopRecord, length: Int? = nil) {
        guard let log else { return }
        let stage = stage()
        let wasSent = state.withLock { state in
            if stage.showsThatNothingWasSent { state.unsent += 1 }
            state.logged.append((hop.attempt, Outcome(stage)))
            return state.requests > state.unsent
        }
        log.report(hop.request, stage, attempt: hop.attempt, since: hop.start, wasSent: wasSent, length: length)
    }

    /// Adds the failure of an exchange to the log, unless a hop of its attempt has failed in the same way.
    func log(_ error: any Error, of attempt: CallAttempt, _ request: URLRequest) {
        log(request, .init(of: error, request.url), as: attempt.number, inside: attempt)
    }

    /// Adds an outcome to the log, unless a step inside has it: a step of the attempt, or of the last one of the call.
    ///
    /// A shared exchange may fail after its attempt, so what it does is kept apart from the outcome of the attempt.
    private func log(
        _ request: URLRequest,
        _ stage: @autoclosure () -> NetworkLogEvent.Stage,
        as number: Int = 0,
        inside attempt: CallAttempt? = nil
    ) {
        guard let log else { return }
        let stage = stage()
        let (attempts, wasSent, isNews) = state.withLock { state in
            let (outcome, first) = (Outcome(stage), attempt?.number ?? state.attempts)
            let isNews = !state.logged.contains { logged in
                logged.outcome == outcome && (logged.attempt >= first || attempt == nil && logged.attempt == 0)
            }
            if isNews { state.logged.append((number, outcome)) }
            return (state.attempts, state.requests > state.unsent, isNews)
        }
        guard isNews else { return }
        log.report(request, stage, attempt: attempts, since: attempt?.start ?? start, wasSent: wasSent)
    }

    /// Keeps an outcome out of the log that is logged elsewhere, such as by the exchange of several calls.
    func leaveOutOfLog(_ result: Result<Int, any Error>, of attempt: Int = 0) {
        guard log != nil else { return }
        let outcome: Outcome =
            switch result {
            case .success(let status): .response(status)
            case .failure(let error): Outcome(.failed(error))
            }
        state.withLock { $0.logged.append((attempt, outcome)) }
    }

    /// Records that an attempt got a response, unless that is recorded already.
    func responded(_ status: Int) {
        guard keepsSteps else { return }
        note(response: status)
    }

    private func note(response status: Int, at seconds: Double? = nil) {
        let step = CallJourney.Step(time: seconds ?? time.now - start, kind: .response, .none, number: Double(status))
        state.withLock { state in
            if !state.journey.hasResponse { state.journey.append(step) }
        }
    }

    /// Records that an attempt got a response with a status, or failed.
    func ended(_ attempt: CallAttempt, _ request: URLRequest, with result: Result<Int, any Error>) {
        switch result {
        case .success(let status): responded(status)
        case .failure(let error):
            log(request, .init(of: error), inside: attempt)
            if keepsSteps { note(outcome: error) }
        }
    }

    /// Records that the call failed with an error of the client, in whose journey the attempt is missing otherwise.
    func failed(_ error: NetworkClient.Error) {
        let hasBegun = state.withLock { state in
            guard !keepsSteps, state.attempts > 0 else { return false }
            state.journey.insertAttempt()
            return true
        }
        guard hasBegun else { return }
        if let response = error.response { note(response: response.statusCode) } else { note(outcome: error) }
    }

    /// Records that the body of an accepted response has failed, which its attempt does not see.
    func failed(inBodyOf head: ResponseHead, _ error: any Error) {
        if !keepsSteps {
            let received = head.firstByte ?? time.now - start
            state.withLock { $0.journey.insertAttempt() }
            note(response: head.status, at: received)
        }
        note(outcome: error)
    }

    private func note(outcome error: any Error) {
        switch error {
        case NetworkClient.Error.apiError(let response, _): note(response: response.statusCode)
        case NetworkClient.Error.requestError(let error):
            let limit = error.passedLimit.map { ", \($0.sentence)" } ?? ""
            note(.failure, .text(error.reason.description + limit))
        case is CancellationError: note(.failure, .text("cancelled"))
        case let error as any DescribedError: note(.failure, .text(LogRedaction.sensitive.maskedText("\(error)")))
        default: note(.failure, .text("\(type(of: error))"))
        }
    }

    // MARK: - Steps

    /// Adds a step.
    func note(_ kind: CallJourney.Kind, _ detail: CallJourney.Detail = .none, number: Double? = nil) {
        let step = CallJourney.Step(time: time.now - start, kind: kind, detail, number: number)
        state.withLock { $0.journey.append(step) }
    }

    /// Logs what an interceptor does for a request, such as a refresh, which may end after the call.
    func report(_ stage: NetworkLogEvent.Stage, of request: URLRequest) {
        guard let log else { return }
        let (attempts, wasSent) = state.withLock { ($0.attempts, $0.requests > $0.unsent) }
        log.report(request.withoutBody, stage, attempt: attempts, wasSent: wasSent)
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

    // MARK: - The end

    /// Records the response of the call, accepted or not; the error of a mapper is not logged in addition.
    ///
    /// It is logged unless an attempt got it: an interceptor may have made it.
    func responded(
        _ head: ResponseHead,
        _ data: Data,
        to request: URLRequest,
        failingWith error: (any Error)? = nil
    ) {
        guard log != nil || observers != nil else { return }
        state.withLock { $0.head = head }
        log(request, .received(response: head.responseSoFar, data: data))
        if let error { leaveOutOfLog(.failure(error)) }
    }

    /// Records that the call has ended; a stream ends with its body.
    ///
    /// - Parameters:
    ///   - error: The failure; nil for a success.
    ///   - request: The request shown in the log, and in a report if the caller's request could not be made.
    ///   - shown: The error that the caller gets.
    func ended(_ error: (any Error)?, _ request: @autoclosure () -> URLRequest?, as shown: (any Error)? = nil) {
        guard log != nil || observers != nil else { return }
        let (made, head, journey) = state.withLock { state in
            // The head of a refused response refers to this record, which would never be released.
            defer { state.head = nil }
            return (state.request, state.head, state.journey)
        }
        if log != nil, let error, var request = request()?.clearingInstanceCaching() {
            request.url = head?.response.url ?? request.url
            log(request, .init(of: error, request.url))
        }
        guard let observers, let request = made ?? request() else { return }
        let error = shown ?? error
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
}
