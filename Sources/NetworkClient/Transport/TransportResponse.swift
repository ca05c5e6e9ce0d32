/// The response that a transport received.
public struct TransportResponse: Sendable {
    package let head: ResponseHead

    /// The body of the response.
    public let body: Body

    /// Creates a response whose body is complete.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - data: The body, after content decoding.
    ///   - metrics: The metrics of the exchange; if nil, the client measures the total time itself.
    public init(response: HTTPURLResponse, data: Data = Data(), metrics: TransportMetrics? = nil) {
        self.init(head: ResponseHead(response, metrics: metrics), body: .whole(data))
    }

    /// Creates a response whose body is complete, and whose fields keep their order and their duplicates; nil if the
    /// status is not in 100…999.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - status: The status code.
    ///   - fields: The fields as they were received.
    ///   - trailers: The trailer fields as they were received; empty by default.
    ///   - data: The body, after content decoding.
    ///   - metrics: The metrics of the exchange; if nil, the client measures the total time itself.
    public init?(
        url: URL,
        status: Int,
        fields: ResponseFields,
        trailers: ResponseFields = ResponseFields([]),
        data: Data = Data(),
        metrics: TransportMetrics? = nil
    ) {
        guard 100...999 ~= status,
            let head = ReceivedResponse(
                url: url,
                status: status,
                fields: fields,
                trailers: trailers,
                metrics: metrics
            )
        else { return nil }
        self.init(response: head, data: data, metrics: metrics)
    }

    /// Creates a response whose body is still being received.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - chunks: The body, after content decoding. It is asked for the next chunk when there is room for it, and
    ///     cancelled when the body is not needed any more.
    ///   - metrics: The metrics of the exchange; if nil, the client measures the total time itself.
    public init<Chunks: AsyncSequence & Sendable>(
        response: HTTPURLResponse,
        chunks: Chunks,
        metrics: TransportMetrics? = nil
    ) where Chunks.Element == Data {
        self.init(head: ResponseHead(response, metrics: metrics), chunks: chunks)
    }

    package init<Chunks: AsyncSequence & Sendable>(head: ResponseHead, chunks: Chunks) where Chunks.Element == Data {
        head.beginsStream()
        self.init(head: head, body: .streamed(BufferedBodyChannel(BodyBuffer(filledFrom: chunks), of: head)))
    }

    package init(head: ResponseHead, body: Body) {
        self.head = head
        self.body = body
    }

    /// The head of the response.
    public var response: HTTPURLResponse { head.response }

    /// The status code.
    public var status: HTTPStatus { HTTPStatus(rawValue: head.status) }

    /// The metrics of the exchange, as far as the transport knows them.
    public var metrics: TransportMetrics? { head.metrics }

    /// The trailer fields (RFC 9110 §6.5), which come after the body; those of a streamed one when it was read to its
    /// end.
    ///
    /// A transport that streams the body sets them before the sequence of the chunks ends; all copies of the response,
    /// and the client's response, have them.
    public var trailers: ResponseFields {
        get { head.trailers }
        nonmutating set { head.trailers = newValue }
    }

    /// Returns the response with a body that is reported while it is read, for a transport that wraps another.
    ///
    /// The reader gets the body without delay. A complete body is reported at once.
    ///
    /// - Parameter onPart: Called with each portion, with nil at the end, and with the error with which the body ends
    ///   early: a `CancellationError` if the reader has left it, beside which one more portion may come. A body that
    ///   was cut at a limit ends with nil: ask ``Body-swift.struct/isCut``.
    /// - Returns: The same response, to be returned in place of this one.
    public func observingBody(_ onPart: @escaping @Sendable (Result<Data?, any Error>) -> Void) -> TransportResponse {
        if body.bytes != nil || body.socket != nil {
            if !body.data.isEmpty { onPart(.success(body.data)) }
            onPart(.success(nil))
            return self
        }
        return TransportResponse(head: head, body: .streamed(ObservedBody(body.channel, onPart)))
    }

    /// The body of a response, after content decoding.
    public struct Body: Sendable {
        private enum Content {
            case whole(Data, isCut: Bool)
            case streamed(any BodyChannel, isClaimed: Locked<Bool>)
            case socket(WebSocketConnection)
        }

        private let content: Content

        /// A complete body, or a body that was cut at its length limit.
        package static func whole(_ data: Data, isCut: Bool = false) -> Body {
            Body(content: .whole(data, isCut: isCut))
        }

        /// A body that is read as it arrives.
        package static func streamed(_ channel: any BodyChannel) -> Body {
            Body(content: .streamed(channel, isClaimed: Locked(false)))
        }

        /// The WebSocket that a response with the status 101 has opened.
        package static func socket(_ connection: WebSocketConnection) -> Body { Body(content: .socket(connection)) }

        /// The WebSocket that the response has opened; nil for any other response.
        package var socket: WebSocketConnection? {
            guard case .socket(let connection) = content else { return nil }
            return connection
        }

        /// The bytes of a complete body; nil for one that is read as it arrives, by ``chunks``, and for a WebSocket.
        public var bytes: Data? {
            guard case .whole(let data, _) = content else { return nil }
            return data
        }

        /// Whether the bytes are only the beginning of a body that is longer than the limit of the call.
        public var isCut: Bool {
            guard case .whole(_, let isCut) = content else { return false }
            return isCut
        }

        /// The portions of the body as they arrive, which are the reader's alone: a streamed body is read once.
        ///
        /// A transport that reads the portions returns another response, made by
        /// ``TransportResponse/init(response:chunks:metrics:)`` or another initialiser;
        /// ``TransportResponse/observingBody(_:)`` reports the portions and leaves the body to the caller. A second
        /// pass over a streamed body fails with the reason ``TransportError/Reason/bodyNotReplayable``. The exchange is
        /// stopped when the sequence and the response are released.
        public var chunks: Chunks { Chunks(body: self) }

        /// The bytes of a complete body; empty for a streamed body.
        package var data: Data { bytes ?? Data() }

        package var isStreamed: Bool { bytes == nil }

        /// The channel from which the body is read, whether it is complete or streamed.
        package var channel: any BodyChannel {
            switch content {
            case .whole(let data, _): WholeBodyChannel(data)
            case .streamed(let channel, let isClaimed): isClaimed.withLock { $0 } ? SpentBody() : channel
            case .socket(let connection): connection
            }
        }

        /// The channel for a reader that takes the body away from all others.
        fileprivate func claim() -> any BodyChannel {
            guard case .streamed(let channel, let isClaimed) = content else { return channel }
            let wasClaimed = isClaimed.withLock { isClaimed in
                defer { isClaimed = true }
                return isClaimed
            }
            return wasClaimed ? SpentBody() : channel
        }

        /// The portions of a body.
        public struct Chunks: AsyncSequence, Sendable {
            fileprivate let body: Body

            /// Begins to read; only once for a streamed body.
            public func makeAsyncIterator() -> Iterator { Iterator(channel: body.claim()) }

            /// Reads the portions of a body.
            public struct Iterator: AsyncIteratorProtocol {
                fileprivate let channel: any BodyChannel

                /// Returns the next portion, at least one byte; nil at the end.
                ///
                /// - Throws: The failure of the exchange; `CancellationError`; ``TransportError`` with the reason
                ///   ``TransportError/Reason/bodyNotReplayable`` if the body was read before.
                public mutating func next() async throws -> Data? { try await channel.next() }
            }
        }
    }
}

/// The body of a response that somebody else has read.
private final class SpentBody: BodyChannel {
    func next() throws -> Data? {
        throw TransportError(.bodyNotReplayable, detail: "the body of the response was read before")
    }

    func cancel() {}
}

/// A streamed body that is reported while it is read.
private final class ObservedBody: BodyChannel {
    /// A structure, since each use of a closure that is itself behind a lock would wrap it once more.
    private struct Observer {
        /// Nil after the end.
        var onPart: (@Sendable (Result<Data?, any Error>) -> Void)?
    }

    private let channel: any BodyChannel
    private let observer: Locked<Observer>

    init(_ channel: any BodyChannel, _ onPart: @escaping @Sendable (Result<Data?, any Error>) -> Void) {
        self.channel = channel
        observer = Locked(Observer(onPart: onPart))
    }

    func next() async throws -> Data? {
        do {
            let chunk = try await channel.next()
            if let chunk { observer.withLock { $0.onPart }?(.success(chunk)) } else { end(.success(nil)) }
            return chunk
        } catch {
            end(.failure(error))
            throw error
        }
    }

    func cancel() {
        end(.failure(CancellationError()))
        channel.cancel()
    }

    deinit {
        end(.failure(CancellationError()))
    }

    private func end(_ result: Result<Data?, any Error>) {
        let onPart = observer.withLock { observer in
            defer { observer.onPart = nil }
            return observer.onPart
        }
        onPart?(result)
    }
}

extension TransportResponse: OpaqueValue {
    /// The status and the kind of the body.
    public var description: String { "\(HTTPStatus(rawValue: head.status)), \(body)" }
}

extension TransportResponse.Body: OpaqueValue {
    /// The number of bytes, if the body is complete.
    public var description: String {
        socket != nil ? "a WebSocket" : isStreamed ? "a stream" : "\(data.count) bytes"
    }
}

extension TransportResponse.Body.Chunks: OpaqueValue {
    /// The number of bytes, if the body is complete; no content.
    public var description: String { "the chunks of \(body)" }
}

extension TransportResponse.Body.Chunks.Iterator: OpaqueValue {}
