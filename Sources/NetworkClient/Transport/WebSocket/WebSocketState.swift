/// An open WebSocket: messages in both directions, control frames, and the closing handshake (RFC 6455 §5 to §7);
/// without I/O and without a lock.
///
/// Each function takes an event, and adds the actions that follow from it to ``actions``.
struct WebSocketState {
    private let limits: WebSocketOptions
    private(set) var traffic = WebSocketTraffic()
    var observers: [Observer] = []
    private var reader: WebSocketReader
    private var actions = Actions()

    private(set) var messages = Queue<WebSocketMessage>()
    private var receivedBytes = 0
    /// Whether the transport keeps bytes, since the reader is behind.
    private(set) var isPaused = false
    /// The rule that the server has broken after messages that are not handled yet.
    private var violation: WebSocketReader.Violation?
    /// Whether a message was read, and no further one was asked for.
    private var isHandling = false
    var activity = Activity()
    private var receivers = Waiters<Void>()
    /// Whether a message was asked for, and whether one was dropped; then all later ones are.
    private var (hasReader, hasDropped) = (false, false)

    private var frames = Queue<Frame>()
    private var queuedBytes = 0
    /// The frame of which a part was sent.
    private var begun: Frame?
    /// The pongs for the last pings that have none; earlier ones may be left out (§5.5.3).
    private var pongs: [Frame] = []
    private var senders = Waiters<Void>()
    /// Whether the transport has found nothing to send, and so waits to be asked for more.
    private var isIdle = false

    /// The pings without a pong, in their order.
    private var pings: [(number: UInt64, waiter: UInt64)] = []
    private var pingers = Waiters<Void>()
    private var lastPing: UInt64 = 0

    /// Whether a Close was queued: nothing follows it (§5.5.1).
    private var isClosing = false
    private var hasSentClose = false
    private var isDisconnected = false
    private(set) var ending: Ending?
    private var closers = Waiters<Void>()

    init(_ options: WebSocketOptions) {
        var limits = options
        // At least one message waits.
        (limits.sendBuffer, limits.receiveBuffer) = (max(1, limits.sendBuffer), max(1, limits.receiveBuffer))
        self.limits = limits
        reader = WebSocketReader(messageLimit: limits.messageLimit)
    }

    /// Returns the actions of the events so far.
    mutating func takeActions() -> Actions {
        defer { actions = Actions() }
        return actions
    }

    /// Whether the transport may end the connection: it has ended already, or both ends have closed.
    var isOver: Bool { isDisconnected || ending != nil && hasSentClose }

    /// Whether another message may be queued at once.
    var hasRoom: Bool { queuedBytes + (begun.map { $0.bytes.count - $0.sentCount } ?? 0) < limits.sendBuffer }

    // MARK: - From the server

    /// Takes bytes of the server.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Reception {
        guard ending == nil, !reader.isOver else { return .ended }
        activity.note()
        guard dropsMessages || receivedBytes < limits.receiveBuffer else {
            isPaused = true
            return .refused
        }
        var events: [WebSocketReader.Event] = []
        do throws(WebSocketReader.Violation) {
            try reader.read(bytes) { events.append($0) }
        } catch {
            violation = error
        }
        for event in events { handle(event) }
        failAfterMessages()
        return reader.isOver ? .ended : .taken
    }

    /// Ends the socket whose server has broken a rule, when the messages before are handled or can't be replied to.
    private mutating func failAfterMessages() {
        guard let violation, isClosing || messages.isEmpty && !isHandling else { return }
        queueClose(violation.code, isUrgent: false)
        end(.failed(violation.error))
    }

    /// Whether a message without room is dropped: after the caller's Close, that of the server has to arrive, even if
    /// no one has ever read a message.
    private var dropsMessages: Bool { isClosing && (!hasReader || hasDropped) }

    private mutating func handle(_ event: WebSocketReader.Event) {
        switch event {
        case .message(let message):
            hasDropped = hasDropped || dropsMessages && receivedBytes >= limits.receiveBuffer
            guard !hasDropped else { return }
            messages.append(message)
            receivedBytes += message.size
            traffic.received.add(message)
            for observer in observers { observer.note(message, false) }
            actions.waiters += receivers.removeAll()
        case .ping(let payload):
            guard !hasSentClose, begun?.isClose != true else { return }
            let pong = Frame(bytes: payload.withUnsafeBytes { WebSocketFrame.bytes(.pong, $0) })
            pongs = pongs.suffix(Self.maximumPongs - 1) + [pong]
            asksToSend()
        case .pong(let payload):
            // A pong is for the earlier pings, too; one that no ping has asked for is ignored (§5.5.3).
            guard let index = pings.firstIndex(where: { Self.payload($0.number) == payload }) else { return }
            actions.waiters += pings[...index].compactMap { pingers.remove($0.waiter) }
            pings.removeSubrange(...index)
        case .close(let code, let reason):
            queueClose(code, isUrgent: true)
            end(.closed(WebSocketClosed(code: code, reason: reason)))
        }
    }

    // MARK: - For the reader

    /// Returns the next message, or the end.
    ///
    /// - Throws: ``WebSocketClosed`` for another code than 1000 and none; the error with which the connection ended.
    mutating func next() throws -> Delivery {
        hasReader = true
        isHandling = false
        if let message = messages.popFirst() {
            isHandling = true
            receivedBytes -= message.size
            if isPaused, receivedBytes <= limits.receiveBuffer / 2 {
                (isPaused, actions.goesOn) = (false, true)
                // The reader was behind, and not the server.
                activity.note()
            }
            return .message(message)
        }
        switch ending {
        case nil:
            // Thrown by the next call, since the actions of a call that throws are not performed.
            failAfterMessages()
            return .nothing
        case .failed(let error): throw error
        case .closed(let closed):
            guard closed.code == .normal || closed.code == .noStatus else { throw closed }
            return .end
        }
    }

    /// Keeps a reader that waits for a message or the end; returns whether it need not wait.
    mutating func wait(receiver waiter: Waiter<Void>) -> Bool {
        guard messages.isEmpty, ending == nil else { return true }
        receivers.add(waiter)
        return false
    }

    // MARK: - From the caller

    /// Queues the frame of a message.
    ///
    /// - Throws: What the reader throws, after the end; ``TransportError/Reason/connectionLost`` after a Close.
    mutating func send(_ frame: [UInt8], of message: WebSocketMessage) throws {
        try checkOpen()
        traffic.sent.add(message)
        for observer in observers { observer.note(message, true) }
        queue(Frame(bytes: frame, isMessage: true))
    }

    /// Keeps a sender that waits for room; returns whether it need not wait.
    ///
    /// - Throws: What the reader throws: the message may be lost.
    mutating func wait(sender waiter: Waiter<Void>) throws -> Bool {
        if let failure { throw failure }
        guard !hasRoom else { return true }
        senders.add(waiter)
        return false
    }

    /// Queues a ping, and keeps the waiter until its pong, or until the socket has ended.
    mutating func ping(_ waiter: Waiter<Void>) throws {
        try ping()
        pings.append((lastPing, waiter.id))
        pingers.add(waiter)
    }

    /// Queues a ping that no one waits for.
    mutating func ping() throws {
        try checkOpen()
        lastPing += 1
        queue(Frame(bytes: Self.payload(lastPing).withUnsafeBytes { WebSocketFrame.bytes(.ping, $0) }))
    }

    private static func payload(_ number: UInt64) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }

    /// Queues a Close behind the messages, and keeps the waiter until the socket is over; returns whether it is.
    mutating func close(_ code: WebSocketCloseCode, reason: String, _ waiter: Waiter<Void>) -> Bool {
        guard !isOver else { return true }
        closers.add(waiter)
        queueClose(code, reason: reason, isUrgent: false)
        failAfterMessages()
        return false
    }

    /// Removes the waiter of a task that waits no longer.
    mutating func remove(_ id: UInt64) -> Waiter<Void>? {
        receivers.remove(id) ?? senders.remove(id) ?? pingers.remove(id) ?? closers.remove(id)
    }

    private func checkOpen() throws {
        if let failure { throw failure }
        guard !isClosing else { throw TransportError(.connectionLost, detail: "the socket was closed") }
    }

    // MARK: - To the server

    /// Fills a buffer with the frames, or parts of frames, that are next.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Portion {
        var count = 0
        while count < buffer.count, var frame = begun ?? nextFrame() {
            let portion = frame.bytes[frame.sentCount...].prefix(buffer.count - count)
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: portion)
            count += portion.count
            // Short messages say nothing of a server that is silent.
            if frame.isMessage, frame.sentCount > 0 { activity.note() }
            frame.sentCount += portion.count
            begun = frame.sentCount < frame.bytes.count ? frame : nil
            if begun == nil, frame.isClose { hasSentClose = true }
            if begun == nil, frame.isMessage { traffic.taken += 1 }
        }
        if hasRoom { actions.waiters += senders.removeAll() }
        if isOver { actions.waiters += closers.removeAll() }
        isIdle = count == 0 && !isOver
        return count > 0 ? .bytes(count) : isOver ? .end : .nothing
    }

    /// A pong takes precedence over messages, but stands in none.
    private mutating func nextFrame() -> Frame? {
        if !pongs.isEmpty { return pongs.removeFirst() }
        guard let frame = frames.popFirst() else { return nil }
        queuedBytes -= frame.bytes.count
        return frame
    }

    private mutating func queue(_ frame: Frame) {
        frames.append(frame)
        queuedBytes += frame.bytes.count
        asksToSend()
    }

    /// Asks the transport to take bytes, unless it will do so anyway: before its first look, and after one that has
    /// found something.
    private mutating func asksToSend() {
        guard isIdle else { return }
        (isIdle, actions.goesOn) = (false, true)
    }

    /// Queues a Close; an urgent one replaces what is queued, which the server would not handle.
    private mutating func queueClose(_ code: WebSocketCloseCode, reason: String = "", isUrgent: Bool) {
        guard !hasSentClose, begun?.isClose != true, isUrgent || !isClosing else { return }
        if isUrgent { (frames, queuedBytes, pongs) = (Queue(), 0, []) }
        isClosing = true
        if dropsMessages, isPaused { (isPaused, actions.goesOn) = (false, true) }
        queue(Frame(bytes: WebSocketFrame.close(code, reason: reason), isClose: true))
    }

    // MARK: - The end

    /// Ends the socket with its connection: with an error, unless the server has closed it before.
    mutating func disconnect(_ error: any Error) {
        isDisconnected = true
        (frames, queuedBytes, begun, pongs) = (Queue(), 0, nil, [])
        end(.failed(error is CancellationError ? error : violation?.error ?? error))
        actions.waiters += closers.removeAll()
    }

    /// Ends the socket for a caller that gives it up, whose cancellation drops what was not read; returns false if the
    /// transport still has to send the reply to the server's Close, after which it ends the connection.
    mutating func abandon(_ error: any Error) -> Bool {
        guard ending == nil || isOver else { return false }
        if ending == nil, error is CancellationError { (messages, receivedBytes) = (Queue(), 0) }
        disconnect(error)
        return true
    }

    private mutating func end(_ new: Ending) {
        guard ending == nil else { return }
        (ending, actions.hasEnded) = (new, true)
        actions.waiters += receivers.removeAll()
        actions.failures += senders.removeAll() + pingers.removeAll()
        pings = []
        guard isOver else { return }
        actions.waiters += closers.removeAll()
        actions.goesOn = true
    }
}
