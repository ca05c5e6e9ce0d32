/// A WebSocket that is opened again when its connection is lost: messages in both directions, over as many connections
/// as it takes.
///
/// ```swift
/// let feed = try client.webSocket(
///     .get(path: "feed"), reconnecting: .standard
/// ) { socket in
///     try await socket.send("subscribe 7")
/// }
/// for try await message in feed {
///     if case .text(let text) = message { print(text) }
/// }
/// ```
///
/// Nothing is sent before the first message is awaited or sent. There is one connection at any time: the next one
/// begins when the last one has ended, all of its messages are in the buffer, and the wait of the ``Reconnection`` is
/// over. Each opening is one call through the interceptors, with its own token, journey and report, as the person whose
/// token the first one had.
///
/// It comes back after a lost connection, a timeout, a Close with the codes 1001 and 1011 to 1014, and openings that
/// fail as those of an ``EventStream`` may; after any other end only with ``Reconnection/always``. Otherwise the
/// sequence ends as that of a ``WebSocket`` does. Leaving a loop leaves it open; releasing it, ``cancel()``, cancelling
/// the task that reads, and `cancelAll()` of the client end it.
public final class ReconnectingWebSocket: AsyncSequence, Sendable {
    /// What happens to the socket besides its messages.
    @nonexhaustive
    public enum State: Sendable {
        /// The server has accepted a connection, and the closure for it has returned.
        case opened(HTTPURLResponse)
        /// A connection has ended with so many messages that had not gone out by then; they are not sent again.
        case lost(Int)
        /// The socket is opened again after these seconds, because of a failure or of the server's Close; nil after one
        /// with the code 1000, or none.
        case waiting(TimeInterval, because: (any Error)?)
    }

    private let loop: WebSocketLoop

    init(_ loop: WebSocketLoop) {
        self.loop = loop
    }

    deinit {
        loop.cancel()
    }

    /// Ends the socket at once, without a Close, and drops unread messages; the reader gets a `CancellationError`.
    ///
    /// It has no effect after the end of the socket.
    public func cancel() { loop.cancel() }

    /// Sends a text over the open connection, or over the next one, for which the call waits.
    ///
    /// Otherwise as ``WebSocket/send(_:)-(String)``. A message that has its place on a connection is never sent again:
    /// if the connection ends before it has gone out, it is among those of ``State/lost(_:)``.
    ///
    /// - Throws: What the reader gets, after the end; the failure of the connection on which the message was lost while
    ///   the call waited for room; `CancellationError`.
    public func send(_ text: String) async throws { try await loop.send(.text(text)) }

    /// Sends bytes as a binary message; otherwise as ``send(_:)-(String)``.
    public func send(_ data: Data) async throws { try await loop.send(.binary(data)) }

    /// Sends a message; otherwise as ``send(_:)-(String)``.
    public func send(_ message: WebSocketMessage) async throws { try await loop.send(message) }

    /// Sends a value as a text of JSON, by the encoder of the client's builder; otherwise as ``send(_:)-(String)``.
    ///
    /// - Throws: ``NetworkClient/Error/encodingError(type:)`` for a value that can't be encoded, too.
    public func send(json value: some Encodable) async throws {
        try await loop.send(WebSocketMessage(json: value, by: loop.encoder))
    }

    /// Closes the open connection as ``WebSocket/close(_:reason:)`` does, and ends the sequence, after the messages
    /// that have come.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async throws {
        try await loop.close(code, reason: reason)
    }

    /// Creates an iterator over the messages that no one has read.
    public func makeAsyncIterator() -> Iterator { Iterator(socket: self) }

    /// The iterator over the messages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let socket: ReconnectingWebSocket

        /// Waits for the next message, also while the socket is opened again; returns nil at the end.
        ///
        /// Throws ``WebSocketClosed``; ``NetworkClient/Error``; errors of the closure for each connection, of the error
        /// mapper and of interceptors; `CancellationError` if the task or the socket was cancelled.
        public mutating func next() async throws -> WebSocketMessage? { try await socket.loop.next() }
    }

    /// The values of the messages, texts and bytes alike, decoded with the decoder of the calls or the client.
    ///
    /// Behaves like ``WebSocket/values(of:malformed:)``.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        malformed: MalformedValue = .throwing
    ) -> WebSocketValues<Value> {
        WebSocketValues(loop.decoder, malformed) { try await self.loop.next() }
    }
}

extension ReconnectingWebSocket: OpaqueValue {}
extension ReconnectingWebSocket.Iterator: OpaqueValue {}
extension ReconnectingWebSocket.State: OpaqueValue {
    /// The kind of the state.
    public var description: String {
        switch self {
        case .opened: "opened"
        case .lost(let count): "lost \(count)"
        case .waiting(let seconds, _): "waiting \(seconds.inWords)"
        }
    }
}

extension Reconnection {
    /// The codes of a server that may be back soon (RFC 6455 §7.4.1, and the registry of IANA).
    private static let codes: Set<WebSocketCloseCode> = [
        .goingAway, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
    ]

    /// Returns whether a WebSocket is opened again after an end; `cause` is its error before a mapper has changed it.
    func comesBack(after end: WebSocketLoop.End, _ cause: (any Error)?) -> Bool {
        let isAlways = requests == .all
        switch end {
        case _ where requests == .none: return false
        case .closure: return false
        case .opening(let error):
            if case NetworkClient.Error.apiError? = cause as? NetworkClient.Error, isAlways { return true }
            return isTransient(cause ?? error)
        case .socket(nil): return isAlways
        case .socket(let closed as WebSocketClosed): return isAlways || Self.codes.contains(closed.code)
        case .socket(let error):
            let reason = (error as? NetworkClient.Error)?.transportError?.reason
            return isAlways || reason == .connectionLost || reason == .timedOut
        }
    }
}
