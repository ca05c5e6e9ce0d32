public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Decodes an answer with nothing in it as nil where the caller asked for an `Optional`.
///
/// A body that is empty, only white space, or `null` is nothing. Any other body, and any body for a type that is not an
/// `Optional`, goes to the decoder inside. Made by ``DecoderProtocol/handlingOptionalResponses``.
public struct NullHandlingDecoder: DecoderProtocol {
    private let decoder: any DecoderProtocol

    /// Wraps a decoder; one that is wrapped already is not wrapped twice.
    ///
    /// - Parameter decoder: What decodes a body that is not nothing.
    public init(_ decoder: some DecoderProtocol) {
        self.decoder = (decoder as? NullHandlingDecoder)?.decoder ?? decoder
    }

    /// Decodes one value, or nil from nothing.
    ///
    /// - Parameter data: The body, after content decoding.
    /// - Returns: The value.
    /// - Throws: What the decoder inside throws.
    public func decode<T: Decodable>(data: Data) throws -> T {
        try decode(data, response: nil)
    }

    /// Decodes one value, or nil from nothing, with the head of the answer at hand.
    ///
    /// - Parameters:
    ///   - data: The body, after content decoding.
    ///   - response: The head of the answer, which goes to the decoder inside.
    /// - Returns: The value.
    /// - Throws: What the decoder inside throws.
    public func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T {
        try decode(data, response: response)
    }

    private func decode<T: Decodable>(_ data: Data, response: HTTPURLResponse?) throws -> T {
        if let type = T.self as? any OptionalDecodable.Type {
            try decodeOptional(type, from: data, response: response)
        } else {
            try decodeInside(data, response: response)
        }
    }

    private func decodeOptional<Value: OptionalDecodable, T>(
        _ type: Value.Type,
        from data: Data,
        response: HTTPURLResponse?
    ) throws -> T {
        let wrapped: Value.Wrapped? = PlainBody(data).isNothing ? nil : try decodeInside(data, response: response)
        return try Decoded(value: Value(wrapped: wrapped)).unwrapped()
    }

    private func decodeInside<T: Decodable>(_ data: Data, response: HTTPURLResponse?) throws -> T {
        if let response {
            try decoder.decode(data: data, response: response)
        } else {
            try decoder.decode(data: data)
        }
    }
}
