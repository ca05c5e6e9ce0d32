/// The one place that opens the connections of a socket, one after the other.
final class WebSocketLoop: Cancellable {
    typealias OnOpen = @Sendable (WebSocket) async throws -> Void

    private struct State {
        var task: Task<Void, Never>?
        /// The open connection, whose closure has returned.
        var socket: WebSocket?
        var messages = Queue<WebSocketMessage>()
        var bytes = 0
        /// How the sequence ends, after the messages; nil before.
        var ending: Result<Void, any Error>?
        /// Whether the caller has closed the socket.
        var isClosing = false
        /// The tasks that wait for a message, for room, or for a connection.
        var waiters = Waiters<Void>()
    }

    /// What the loop needs of its client.
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

    // MARK: - The connections

    /// Begins with the first use.
    private func begin() {
        let isFirst = state.withLock { state in
            guard state.task == nil, state.ending == nil else { return false }
            // Cancelled by `finish`.
            state.task = Task { [weak self] in
                while let self, await self.connect() {}
            }
            return true
        }
        if isFirst { connector.hold(self) }
    }

    /// Opens a connection, passes its messages on, and waits before the next one; returns false if there is none.
    private func connect() async -> Bool {
        var failure: (any Error)?
        var hasOpened = false
        do {
            let socket = try await connector.open(attempts)
            hasOpened = true
            attempts.open()
            defer { leave(socket) }
            try await onOpen(socket)
            change { $0.socket = socket }
            states?(.opened(socket.response))
            for try await message in socket {
                attempts.succeed()
                try await add(message)
            }
        } catch {
            failure = error
        }
        let (isClosing, isOver) = state.withLock { ($0.isClosing, $0.ending != nil) }
        guard !isOver else { return false }
        let isCancelled = failure is CancellationError
        let delay = isClosing || isCancelled ? nil : attempts.delay(after: failure) { comesBack(after: $0, hasOpened) }
        guard let delay else {
            finish(isClosing ? .success(()) : failure.map { .failure($0) } ?? .success(()))
            return false
        }
        states?(.waiting(delay, because: failure))
        return (try? await connector.time.sleep(seconds: delay)) != nil
    }

    private func leave(_ socket: WebSocket) {
        change { if $0.socket === socket { $0.socket = nil } }
        let lost = socket.opened.connection.channel.unsentMessages
        if lost > 0 { states?(.lost(lost)) }
    }

    /// Returns whether another connection is made after an end; nil is one with the code 1000, or none.
    private func comesBack(after error: (any Error)?, _ hasOpened: Bool) -> Bool {
        switch reconnection.requests {
        case .none: return false
        case .all: return true
        case .repeatable: break
        }
        guard let error else { return false }
        if let closed = error as? WebSocketClosed { return Self.codes.contains(closed.code) }
        guard hasOpened else { return reconnection.isTransient(error) }
        let reason = (error as? NetworkClient.Error)?.transportError?.reason
        return reason == .connectionLost || reason == .timedOut
    }

    private static let codes: Set<WebSocketCloseCode> = [
        .goingAway, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
    ]

    // MARK: - The messages

    /// Waits for room, and adds a message for the reader.
    private func add(_ message: WebSocketMessage) async throws {
        while state.withLock({ $0.bytes >= buffer && $0.ending == nil }) {
            try await wait { $0.bytes >= self.buffer && $0.ending == nil }
        }
        change { state in
            state.messages.append(message)
            state.bytes += message.size
        }
    }

    func next() async throws -> WebSocketMessage? {
        begin()
        while true {
            do {
                try CallScope.checkCancellation()
                var message: WebSocketMessage?
                var ending: Result<Void, any Error>?
                change { state in
                    message = state.messages.popFirst()
                    if let message { state.bytes -= message.size } else { ending = state.ending }
                }
                if let message { return message }
                if let ending {
                    try ending.get()
                    return nil
                }
                try await wait { $0.messages.isEmpty && $0.ending == nil }
            } catch {
                if error is CancellationError { cancel() }
                throw error
            }
        }
    }

    func message(json value: some Encodable) throws -> WebSocketMessage {
        do {
            return .text(String(decoding: try connector.encoder.encode(value), as: UTF8.self))
        } catch {
            throw NetworkClient.Error(error) ?? error
        }
    }

    func send(_ message: WebSocketMessage) async throws {
        begin()
        while true {
            try CallScope.checkCancellation()
            let (socket, ending, isClosing) = state.withLock { ($0.socket, $0.ending, $0.isClosing) }
            if let ending {
                try ending.get()
                throw Self.closed
            }
            guard !isClosing else { throw Self.closed }
            guard let socket else {
                try await wait { $0.socket == nil && $0.ending == nil && !$0.isClosing }
                continue
            }
            var isQueued = false
            do {
                return try await socket.send(message) { isQueued = true }
            } catch {
                // A message without a place waits for the next connection.
                guard !isQueued, !(error is CancellationError) else { throw error }
                try await wait { $0.socket === socket && $0.ending == nil }
            }
        }
    }

    private static var closed: NetworkClient.Error {
        .requestError(type: TransportError(.connectionLost, detail: "the socket was closed"))
    }

    func close(_ code: WebSocketCloseCode, reason: String) async throws {
        var socket: WebSocket?
        change { state in
            state.isClosing = true
            socket = state.socket
        }
        // Between two connections there is nothing to close.
        guard let socket else { return finish(.success(())) }
        try await socket.close(code, reason: reason)
    }

    func cancel() {
        state.withLock { ($0.messages, $0.bytes) = (Queue(), 0) }
        finish(.failure(CancellationError()))
    }

    private func finish(_ result: Result<Void, any Error>) {
        var task: Task<Void, Never>?
        change { state in
            guard state.ending == nil else { return }
            (state.ending, task) = (result, state.task)
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
