#if os(Linux)
import CCurl
import Synchronization

/// One exchange over libcurl: the context of the callbacks of its transfer.
///
/// Timeouts and cancellation end the caller's wait at once; the engine stops the transfer later.
final class CurlExchange: Expiring {
    let transfer: CurlTransfer
    let handle: CurlHandle
    /// The engine that drives the transfer.
    let place: CurlEngines.Place
    /// The part in the handshake with the origin; nil if the exchange shares no connection.
    let part: Handshakes.Part?
    /// Whether the body of the response is streamed.
    let isStreamed: Bool
    /// Whether the body of the request is a sequence, whose elements may have to be awaited, or that of a WebSocket.
    let asksSequence: Bool
    /// Whether the head of the response has an effect when it arrives: a streamed body begins, or a sequence may end.
    let needsHead: Bool
    let idleTimeout: UInt64
    let connectTimeout: TimeInterval
    /// The limit of the exchange, if there is one.
    private let total: PassedLimit
    /// The time at which the exchange has exceeded its total time, in nanoseconds.
    let end: UInt64
    let state: Locked<CurlExchangeState>
    private let slotNumber = Atomic(-1)
    /// The handshakes in which the exchange is the first one; nil for any other.
    private let handshakes: Handshakes?

    init(
        _ transfer: CurlTransfer,
        _ handle: CurlHandle,
        _ place: CurlEngines.Place,
        _ part: Handshakes.Part?,
        of transport: CurlTransport,
        _ options: TransportOptions
    ) {
        (self.transfer, self.handle, self.place, self.part) = (transfer, handle, place, part)
        handshakes = part?.isFirst == true ? transport.slots.handshakes : nil
        let body = transfer.body?.content
        isStreamed = options.streamsBody
        if case .sequence = body { asksSequence = true } else { asksSequence = transfer.handshake != nil }
        needsHead = asksSequence || isStreamed
        let now = MonotonicClock.now
        let begin = part?.begin ?? now
        idleTimeout = MonotonicClock.nanoseconds(transfer.request.timeoutInterval)
        connectTimeout = transport.configuration.connectTimeout
        total = options.passedLimit
        end = options.exchangeTimeout.map { now + MonotonicClock.nanoseconds($0) } ?? .max
        state = Locked(
            CurlExchangeState(
                options: options,
                body: body,
                isRepeatable: transfer.isRepeatable,
                url: transfer.url,
                now: begin,
                connectEnd: begin + MonotonicClock.nanoseconds(connectTimeout)
            )
        )
    }

    var engine: CurlEngine { place.engine }
    var origin: Origin { transfer.origin }
    var sendsBody: Bool { transfer.body != nil }

    private var limits: ExchangeLimits {
        state.withLock { state in
            ExchangeLimits(
                idle: idleTimeout,
                lastActivity: state.lastActivity,
                end: state.socket?.end ?? end,
                connectionEnd: state.connecting.end,
                redirectBodyEnd: state.redirectBodyEnd,
                isResting: state.isPaused || state.socket != nil
            )
        }
    }

    /// The time at which the exchange times out if there is no further activity.
    var deadline: UInt64 { limits.deadline }

    func expire() {
        let now = MonotonicClock.now
        switch limits.passed(at: now) {
        case nil:
            // There may have been activity since the timer fired.
            watch()
        case .total: if hasSocket { fail(at: .connectionLost) } else { timeOut(total) }
        case .redirectBody:
            // The limit of the exchange still applies, in case the engine is busy.
            state.withLock { $0.redirectBodyEnd = .max }
            watch()
            engine.endRedirectBody(self)
        case .idle: if uploads(now) { watch() } else { timeOut(.idle(TimeInterval(idleTimeout) / 1e9)) }
        case .connection:
            if isLookingUp || sharesLookUp { return fail(at: CurlFailure.hangingLookUp(seconds: connectTimeout)) }
            // If libcurl does not report connections, the engine finds out whether there is one.
            if CurlLibrary.reportsConnections { timeOut(connectionLimit) } else { engine.checkConnection(self) }
        }
    }

    private func timeOut(_ limit: PassedLimit) { fail(at: CurlFailure(passed: limit)) }

    /// Ends the exchange at one of its limits.
    private func fail(at failure: CurlFailure) {
        fail(failure)
        engine.stop(self)
    }

    private var connectionLimit: PassedLimit { .connection(connectTimeout) }
    /// The failure of an exchange that does not connect in time.
    var connectionTimeout: CurlFailure { CurlFailure(passed: connectionLimit) }

    /// Lets the transfer end with the body bytes received so far; returns false if the exchange has ended.
    func cutBody() -> Bool { state.withLock { $0.cutBody() } }

    /// Ends the exchange with a failure on another thread, for a caller that holds the engine's lock.
    func failLater(_ failure: CurlFailure) {
        DispatchQueue.global().async {
            self.fail(failure)
            self.engine.stop(self)
        }
    }

    /// Adds the exchange to the timer roster, or updates its deadline there.
    func watch() {
        TimerRoster.shared.add(self)
        // If the exchange ended before it was added, there was nothing to remove.
        if isOver { TimerRoster.shared.remove(self) }
    }

    /// Lets the exchanges that wait for this connection go on.
    func passOnConnection() { handshakes?.open(origin) }

    /// Records a connection that libcurl did not report.
    func connected() {
        state.withLock { $0.connecting.end = .max }
        watch()
    }

    /// Limits the time for a new connection, after the exchange already had one.
    func connectsAgain() {
        state.withLock { $0.connecting.end = MonotonicClock.now + MonotonicClock.nanoseconds(connectTimeout) }
        watch()
    }

    /// Records that a transfer is paused, and returns its socket if libcurl would still receive there.
    func pauses() -> CInt? {
        state.withLock { state in
            state.pauses()
            return CurlLibrary.receivesWhilePaused ? state.connecting.connection?.socket : nil
        }
    }

    /// Records that a paused transfer continues, which restarts its idle timeout; returns whether receiving was paused,
    /// and nil if the exchange has ended.
    func goesOn() -> Bool? {
        let (wasPaused, connection) = state.withLock { state in
            (state.goesOn(MonotonicClock.now), state.isPaused ? nil : state.connecting.connection)
        }
        guard let wasPaused else { return nil }
        if let connection { engine.setReceiving(true, at: connection.socket) }
        // The deadline may now be earlier.
        watch()
        return wasPaused
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// The index among the exchanges of the engine, which the holder of the turn sets; nil if it is not among them.
    var slot: Int? {
        get { slotNumber.load(ordering: .relaxed) < 0 ? nil : slotNumber.load(ordering: .relaxed) }
        set { slotNumber.store(newValue ?? -1, ordering: .relaxed) }
    }

    /// Stores the continuation; returns false if the exchange was already cancelled, so that it must not be started.
    func begin(_ continuation: CurlExchangeState.Continuation) -> Bool {
        let actions = state.withLock { $0.began(continuation) }
        actions.perform()
        return actions.resumption == nil
    }

    /// Begins to read a body that is a sequence; calls the closure when bytes become available.
    func beginBody(_ goOn: @escaping @Sendable () -> Void) {
        state.withLock { $0.beganBody(goOn) }?.begin()
    }

    /// Ends the exchange with an error at once; the caller has to make the engine stop the transfer.
    func fail(_ error: any Error) { end(state.withLock { $0.failed(error) }, isFinished: false) }

    /// Makes everything that happened before the end of the exchange visible to the code that waited for it.
    func meetEnd() { state.meet() }

    /// Begins a streamed body that has not ended yet, or wakes its reader; for the holder of the turn.
    func advanceStream() {
        let (awaitsStream, stream) = state.withLock { ($0.awaitsStream, $0.stream) }
        stream?.wake()
        guard awaitsStream else { return }
        let metrics = metrics
        state.withLock { $0.beginStream(metrics) }.perform()
    }

    /// The metrics of the transfer, with how often the request was sent, if libcurl reports connections.
    var metrics: TransportMetrics {
        var metrics = handle.metrics
        if CurlLibrary.reportsConnections { metrics.transmissions = state.withLock { $0.connecting.acceptedCount } }
        return metrics
    }

    var trailers: ResponseFields? { state.withLock { $0.head.trailers } }

    /// Calls a closure when the exchange ends, at once if it has ended, with whether libcurl has released the handle.
    ///
    /// Call it only for a streamed body that has begun.
    func whenOver(_ action: @escaping @Sendable (Bool) -> Void) {
        if let isReleased = state.withLock({ $0.whenOver(action) }) { action(isReleased) }
    }

    private func end(_ actions: CurlExchangeState.Actions, isFinished: Bool) {
        if actions.isEnd {
            TimerRoster.shared.remove(self)
            // Before the actions, so that the metrics are complete when the reader sees the end of the body.
            if actions.endedBody != nil || actions.endedSocket != nil {
                state.withLock { $0.released(isFinished) }?(isFinished)
            }
        }
        actions.perform()
        if let (channel, failure) = actions.endedSocket {
            channel.disconnect(CurlTransfer.publicError(failure, transfer.place))
        }
        guard actions.isEnd, sendsBody else { return }
        // Custom code may wait there, and a failure may be on the queue of all timers, or under a task's lock.
        if isFinished { closeBody() } else { DispatchQueue.global().async { self.closeBody() } }
    }

    private func closeBody() { state.withLock { $0.closesBody() }.perform() }

    /// Returns whether the finished transfer has to be sent again over a new connection.
    func beginsAgain(after result: ccurl_code) -> Bool {
        switch result {
        case CURLE_ABORTED_BY_CALLBACK:
            guard state.withLock({ !$0.isOver && $0.connecting.beginsAgain() }) else { return false }
        // The server closed a kept connection; over HTTP/2, libcurl 8.0 returns CURLE_PARTIAL_FILE for this.
        case CURLE_HTTP2, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            guard handle.number(CURLINFO_NUM_CONNECTS) == 0 else { return false }
            let (beginsAgain, actions) = state.withLock { $0.beginsAgainElsewhere() }
            actions.perform()
            guard beginsAgain else { return false }
        // Without the sessions of earlier connections.
        case CURLE_COULDNT_CONNECT: return state.withLock { !$0.isOver && $0.connecting.beginsWithoutSessions() }
        default: return false
        }
        connectsAgain()
        return handle.setFreshConnection()
    }

    /// Ends the exchange with the result of its transfer.
    func finish(_ result: ccurl_code) {
        guard result != CURLE_OK else { return end(state.withLock { $0.completed() }, isFinished: true) }
        let (hasConnected, isOver) = state.withLock { ($0.hasConnected, $0.isOver) }
        // A transfer that was stopped has no cause to look for, which takes system calls.
        guard !isOver else {
            return end(state.withLock { $0.failed(inTransfer: CurlFailure.closed) }, isFinished: true)
        }
        let hasSent = handle.mayHaveSent(hasConnected: hasConnected)
        let failure = CurlFailure(result, handle: handle, hasSent: hasSent)
            .blaming(engine.proxy, for: result, of: handle, to: transfer.origin)
        end(state.withLock { $0.failed(inTransfer: failure) }, isFinished: true)
    }

    /// Applies an event of the transfer, which counts as activity, to the state.
    ///
    /// `count` is the number of bytes that libcurl has passed on or asked for.
    func event<Result>(passing count: Int = 0, _ body: (inout CurlExchangeState) -> Result) -> Result {
        let now = MonotonicClock.coarseNow
        if count > 0 { engine.poller.round.move(count) }
        return state.withLock { state in
            state.lastActivity = now
            state.connecting.connection?.passes(count)
            return body(&state)
        }
    }
}
#endif
