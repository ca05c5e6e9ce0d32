public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The answer that a transport brought.
public struct TransportResponse: Sendable {
    /// The head of the answer.
    public let response: HTTPURLResponse

    /// The body of the answer.
    public let body: Body

    /// Takes an answer whose body is complete.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - data: The body, after content decoding.
    public init(response: HTTPURLResponse, data: Data = Data()) {
        self.response = response
        body = Body(data: data)
    }

    /// The body of an answer, after content decoding.
    public struct Body: Sendable {
        /// The bytes; a body that is complete when the head is known.
        let data: Data
    }
}
