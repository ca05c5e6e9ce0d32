/// An open WebSocket between a transport, which moves bytes, and the tasks that send and read messages.
///
/// The functions for the transport must not be called under a lock that the connected function, or the cancellation of
/// a waiting task, takes.
package final class WebSocketChannel: Sendable {
    private let state: Locked<WebSocketState>
    /// A structure, since each use of a closure that is itself behind a lock would wrap it once more.
    private struct Hooks {
        var goOn: (@Sendable () -> Void)?
        var onEnd: (@Sendable (WebSocketState.Ending, WebSocketTraffic) -> Void)?
    }

    private let hooks = Locked(Hooks())

    package init(_ options: WebSocketOptions = WebSocketOptions()) {
        state = Locked(WebSocketState(options))
    }

    /// Sets what lets the transport ask for bytes to send, and go on receiving; before the first message is sent.
    func connect(_ goOn: @escaping @Sendable () -> Void) {
        hooks.withLock { $0.goOn = goOn }
    }

    /// Calls a closure, which must not wait, with each message that no one has read yet, and each one that is sent.
    package func observe(_ note: @escaping @Sendable (WebSocketMessage, _ isSent: Bool) -> Void) {
        state.withLock { $0.observe(.init(note: note)) }
    }

    /// Records whether the transport has a message that it has not sent yet, which may take any time.
    func isSending(_ isSending: Bool) {
        state.withLock { $0.activity.isSending = isSending }
    }

    /// Whether the transport may end the connection.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether the transport keeps bytes until it goes on.
    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Calls a closure once, when the socket has ended; at once if it has.
    ///
    /// The closure must not wait, since it may run within a call of the transport.
    func whenEnded(_ action: @escaping @Sendable (WebSocketState.Ending, WebSocketTraffic) -> Void) {
        hooks.withLock { $0.onEnd = action }
        if state.withLock({ $0.ending != nil }) { tellEnd() }
    }

    private func tellEnd() {
        let action = hooks.withLock { hooks in
            defer { hooks.onEnd = nil }
            return hooks.onEnd
        }
        let (ending, traffic) = state.withLock { ($0.ending, $0.traffic) }
        if let action, let ending { action(ending, traffic) }
    }

    package var hasEnded: Bool { state.withLock { $0.ending != nil } }

    /// The server's Close; nil before it, and if the socket has ended without one.
    var closed: WebSocketClosed? {
        if case .closed(let closed)? = state.withLock({ $0.ending }) { closed } else { nil }
    }

    /// Takes bytes of the server.
    func receive(_ bytes: UnsafeRawBufferPointer) -> WebSocketState.Reception { perform { $0.receive(bytes) } }

    /// Fills a buffer with bytes for the server.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> WebSocketState.Portion {
        perform { $0.take(into: buffer) }
    }

    /// Ends the socket for a caller that gives it up; returns whether the transport has to end the connection at once.
    func abandon(_ error: any Error) -> Bool { perform { $0.abandon(error) } }

    /// Ends the socket with its connection.
    package func disconnect(_ error: any Error) {
        perform { $0.disconnect(error) }
        hooks.withLock { $0.goOn = nil }
    }

    /// Returns the next message; nil when the server has closed the socket as it should.
    ///
    /// - Throws: ``WebSocketClosed``; the error with which the connection ended; `CancellationError`.
    func next() async throws -> WebSocketMessage? {
        while true {
            try CallScope.checkCancellation()
            switch try perform({ try $0.next() }) {
            case .message(let message): return message
            case .end: return nil
            case .nothing: try await wait { $0.wait(receiver: $1) }
            }
        }
    }

    /// Sends a message, and returns when there is room for another one.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - queued: Called when the message has its place: if the function throws before, it is not sent.
    /// - Throws: What the reader throws at the end; `CancellationError`, after which the message goes out if it was
    ///   queued before.
    func send(_ message: WebSocketMessage, queued: () -> Void = {}) async throws {
        try CallScope.checkCancellation()
        // Masks before the lock is taken.
        let frame =
            switch message {
            case .text(var text): text.withUTF8 { WebSocketFrame.bytes(.text, UnsafeRawBufferPointer($0)) }
            case .binary(let data): data.withUnsafeBytes { WebSocketFrame.bytes(.binary, $0) }
            }
        let hasRoom = try perform { state in
            try state.send(frame, of: message)
            return state.hasRoom
        }
        queued()
        if !hasRoom { try await wait { try $0.wait(sender: $1) } }
    }

    /// The number of messages that were sent and have not gone out.
    var unsentMessages: Int {
        state.withLock { $0.traffic.sent.messages - $0.traffic.taken + ($0.activity.isSending ? 1 : 0) }
    }

    /// Sends a ping, and returns with its pong.
    ///
    /// - Throws: What the reader throws at the end; `CancellationError`.
    func ping(until limit: TimeLimit? = nil) async throws {
        try await wait(until: limit) { state, waiter in
            try state.ping(waiter)
            return false
        }
    }

    /// Sends a Close behind the messages, and returns when the server has closed, too, or the connection has ended.
    ///
    /// - Throws: ``TimeLimit/Passed``; `CancellationError`.
    func close(_ code: WebSocketCloseCode = .normal, reason: String = "", until limit: TimeLimit? = nil) async throws {
        try await wait(until: limit) { $0.close(code, reason: reason, $1) }
    }

    /// Pings the server whenever nothing has come from it for some seconds, until the socket has ended.
    ///
    /// - Throws: ``TransportError/Reason/timedOut`` when nothing has come for as long again; `CancellationError`.
    func keepAlive(_ seconds: TimeInterval, on time: any TimeSource) async throws {
        perform { $0.activity.begin(on: time) }
        var pinged: (time: Double, activities: Int)?
        while let (silence, activities) = state.withLock({ $0.silence }) {
            let now = time.now
            if pinged?.activities != activities || silence < seconds { pinged = nil }
            if let pinged, now - pinged.time >= seconds {
                let detail =
                    "nothing came from the server for its keepAlive of \(seconds.inWords), and no pong after it"
                throw TransportError(.timedOut, detail: detail)
            }
            if silence >= seconds, pinged == nil {
                pinged = (now, activities)
                // After a Close, only the server's is awaited.
                try? perform { try $0.ping() }
            }
            try await time.sleep(seconds: pinged.map { $0.time + seconds - now } ?? seconds - silence)
        }
    }

    /// Waits unless a closure, which keeps the waiter, returns true.
    private func wait(
        until limit: TimeLimit? = nil,
        _ join: (inout WebSocketState, Waiter<Void>) throws -> Bool
    ) async throws {
        try await state.wait(until: limit) { state, waiter in
            try join(&state, waiter) ? () : nil
        } leaving: { id in
            self.state.withLock { $0.remove(id) }
        } begun: {
            perform { _ in }
        }
    }

    private func perform<Result>(_ event: (inout WebSocketState) throws -> Result) rethrows -> Result {
        let (result, actions, ending) = try state.withLock { state in
            (try event(&state), state.takeActions(), state.failure)
        }
        // Before a task learns of the end.
        if actions.hasEnded { tellEnd() }
        for waiter in actions.waiters { waiter.resume() }
        for waiter in actions.failures { waiter.resume(throwing: ending ?? CancellationError()) }
        if actions.goesOn { hooks.withLock { $0.goOn }?() }
        return result
    }
}

/// The caller's end of an open WebSocket, which it ends when the last reference to it is released.
///
/// In the chain it stands for the body of the response with the status 101, which has no bytes.
package final class WebSocketConnection: BodyChannel {
    package let channel: WebSocketChannel
    /// The subprotocol that the server has chosen; nil for none.
    let subprotocol: String?
    private let stop: @Sendable () -> Void

    /// Creates the end; `stop` ends the connection at once, and has no effect after its end.
    package init(_ channel: WebSocketChannel, subprotocol: String?, stop: @escaping @Sendable () -> Void) {
        (self.channel, self.subprotocol, self.stop) = (channel, subprotocol, stop)
    }

    deinit {
        cancel()
    }

    package func next() -> Data? { nil }

    package func cancel() { end(with: CancellationError()) }

    /// Ends the socket and its connection, without a Close unless the server has sent one.
    func end(with error: any Error) {
        if channel.abandon(error) { stop() }
    }
}
