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
    ///   - data: The body, after content decoding.
    ///   - metrics: The metrics of the exchange; if nil, the client measures the total time itself.
    public init?(
        url: URL,
        status: Int,
        fields: ResponseFields,
        data: Data = Data(),
        metrics: TransportMetrics? = nil
    ) {
        guard 100...999 ~= status,
            let head = ReceivedResponse(url: url, status: status, fields: fields, metrics: metrics)
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
        let channel = BufferedBodyChannel(BodyBuffer(filledFrom: chunks))
        self.init(head: ResponseHead(response, metrics: metrics), body: .streamed(channel))
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

    /// The body of a response, after content decoding.
    public struct Body: Sendable {
        private enum Content {
            case whole(Data, isCut: Bool)
            case streamed(any BodyChannel)
        }

        private let content: Content

        /// A complete body, or a body that was cut at its length limit.
        package static func whole(_ data: Data, isCut: Bool = false) -> Body {
            Body(content: .whole(data, isCut: isCut))
        }

        /// A body that is read as it arrives.
        package static func streamed(_ channel: any BodyChannel) -> Body { Body(content: .streamed(channel)) }

        /// The bytes of a complete body; empty for a streamed body.
        package var data: Data {
            guard case .whole(let data, _) = content else { return Data() }
            return data
        }

        /// Whether the bytes are only the beginning of a body that is longer than the limit.
        package var isCut: Bool {
            guard case .whole(_, let isCut) = content else { return false }
            return isCut
        }

        package var isStreamed: Bool {
            guard case .streamed = content else { return false }
            return true
        }

        /// The channel from which the body is read, whether it is complete or streamed.
        package var channel: any BodyChannel {
            switch content {
            case .whole(let data, _): WholeBodyChannel(data)
            case .streamed(let channel): channel
            }
        }
    }
}

extension TransportResponse: OpaqueValue {
    /// The status and the kind of the body.
    public var description: String { "\(HTTPStatus(rawValue: head.status)), \(body)" }
}

extension TransportResponse.Body: OpaqueValue {
    /// The number of bytes, if the body is complete.
    public var description: String { isStreamed ? "a stream" : "\(data.count) bytes" }
}
