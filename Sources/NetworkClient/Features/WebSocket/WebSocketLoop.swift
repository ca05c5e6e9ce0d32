/// The one place that opens the connections of a socket, one after the other.
final class WebSocketLoop: Cancellable {
    typealias OnOpen = @Sendable (WebSocket) async throws -> Void

    private struct State {
        var hasBegun = false
        var task: Task<Void, Never>?
        /// The connection from its opening on; `isOpen` once its closure has returned.
        var socket: WebSocket?
        var isOpen = false
        /// Whether a sender has found that the connection has ended: its messages are added, whatever room there is.
        var hasLostSocket = false
        var messages = Queue<WebSocketMessage>()
        var bytes = 0
        /// Whether a message was asked for.
        var hasReader = false
        /// How the sequence ends, after the messages; nil before.
        var ending: Result<Void, any Error>?
        /// Whether the caller has closed the socket.
        var isClosing = false
        /// The tasks that wait for a message, for room, or for a connection.
        var waiters = Waiters<Void>()
    }

    /// How an attempt has ended: without a connection, or with the end of the connection.
    enum End {
        case opening(any Error)
        /// The closure for the connection has failed, and the connection has not.
        case closure(any Error)
        /// The socket has ended; nil for the code 1000, or none.
        case socket((any Error)?)

        var error: (any Error)? {
            switch self {
            case .opening(let error), .closure(let error): error
            case .socket(let error): error
            }
        }
    }

    /// The parts of the client that the loop uses.
    struct Connector: Sendable {
        let decoder: any DecoderProtocol
        let encoder: any JSONDataEncoder
        let time: any TimeSource
        /// Registers the loop with the client, so that `cancelAll()` ends it.
        let hold: @Sendable (WebSocketLoop) -> Void
        /// Removes the loop from the client.
        let release: @Sendable (WebSocketLoop) -> Void
        /// Makes an attempt to open a connection.
        let open: @Sendable (ReconnectionAttempts) async throws -> WebSocket
    }

    private let connector: Connector
    private let reconnection: Reconnection
    private let attempts: ReconnectionAttempts
    private let buffer: Int
    private let states: (@Sendable (ReconnectingWebSocket.State) -> Void)?
    private let onOpen: OnOpen
    private let reader = SingleReader()
    private let state = Locked(State())

    init(
        _ connector: Connector,
        _ reconnection: Reconnection,
        buffer: Int,
        states: (@Sendable (ReconnectingWebSocket.State) -> Void)?,
        onOpen: @escaping OnOpen
    ) {
        (self.connector, self.reconnection, self.buffer) = (connector, reconnection, max(1, buffer))
        (self.states, self.onOpen) = (states, onOpen)
        attempts = ReconnectionAttempts(reconnection, on: connector.time)
    }

    var decoder: any DecoderProtocol { connector.decoder }
    var encoder: any JSONDataEncoder { connector.encoder }

    // MARK: - The connections

    /// Begins with the first use.
    private func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        connector.hold(self)
        let isOver = state.withLock { state in
            guard state.ending == nil else { return true }
            // Cancelled by `finish`.
            state.task = Task { [weak self] in
                while let self, await self.connect() {}
            }
            return false
        }
        if isOver { connector.release(self) }
    }

    /// Opens a connection, passes its messages on, and waits before the next one; returns false if no other follows.
    private func connect() async -> Bool {
        let end: End
        do {
            end = try await use(connector.open(attempts))
        } catch {
            end = .opening(error)
        }
        let (isClosing, isOver) = state.withLock { ($0.isClosing, $0.ending != nil) }
        guard !isOver else { return false }
        let error = end.error
        let isFinal = isClosing || error is CancellationError
        let delay = isFinal ? nil : attempts.delay(after: error) { reconnection.comesBack(after: end, $0) }
        guard let delay else {
            finish(isClosing ? .success(()) : error.map { .failure($0) } ?? .success(()))
            return false
        }
        tell(.waiting(delay, because: error))
        do {
            try await connector.time.sleep(seconds: delay)
            return true
        } catch {
            finish(.failure(error))
            return false
        }
    }

    /// Uses a connection until it has ended.
    private func use(_ socket: WebSocket) async -> End {
        attempts.open()
        change { $0.socket = socket }
        defer { leave(socket) }
        do {
            try await onOpen(socket)
        } catch {
            // Otherwise the end of the socket is what counts, and not what the closure makes of it.
            guard socket.opened.connection.channel.hasEnded else { return .closure(error) }
        }
        change { $0.isOpen = true }
        tell(.opened(socket.response))
        do {
            for try await message in socket {
                attempts.succeed()
                try await add(message)
            }
            return .socket(nil)
        } catch {
            return .socket(error)
        }
    }

    private func leave(_ socket: WebSocket) {
        socket.cancel()
        change { ($0.socket, $0.isOpen, $0.hasLostSocket) = (nil, false, false) }
        let lost = socket.opened.connection.channel.unsentMessages
        if lost > 0 { tell(.lost(lost)) }
    }

    private func tell(_ news: ReconnectingWebSocket.State) {
        if state.withLock({ $0.ending == nil }) { states?(news) }
    }

    // MARK: - The messages

    /// Waits for room, and adds a message for the reader; without one, a message that comes after the caller's Close is
    /// dropped if there is no room.
    private func add(_ message: WebSocketMessage) async throws {
        while state.withLock({ isFull($0) }) { try await wait(while: isFull) }
        change { state in
            let isDropped = state.isClosing && !state.hasReader && state.bytes >= buffer
            guard state.ending == nil, !isDropped else { return }
            state.messages.append(message)
            state.bytes += message.size
        }
    }

    private func isFull(_ state: borrowing State) -> Bool {
        let waits = !state.hasLostSocket && (!state.isClosing || state.hasReader)
        return state.bytes >= buffer && waits && state.ending == nil
    }

    func next() async throws -> WebSocketMessage? {
        begin()
        do {
            return try await reader.read {
                while true {
                    try CallScope.checkCancellation()
                    if let result = take() { return try result.get() }
                    try await wait { $0.messages.isEmpty && $0.ending == nil }
                }
            }
        } catch {
            if error is CancellationError { cancel() }
            throw (error as? TransportError).map { NetworkClient.Error.requestError(type: $0) } ?? error
        }
    }

    /// Takes the next message, or the end; nil if there is neither.
    private func take() -> Result<WebSocketMessage?, any Error>? {
        let message = state.withLock { state in
            state.hasReader = true
            return state.messages.popFirst()
        }
        guard let message else { return state.withLock { $0.messages.isEmpty ? $0.ending?.map { nil } : nil } }
        // There may be room now.
        change { $0.bytes -= message.size }
        return .success(message)
    }

    func send(_ message: WebSocketMessage) async throws {
        begin()
        while true {
            try CallScope.checkCancellation()
            let (socket, ending, isClosing) = state.withLock { ($0.isOpen ? $0.socket : nil, $0.ending, $0.isClosing) }
            if let ending {
                try ending.get()
                throw Self.closed
            }
            guard !isClosing else { throw Self.closed }
            guard let socket else {
                try await wait { !$0.isOpen && $0.ending == nil && !$0.isClosing }
                continue
            }
            var isQueued = false
            do {
                return try await socket.send(message) { isQueued = true }
            } catch {
                // A message without a place waits for the next connection.
                guard !isQueued, !(error is CancellationError) else { throw error }
                change { if $0.socket === socket { $0.hasLostSocket = true } }
                try await wait { $0.socket === socket && $0.ending == nil }
            }
        }
    }

    private static var closed: NetworkClient.Error {
        .requestError(type: TransportError(.connectionLost, detail: "the socket was closed"))
    }

    func close(_ code: WebSocketCloseCode, reason: String) async throws {
        do {
            try code.checkForClients()
        } catch {
            throw NetworkClient.Error.requestError(type: error)
        }
        var socket: WebSocket?
        change { state in
            state.isClosing = true
            socket = state.socket
        }
        // Between two connections there is nothing to close.
        guard let socket else { return finish(.success(())) }
        try await socket.close(code, reason: reason)
    }

    func cancel() { finish(.failure(CancellationError())) }

    /// Ends the sequence; a cancellation drops the messages.
    private func finish(_ result: Result<Void, any Error>) {
        var task: Task<Void, Never>?
        change { state in
            guard state.ending == nil else { return }
            (state.ending, task) = (result, state.task)
            if result.failure is CancellationError { (state.messages, state.bytes) = (Queue(), 0) }
        }
        task?.cancel()
        connector.release(self)
    }

    private func change(_ change: (inout State) -> Void) {
        let due = state.withLock { state in
            change(&state)
            return state.waiters.removeAll()
        }
        for waiter in due { waiter.resume() }
    }

    /// Waits for a change, while a condition holds.
    private func wait(while condition: (borrowing State) -> Bool) async throws {
        try await state.wait { state, waiter in
            guard condition(state) else { return () }
            state.waiters.add(waiter)
            return nil
        } leaving: { [state] id in
            state.withLock { $0.waiters.remove(id) }
        }
    }
}
