/// An open WebSocket (RFC 6455): messages in both directions, over their own connection.
///
/// ```swift
/// let socket = try await client.webSocket(.get(path: "rooms/7"))
/// try await socket.send("hello")
/// for try await message in socket {
///     if case .text(let text) = message { print(text) }
/// }
/// ```
///
/// The sequence ends when the server closes the socket with the code 1000, or with none. Any other end is an error: a
/// ``WebSocketClosed`` with the server's code, and ``TransportError/Reason/connectionLost`` for a connection that ends
/// without a Close, so that what is cut does not look complete. Messages that arrived before the end are read first.
///
/// Messages can be sent from any task. They are read by one task at a time; leaving a loop leaves the socket open, and
/// another loop goes on. Releasing the socket, ``cancel()``, `cancelAll()` of the client, and cancelling the task that
/// reads end the connection at once, without a Close.
public final class WebSocket: AsyncSequence, Sendable {
    /// The head of the server's response, with the status 101.
    public let response: HTTPURLResponse

    /// The subprotocol that the server has chosen among those that were offered; nil for none.
    public let subprotocol: String?

    let opened: OpenedSocket
    private let closeTimeout: TimeInterval
    private let encoder: any JSONDataEncoder
    private let reader = SingleReader()
    private let keepAlive: Task<Void, Never>?

    init(
        _ opened: OpenedSocket,
        _ response: HTTPURLResponse,
        _ options: WebSocketOptions,
        _ encoder: any JSONDataEncoder
    ) {
        (self.opened, self.response, self.encoder) = (opened, response, encoder)
        closeTimeout = Seconds.wait(options.closeTimeout, or: WebSocketOptions().closeTimeout)
        subprotocol = opened.connection.subprotocol
        // Cancelled with the socket, and over when it has ended.
        // On a clock that advances itself, no time passes beside the sleeps.
        keepAlive = (opened.time.advancesItself ? nil : options.keepAlive).map { seconds in
            let seconds = seconds > 0 ? seconds : WebSocketOptions.usualKeepAlive
            return Task {
                [channel = opened.connection.channel, time = opened.time, weak connection = opened.connection] in
                do {
                    try await channel.keepAlive(seconds, on: time)
                } catch {
                    if !(error is CancellationError) { connection?.end(with: error) }
                }
            }
        }
    }

    deinit {
        cancel()
    }

    private var channel: WebSocketChannel { opened.connection.channel }

    /// The server's Close; nil before it, and if the socket has ended without one.
    public var closed: WebSocketClosed? { channel.closed }

    /// Ends the connection at once, without a Close, and drops unread messages; the reader gets a `CancellationError`.
    ///
    /// It has no effect after the end of the socket.
    public func cancel() {
        keepAlive?.cancel()
        opened.connection.cancel()
    }

    // MARK: - Sending

    /// Sends a text, and returns when there is room for another message: see ``WebSocketOptions/sendBuffer``.
    ///
    /// Messages arrive in the order of the calls; the server has not read them when the function returns.
    ///
    /// - Throws: What the reader gets, after the end; ``TransportError/Reason/connectionLost`` after
    ///   ``close(_:reason:)``; `CancellationError` if the task was cancelled: the message was sent only if it waited
    ///   already.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// Sends bytes as a binary message; otherwise as ``send(_:)-(String)``.
    public func send(_ data: Data) async throws { try await send(.binary(data)) }

    /// Sends a message; otherwise as ``send(_:)-(String)``.
    public func send(_ message: WebSocketMessage) async throws { try await send(message) {} }

    /// Sends a message; `queued` is called when it has its place: if the function throws before, it is not sent.
    func send(_ message: WebSocketMessage, queued: () -> Void) async throws {
        try await failing { try await channel.send(message, queued: queued) }
    }

    /// Sends a value as a text of JSON, by the encoder of the client's builder; otherwise as ``send(_:)-(String)``.
    ///
    /// - Throws: ``NetworkClient/Error/encodingError(type:)`` for a value that can't be encoded, too.
    public func send(json value: some Encodable) async throws {
        try await send(WebSocketMessage(json: value, by: encoder))
    }

    /// Sends a ping, and waits for its pong.
    ///
    /// - Returns: The seconds until the pong.
    /// - Throws: What the reader gets, if the socket ends before; `CancellationError`.
    @discardableResult
    public func ping() async throws -> TimeInterval {
        let begin = opened.time.now
        try await failing { try await channel.ping() }
        return opened.time.now - begin
    }

    /// Closes the socket behind the messages that were sent, and waits for the server's Close.
    ///
    /// Messages that are unread can still be read. A later call waits for the same end. While messages that a reader
    /// has left unread fill the ``WebSocketOptions/receiveBuffer``, the server's Close does not arrive.
    ///
    /// - Parameters:
    ///   - code: Why: 1000, 1001, 1008, 1009, 1011 or a number from 3000 to 4999.
    ///   - reason: A text for the server; beyond 123 bytes of UTF-8, it is cut.
    /// - Throws: ``TransportError/Reason/timedOut`` if the server has not closed the socket within
    ///   ``WebSocketOptions/closeTimeout``, and ``TransportError/Reason/invalidRequest`` for another code;
    ///   `CancellationError`. In the first case, the connection has ended.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async throws {
        do {
            try code.checkForClients()
            let limit = TimeLimit(seconds: closeTimeout, on: opened.time)
            try await channel.close(code, reason: reason, until: limit)
        } catch is TimeLimit.Passed {
            let detail = "the server has not closed the WebSocket within its closeTimeout of \(closeTimeout.inWords)"
            let error = TransportError(.timedOut, detail: detail)
            opened.connection.end(with: error)
            throw opened.failure(error)
        } catch {
            throw opened.failure(error)
        }
    }

    // MARK: - Reading

    /// Waits for the next message.
    ///
    /// - Throws: ``WebSocketClosed`` when the server has closed the socket, with any code; otherwise as the loop over
    ///   the socket.
    public func receive() async throws -> WebSocketMessage {
        guard let message = try await next() else { throw closed ?? WebSocketClosed(code: .normal) }
        return message
    }

    fileprivate func next() async throws -> WebSocketMessage? {
        do {
            return try await reader.read { try await channel.next() }
        } catch {
            if error is CancellationError { cancel() }
            throw opened.failure(error)
        }
    }

    /// Creates an iterator over the messages that no one has read.
    public func makeAsyncIterator() -> Iterator { Iterator(socket: self) }

    /// The iterator over the messages of a socket.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let socket: WebSocket

        /// Waits for the next message; returns nil when the server has closed the socket with the code 1000, or none.
        ///
        /// Throws ``WebSocketClosed``; ``NetworkClient/Error``, also if another task reads the socket; and
        /// `CancellationError` if the task or the socket was cancelled.
        public mutating func next() async throws -> WebSocketMessage? { try await socket.next() }
    }

    /// The values of the messages, texts and bytes alike, decoded with the decoder of the call or the client.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - malformed: What is done with a message that cannot be decoded; by default its
    ///     ``NetworkClient/Error/decodingError(type:)`` ends the sequence, and the socket stays open.
    /// - Returns: The values, which end as the messages do.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        malformed: MalformedValue = .throwing
    ) -> WebSocketValues<Value> {
        WebSocketValues(opened.decoder, malformed) { try await self.next() }
    }

    private func failing<Result>(_ operation: () async throws -> Result) async throws -> Result {
        do {
            return try await operation()
        } catch {
            throw opened.failure(error)
        }
    }
}

/// Lets one task at a time read.
struct SingleReader: Sendable {
    private let isReading = Locked(false)

    /// Runs a read.
    ///
    /// - Throws: ``TransportError/Reason/invalidRequest`` if another task reads; the errors of the read.
    func read<Result>(_ operation: () async throws -> Result) async throws -> Result {
        let isFirst = isReading.withLock { isReading in
            defer { isReading = true }
            return !isReading
        }
        guard isFirst else {
            throw TransportError(.invalidRequest, detail: "another task reads the WebSocket already")
        }
        defer { isReading.withLock { $0 = false } }
        return try await operation()
    }
}

/// The decoded messages of a WebSocket.
public struct WebSocketValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    private let decoder: any DecoderProtocol
    private let malformed: MalformedValue
    private let message: @Sendable () async throws -> WebSocketMessage?

    init(
        _ decoder: any DecoderProtocol,
        _ malformed: MalformedValue,
        _ message: @escaping @Sendable () async throws -> WebSocketMessage?
    ) {
        (self.decoder, self.malformed, self.message) = (PartDecoder(decoder: decoder), malformed, message)
    }

    /// Creates an iterator over the messages that no one has read.
    public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

    /// The iterator over the values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let values: WebSocketValues
        private var index = -1
        private var isAtEnd = false

        fileprivate init(values: WebSocketValues) {
            self.values = values
        }

        /// Waits for the next value; returns nil at the end.
        ///
        /// Throws as the iterator over the messages, and ``NetworkClient/Error/decodingError(type:)``.
        public mutating func next() async throws -> Value? {
            while !isAtEnd, let message = try await values.message() {
                index += 1
                do {
                    return try values.decoder.decode(data: message.data)
                } catch let thrown where !(thrown is CancellationError) {
                    let error = DecodingError.of(valueAt: index, thrown)
                    if let error = values.malformed.handle(.decodingError(type: error)) {
                        isAtEnd = true
                        throw error
                    }
                }
            }
            return nil
        }
    }
}

extension WebSocketMessage {
    /// Creates a text of JSON.
    ///
    /// - Throws: ``NetworkClient/Error/encodingError(type:)``.
    init(json value: some Encodable, by encoder: any JSONDataEncoder) throws {
        do {
            self = .text(String(decoding: try encoder.encode(value), as: UTF8.self))
        } catch {
            throw NetworkClient.Error(error) ?? error
        }
    }

    /// The bytes of the message: those of a text in UTF-8.
    public var data: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .binary(let data): data
        }
    }
}

extension WebSocket: OpaqueValue {}
extension WebSocket.Iterator: OpaqueValue {}
extension WebSocketValues: OpaqueValue {}
extension WebSocketValues.Iterator: OpaqueValue {}
