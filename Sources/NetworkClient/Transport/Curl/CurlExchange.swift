#if os(Linux)
import CCurl
import Foundation
import NetworkUtilities

/// One transfer, as libcurl's callbacks are given it.
///
/// Timeouts and cancellation end the caller's wait at once, and leave it to the engine to stop the transfer.
final class CurlExchange: Registered, Expiring {
    let handle: CurlHandle
    /// The engine that moves the transfer.
    let engine: CurlEngine
    fileprivate let sockets: KeptSockets
    /// Where the body goes if it is read while it comes.
    let buffer: BodyBuffer?
    /// Whether the body of the request is a sequence, which is asked for more while the exchange goes on.
    let asksSequence: Bool
    /// Whether something begins or ends with the head of the answer.
    fileprivate let mindsHead: Bool
    private let idleTimeout: UInt64
    /// When the exchange has taken too long in all, in nanoseconds.
    let end: UInt64
    /// When it has taken too long to make the connection.
    private let connectEnd: UInt64
    private let state: Locked<CurlExchangeState>
    /// Called once, when the exchange is over: with metrics if the engine has let go of the handle.
    private let onEnd: (@Sendable (TransportMetrics?) -> Void)?

    init(
        handle: CurlHandle,
        engine: CurlEngine,
        sockets: KeptSockets,
        body: CurlBody.Content?,
        isRepeatable: Bool,
        delivery: CurlExchangeState.Delivery,
        idleTimeout: UInt64,
        connectTimeout: UInt64,
        end: UInt64,
        onEnd: (@Sendable (TransportMetrics?) -> Void)? = nil
    ) {
        self.handle = handle
        self.engine = engine
        self.sockets = sockets
        if case .streamed(let buffer) = delivery { self.buffer = buffer } else { buffer = nil }
        if case .sequence = body { asksSequence = true } else { asksSequence = false }
        mindsHead = asksSequence || buffer != nil
        self.idleTimeout = idleTimeout
        self.end = end
        self.onEnd = onEnd
        let now = CurlClock.now
        connectEnd = now + connectTimeout
        state = Locked(CurlExchangeState(delivery: delivery, body: body, isRepeatable: isRepeatable, now: now))
    }

    /// When the exchange times out unless there is further activity.
    var deadline: UInt64 {
        let (idleEnd, isConnected) = state.withLock { state in
            (state.isPaused ? .max : state.lastActivity + idleTimeout, state.isConnected)
        }
        return min(idleEnd, end, isConnected ? .max : connectEnd)
    }

    func expire() {
        // A libcurl that does not tell of connections has to be asked, which the engine does.
        let (isConnected, lastActivity) = state.withLock { ($0.isConnected, $0.lastActivity) }
        if !isConnected, !CurlLibrary.tellsOfConnections, min(lastActivity + idleTimeout, end) > CurlClock.now {
            return engine.checkConnection(self)
        }
        fail(CurlFailure.timedOut)
        engine.stop(self)
    }

    /// Ends the exchange with a failure that was found while libcurl was at work, and so under the engine's lock.
    func failLater(_ failure: CurlFailure) {
        DispatchQueue.global().async {
            self.fail(failure)
            self.engine.stop(self)
        }
    }

    /// Begins to watch the time.
    func watch() {
        TimerRoster.shared.add(self)
        // It may have ended before there was anything to remove.
        if isOver { TimerRoster.shared.remove(self) }
    }

    /// There turned out to be a connection.
    func connected() {
        state.withLock { $0.foundConnected() }
        watch()
    }

    /// Whether the name of the host is still being looked up; only for the engine, while it has the transfer.
    var isLookingUp: Bool {
        !state.withLock { $0.isConnected } && handle.count(CCURL_TIME_NAME_LOOKED_UP) == 0
    }

    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Leaves the transfer to end by itself; false if it was left before.
    func abandon() -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isAbandoned = true }
            return !state.isAbandoned
        }
        if isFirst { handle.refuseConnection() }
        return isFirst
    }

    /// Goes on after a pause; false if it is over.
    func goesOn() -> Bool {
        guard state.withLock({ $0.goesOn(CurlClock.now) }) else { return false }
        // The deadline may be earlier now.
        watch()
        return true
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    var place: Int? {
        get { state.withLock { $0.place } }
        set { state.withLock { $0.place = newValue } }
    }

    /// Whether the exchange is to be started; not if it was cancelled before it began.
    func begin(_ continuation: CurlExchangeState.Continuation) -> Bool {
        let actions = state.withLock { $0.began(continuation) }
        actions.perform()
        return actions.resumption == nil
    }

    /// Begins to ask a body that is a sequence; the closure is called when there is more of it after there was none.
    func beginBody(_ goOn: @escaping @Sendable () -> Void) {
        state.withLock { $0.beganBody(goOn) }?.begin()
    }

    /// Ends the exchange with an error, now; the engine has to be told to stop the transfer.
    func fail(_ error: any Error) {
        end(state.withLock { $0.failed(error) }, isFinished: false)
    }

    /// Orders all that was done before the end before what comes after the wait for it.
    ///
    /// So does the runtime, but where the end came before the wait it does not tell the thread sanitizer.
    func meetEnd() {
        state.withLock { _ in }
    }

    private func end(_ actions: CurlExchangeState.Actions, isFinished: Bool) {
        // Asked before anybody can learn of the end, and take the handle.
        let metrics = isFinished && actions.isEnd && onEnd != nil ? handle.metrics : nil
        if actions.isEnd { TimerRoster.shared.remove(self) }
        actions.perform()
        if actions.isEnd { onEnd?(metrics) }
    }

    /// The transfer is over, and its connection still known to it.
    func keepSocket() {
        sockets.keep(handle)
    }

    /// Whether the transfer, which was stopped with that result, is to begin again on a new connection.
    func beginsAgain(after result: CInt) -> Bool {
        switch ccurl_result(UInt32(bitPattern: result)) {
        case CCURL_RESULT_ABORTED:
            guard state.withLock({ $0.beginsAgain() }) else { return false }
        // libcurl 8.0 has another result for a connection that the server leaves.
        case CCURL_RESULT_HTTP2 where handle.number(CCURL_INFO_NEW_CONNECTIONS) == 0,
            CCURL_RESULT_PARTIAL where handle.number(CCURL_INFO_NEW_CONNECTIONS) == 0:
            let (beginsAgain, actions) = state.withLock { $0.beginsAgainElsewhere() }
            actions.perform()
            guard beginsAgain else { return false }
        default: return false
        }
        return handle.setFreshConnection()
    }

    /// The transfer is over, with one of libcurl's results.
    func finish(_ result: CInt) {
        guard result != 0 else { return end(state.withLock { $0.completed() }, isFinished: true) }
        let hasSent = handle.mayHaveSent(hasConnected: state.withLock { $0.hasConnected })
        let failure = CurlFailure(code: result, handle: handle, hasSent: hasSent)
        end(state.withLock { $0.isCut ? $0.completed() : $0.failed($0.failure ?? failure) }, isFinished: true)
    }

    /// Has libcurl call this exchange; it must be alive as long as the transfer is.
    func connect(sendsBody: Bool) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_easy_set_owner(handle.easy, context)
        _ = ccurl_easy_set_header_callback(handle.easy, receiveHeader, context)
        _ = ccurl_easy_set_write_callback(handle.easy, receiveBody, context)
        _ = ccurl_easy_set_connection_callback(handle.easy, takeConnection, context)
        if sendsBody { _ = ccurl_easy_set_read_callback(handle.easy, sendBody, seekBody, context) }
    }

    static func at(_ context: UnsafeMutableRawPointer) -> CurlExchange {
        Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
    }

    fileprivate func event<Result>(_ body: (inout CurlExchangeState) -> Result) -> Result {
        let now = CurlClock.almostNow
        return state.withLock { state in
            state.lastActivity = now
            return body(&state)
        }
    }

    /// Passes bytes of a body on that is read while it comes; not under the lock, since whoever waits for them is
    /// told.
    fileprivate func pass(_ bytes: UnsafeRawBufferPointer, to buffer: BodyBuffer) -> CurlExchangeState.Reception {
        event { _ in }
        switch buffer.append(bytes) {
        case .taken, .filled: return .taken
        case .unwanted: return .stopped
        case .refused:
            // The engine goes on with it later than this, whenever there is room.
            state.withLock { $0.pause() }
            return .paused
        }
    }

    /// The head is complete.
    fileprivate func answer() {
        let metrics = handle.metrics
        state.withLock { $0.completedHead(metrics) }.perform()
    }

    /// Fills the buffer with the next bytes of the body, and answers what libcurl is to know of them.
    fileprivate func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            let reader: any BodyReader
            switch event({ $0.takeUpload() }) {
            case .reader(let current): reader = current
            case .source(let source): reader = try source.open()
            case .sequence(let sequence, let goOn):
                if let count = try sequence.read(into: buffer) { return count }
                sequence.whenReady(goOn)
                return Int(CCURL_PAUSE)
            case .nothing: return Int(CCURL_ABORT_READING)
            }
            defer { event { $0.giveBack(reader) }.perform() }
            return try reader.read(into: buffer)
        } catch {
            event { $0.uploadFailed(CurlUploadFailure(underlying: error)) }
            return Int(CCURL_ABORT_READING)
        }
    }

    fileprivate func rewind() -> Bool {
        let (canRewind, actions) = event { $0.rewind() }
        actions.perform()
        return canRewind
    }
}

private let takeConnection: ccurl_connection_callback = { context, address, _, port, ownPort in
    guard let context, let address else { return CInt(CCURL_CONNECTION_REFUSED) }
    let exchange = CurlExchange.at(context)
    let connection = ccurl_connection_between(address, port, ownPort)
    let isSpoiled = exchange.sockets.isSpoiled(connection, exchange.handle)
    exchange.handle.chooseTarget(port)
    let isTaken = exchange.event { $0.connected(isSpoiled: isSpoiled) }
    return CInt(isTaken ? CCURL_CONNECTION_TAKEN : CCURL_CONNECTION_REFUSED)
}

private let receiveHeader: ccurl_bytes_callback = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    let exchange = CurlExchange.at(context)
    guard exchange.event({ $0.receivedHeader(line) }) else { return 0 }
    if exchange.mindsHead, line.first == 0x0D || line.first == 0x0A { exchange.answer() }
    return line.count
}

private let receiveBody: ccurl_bytes_callback = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
    let exchange = CurlExchange.at(context)
    let reception = exchange.buffer.map { exchange.pass(chunk, to: $0) } ?? exchange.event { $0.received(chunk) }
    return switch reception {
    case .taken: chunk.count
    case .paused: Int(CCURL_PAUSE)
    case .stopped: 0
    }
}

private let sendBody: ccurl_bytes_callback = { bytes, size, count, context in
    guard let bytes, let context else { return Int(CCURL_ABORT_READING) }
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return CurlExchange.at(context).send(into: buffer)
}

/// libcurl goes back to the start only: it never resumes an upload unless it is told to.
private let seekBody: ccurl_seek_callback = { context, offset, origin in
    guard let context, offset == 0, origin == SEEK_SET else { return CInt(CCURL_SEEK_FAILED) }
    return CInt(CurlExchange.at(context).rewind() ? CCURL_SEEK_DONE : CCURL_SEEK_FAILED)
}
#endif
