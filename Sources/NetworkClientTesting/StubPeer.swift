/// The server's end of a WebSocket that a ``StubTransport`` has opened.
///
/// ```swift
/// let transport = StubTransport()
/// transport.on(.get("/rooms/7"), .webSocket { peer in
///     await peer.send("hello")
///     guard await peer.next() == .text("hello to you") else { return }
///     await peer.close(.goingAway)
/// })
/// ```
/// It takes each message at once, so that a sender does not wait for room. It responds to pings, and to a Close of the
/// client with the same code, by itself. When its closure returns, the socket is closed with the code 1000; if the
/// closure throws an error, the connection is lost. After the end, nothing is sent, and there are no further messages.
/// It waits on no clock: to let time pass, sleep on that of your test.
public final class StubPeer: Sendable {
    private struct State {
        var messages: [WebSocketMessage] = []
        var waiters = Waiters<Void>()
        var closed: WebSocketClosed?
        var isOver = false
        var isSilent = false
    }

    /// The request that has opened the socket.
    public let request: StubTransport.Request
    private let end: WebSocketServerEnd
    private let channel: WebSocketChannel
    private let state = Locked(State())

    init(_ request: StubTransport.Request, _ channel: WebSocketChannel) {
        (self.request, self.channel) = (request, channel)
        end = WebSocketServerEnd(channel)
    }

    /// Sends a text, and returns when there was room for it in the buffer of the client.
    public func send(_ text: String) async { await send(.text(text)) }

    /// Sends bytes as a binary message.
    public func send(_ data: Data) async { await send(.binary(data)) }

    /// Sends a message.
    public func send(_ message: WebSocketMessage) async { await pass(.message(message)) }

    /// Passes a frame on; one that breaks a rule ends the connection, even if no one reads what came before.
    private func pass(_ frame: WebSocketServerEnd.Frame) async {
        try? await end.send(frame)
        if end.isRefused, !channel.hasEnded { disconnect() }
    }

    /// Sends a value as a text of JSON; a value that can't be encoded sends nothing.
    public func send(json value: some Encodable) async {
        guard let data = try? DefaultJsonEncoder().encode(value) else { return }
        await send(String(decoding: data, as: UTF8.self))
    }

    /// Waits for the next message of the client; nil when it has closed the socket, and when the socket has ended.
    public func next() async -> WebSocketMessage? {
        while true {
            let (message, isOver) = state.withLock { state in
                (state.messages.isEmpty ? nil : state.messages.removeFirst(), state.isOver)
            }
            if let message { return message }
            guard !isOver, (try? await wait()) != nil else { return nil }
        }
    }

    private func wait() async throws {
        try await state.wait { state, waiter in
            guard state.messages.isEmpty, !state.isOver else { return () }
            state.waiters.add(waiter)
            return nil
        } leaving: { [state] id in
            state.withLock { $0.waiters.remove(id) }
        }
    }

    /// The client's Close; nil before it.
    public var closed: WebSocketClosed? { state.withLock { $0.closed } }

    /// The complaint about messages that were not read; nil for none.
    var complaint: StubTransport.Finding? {
        let count = state.withLock { $0.messages.count }
        guard count > 0 else { return nil }
        return .init(description: "\(self) has not read \(count == 1 ? "a message" : "\(count) messages")")
    }

    /// Closes the socket.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
        await pass(.close(WebSocketClosed(code: code, reason: reason)))
    }

    /// Ends the connection without a Close: the client gets `TransportError.Reason.connectionLost`.
    public func disconnect() { channel.disconnect(TransportError(.connectionLost, request: request.urlRequest)) }

    /// Sends nothing by itself from now on, neither a pong nor a Close, as a server whose connection was forgotten on
    /// the way.
    public func fallSilent() { state.withLock { $0.isSilent = true } }

    fileprivate var isSilent: Bool { state.withLock { $0.isSilent } }

    /// Takes what the client sends until the socket has ended.
    func run() async {
        while let frame = try? await end.next() {
            switch frame {
            case .message(let message): change { $0.messages.append(message) }
            case .ping(let payload):
                if !isSilent { await pass(.pong(payload)) }
            case .pong, .endless: break
            case .close(let closed):
                change { $0.closed = closed }
                if !isSilent { await pass(.close(closed)) }
            }
        }
        change { $0.isOver = true }
    }

    private func change(_ change: (inout State) -> Void) {
        let due = state.withLock { state in
            change(&state)
            return state.waiters.removeAll()
        }
        for waiter in due { waiter.resume() }
    }
}

extension StubPeer: OpaqueValue {
    /// The request.
    public var description: String { "the peer of \(request)" }
}

extension StubTransport.Response {
    /// Accepts a WebSocket, and lets a closure be its server.
    ///
    /// A request that opens no WebSocket gets the status 426.
    ///
    /// - Parameters:
    ///   - subprotocol: The subprotocol that the server chooses; nil for none.
    ///   - talk: Talks to the client; see ``StubPeer``.
    /// - Returns: The response.
    public static func webSocket(
        subprotocol: String? = nil,
        _ talk: @escaping @Sendable (StubPeer) async throws -> Void
    ) -> Self {
        .opening(talk, subprotocol: subprotocol)
    }
}

extension StubExchange {
    /// Returns the response that has opened a WebSocket, whose server runs in a task of its own.
    func open(
        _ response: StubTransport.Response,
        for asked: StubTransport.Request,
        _ talk: @escaping @Sendable (StubPeer) async throws -> Void,
        _ onPeer: (StubPeer) -> Void
    ) throws -> TransportResponse {
        guard let url = request.url else { throw TransportError(.invalidURL, request: request) }
        guard let opening = options.opensSocket else {
            guard let head = ReceivedResponse(url: url, status: 426, fields: ResponseFields([]), metrics: nil) else {
                throw TransportError(.malformedResponse, request: request)
            }
            return TransportResponse(response: head)
        }
        let subprotocol = response.allFields["Sec-WebSocket-Protocol"]
        let isOffered = subprotocol.map(opening.protocols.contains) ?? true
        guard isOffered, let head = ReceivedResponse(url: url, status: 101, fields: response.allFields, metrics: nil)
        else {
            let detail = "the server's handshake is wrong: the subprotocol was not offered"
            throw TransportError(.malformedResponse, request: request, detail: detail)
        }
        let channel = WebSocketChannel(opening.options)
        let peer = StubPeer(asked, channel)
        onPeer(peer)
        // Cancelled when the client gives the socket up.
        let pump = Task { await peer.run() }
        // As the other task.
        let script = Task {
            do {
                try await talk(peer)
                if !peer.isSilent { await peer.close() }
            } catch {
                peer.disconnect()
            }
        }
        let connection = WebSocketConnection(channel, subprotocol: subprotocol) {
            pump.cancel()
            script.cancel()
        }
        return TransportResponse(head: ResponseHead(head), body: .socket(connection))
    }
}
