/// An open WebSocket between a transport, which moves bytes, and the tasks that send and read messages.
///
/// The functions for the transport must not be called under a lock that the connected function, or the cancellation of
/// a waiting task, takes.
final class WebSocketChannel: Sendable {
    private let state: Locked<WebSocketState>
    private let goOn: Locked<(@Sendable () -> Void)?> = Locked(nil)

    init(limits: WebSocketLimits = WebSocketLimits()) {
        state = Locked(WebSocketState(limits: limits))
    }

    /// Sets what lets the transport ask for bytes to send, and go on receiving; before the first message is sent.
    func connect(_ goOn: @escaping @Sendable () -> Void) {
        self.goOn.withLock { $0 = goOn }
    }

    /// Whether the transport may end the connection.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Takes bytes of the server.
    func receive(_ bytes: UnsafeRawBufferPointer) -> WebSocketState.Reception { perform { $0.receive(bytes) } }

    /// Fills a buffer with bytes for the server.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> WebSocketState.Portion {
        perform { $0.take(into: buffer) }
    }

    /// Ends the socket with its connection.
    func disconnect(_ error: any Error) {
        perform { $0.disconnect(error) }
        goOn.withLock { $0 = nil }
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
    /// - Throws: What the reader throws at the end; `CancellationError`, after which the message goes out if it was
    ///   queued before.
    func send(_ message: WebSocketMessage) async throws {
        try CallScope.checkCancellation()
        // Masks before the lock is taken.
        let frame =
            switch message {
            case .text(var text): text.withUTF8 { WebSocketFrame.bytes(.text, UnsafeRawBufferPointer($0)) }
            case .binary(let data): data.withUnsafeBytes { WebSocketFrame.bytes(.binary, $0) }
            }
        let hasRoom = try perform { state in
            try state.send(frame)
            return state.hasRoom
        }
        if !hasRoom { try await wait { try $0.wait(sender: $1) } }
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
        for waiter in actions.waiters { waiter.resume() }
        for waiter in actions.failures { waiter.resume(throwing: ending ?? CancellationError()) }
        if actions.goesOn { goOn.withLock { $0 }?() }
        return result
    }
}

/// The limits of a WebSocket.
struct WebSocketLimits: Hashable, Sendable {
    /// The maximum number of bytes of a message of the server; a longer one closes the socket (1009).
    var message = 16 << 20
    /// The number of bytes that may wait to be sent; a sender waits while there are as many.
    var sendBuffer = 64 << 10
    /// The number of bytes of received messages that may wait for their reader; above it, nothing is received.
    var receiveBuffer = 1 << 20
}
