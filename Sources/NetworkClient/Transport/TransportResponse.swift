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
        self.init(head: ResponseHead(response, metrics: metrics), data: data)
    }

    init(head: ResponseHead, data: Data) {
        self.head = head
        body = Body(data: data)
    }

    /// The head of the answer.
    public var response: HTTPURLResponse { head.response }

    /// How the exchange went, as far as the transport knows.
    public var metrics: TransportMetrics? { head.metrics }

    /// The body of an answer, after content decoding.
    public struct Body: Sendable {
        /// The bytes; a body that is complete when the head is known.
        let data: Data
    }
}
