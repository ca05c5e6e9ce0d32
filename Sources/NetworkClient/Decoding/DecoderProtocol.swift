public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Turns the bytes of an answer into a value.
///
/// Use ``DefaultDecoder``, or its ``handlingOptionalResponses`` form for endpoints that may answer with nothing. To
/// write one, implement ``decode(data:)`` and throw a `DecodingError`; it runs on any thread, several at once.
public protocol DecoderProtocol: Sendable {
    /// Decodes one value from the whole body.
    ///
    /// - Parameter data: The body, after content decoding (gzip and the like).
    /// - Returns: The value.
    /// - Throws: A `DecodingError`, which callers get as ``NetworkClient/Error/decodingError(type:)``; any other error
    ///   reaches them unchanged.
    func decode<T: Decodable>(data: Data) throws -> T

    /// Decodes one value from the whole body, with the head of the answer at hand.
    ///
    /// The client calls this one; its default calls ``decode(data:)``. Implement it if the value depends on the head,
    /// as text depends on the charset of `Content-Type`.
    ///
    /// - Parameters:
    ///   - data: The body, after content decoding.
    ///   - response: The head of the answer.
    /// - Returns: The value.
    /// - Throws: As ``decode(data:)``.
    func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T
}

extension DecoderProtocol {
    /// Decodes without regard to the head.
    ///
    /// - Parameters:
    ///   - data: The body, after content decoding.
    ///   - response: The head of the answer, which is not looked at.
    /// - Returns: The value.
    /// - Throws: As ``decode(data:)``.
    public func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T {
        try decode(data: data)
    }

    /// The same decoder, but an `Optional` is nil if the body is empty, only white space, or `null`.
    ///
    /// For endpoints that may answer with nothing, such as 204. Types that are not an `Optional` are decoded as before;
    /// asking twice changes nothing.
    public var handlingOptionalResponses: NullHandlingDecoder {
        NullHandlingDecoder(self)
    }
}
