public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The answer that a transport brought.
public struct TransportResponse: Sendable {
    let head: ResponseHead

    /// The body of the answer.
    public let body: Body

    /// Takes an answer whose body is complete.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - data: The body, after content decoding.
    ///   - metrics: How the exchange went; nil if only the client's own clock shall say how long it took.
    public init(response: HTTPURLResponse, data: Data = Data(), metrics: TransportMetrics? = nil) {
        self.init(head: ResponseHead(response, metrics: metrics), body: .whole(data))
    }

    /// Takes an answer whose body is still on its way.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - chunks: The body, after content decoding; asked for the next chunk when there is room for it, and cancelled
    ///     when nobody wants it any more.
    ///   - metrics: How the exchange went; nil if only the client's own clock shall say how long it took.
    public init<Chunks: AsyncSequence & Sendable>(
        response: HTTPURLResponse,
        chunks: Chunks,
        metrics: TransportMetrics? = nil
    ) where Chunks.Element == Data {
        self.init(head: ResponseHead(response, metrics: metrics), body: .streamed(SequenceChannel(chunks)))
    }

    init(head: ResponseHead, body: Body) {
        self.head = head
        self.body = body
    }

    /// The head of the answer.
    public var response: HTTPURLResponse { head.response }

    /// How the exchange went, as far as the transport knows.
    public var metrics: TransportMetrics? { head.metrics }
}
