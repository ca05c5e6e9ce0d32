/// Decodes the body of a response into a value.
///
/// Use ``DefaultDecoder``, or its ``handlingOptionalResponses`` form for endpoints that may respond with an empty body.
/// To write a decoder, implement ``decode(data:)`` and throw a `DecodingError`; it is called on any thread, possibly on
/// several at once.
public protocol DecoderProtocol: Sendable {
    /// Decodes a value from the whole body, after content decoding (gzip and the like).
    ///
    /// - Throws: A `DecodingError`, which callers receive as ``NetworkClient/Error/decodingError(type:)``. Any other
    ///   error reaches them unchanged.
    func decode<T: Decodable>(data: Data) throws -> T

    /// Decodes a value from the whole body and the head of the response.
    ///
    /// The client calls this method, whose default implementation calls ``decode(data:)``. Implement it if the value
    /// depends on the head, as text depends on the charset of `Content-Type`.
    func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T
}

extension DecoderProtocol {
    /// Decodes a value with ``decode(data:)``, ignoring the head.
    public func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T {
        try decode(data: data)
    }

    /// The same decoder, except that an `Optional` is nil if the body is empty, only white space, or `null`.
    ///
    /// Use it for endpoints that may respond with an empty body, such as 204. Other types are decoded as before.
    public var handlingOptionalResponses: NullHandlingDecoder {
        NullHandlingDecoder(self)
    }
}

/// Decodes an empty response as nil where the caller expects an `Optional`.
///
/// A body that is empty, only white space, or `null` counts as empty. Any other body, and any body for a type that is
/// not an `Optional`, is passed to the wrapped decoder. Use ``DecoderProtocol/handlingOptionalResponses`` to create
/// one.
public struct NullHandlingDecoder: DecoderProtocol, LayeredDecoder {
    private let decoder: any DecoderProtocol

    /// Wraps a decoder, unless it is wrapped already.
    public init(_ decoder: some DecoderProtocol) {
        self.decoder = (decoder as? NullHandlingDecoder)?.decoder ?? decoder
    }

    /// Decodes a value, or nil from an empty body.
    ///
    /// - Throws: The errors of the wrapped decoder.
    public func decode<T: Decodable>(data: Data) throws -> T {
        try decode(data, response: nil)
    }

    /// Decodes a value, or nil from an empty body, passing the head to the wrapped decoder.
    ///
    /// - Throws: The errors of the wrapped decoder.
    public func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T {
        try decode(data, response: response)
    }

    var withoutEnvelope: any DecoderProtocol { NullHandlingDecoder(decoder.withoutAnyEnvelope) }

    private func decode<T: Decodable>(_ data: Data, response: HTTPURLResponse?) throws -> T {
        if let type = T.self as? any OptionalDecodable.Type {
            try decodeOptional(type, from: data, response: response)
        } else {
            try decoder.decode(data, response)
        }
    }

    private func decodeOptional<Value: OptionalDecodable, T>(
        _ type: Value.Type,
        from data: Data,
        response: HTTPURLResponse?
    ) throws -> T {
        let wrapped: Value.Wrapped? = PlainBody(data).isNothing ? nil : try decoder.decode(data, response)
        return try Decoded(value: Value(wrapped: wrapped)).unwrapped()
    }
}

extension DecoderProtocol {
    /// Decodes a value, with the head if there is one.
    func decode<T: Decodable>(_ data: Data, _ response: HTTPURLResponse?) throws -> T {
        if let response {
            try decode(data: data, response: response)
        } else {
            try decode(data: data)
        }
    }
}

/// Lets generic code that encounters an `Optional` decode the type it wraps.
///
/// Only `Optional` conforms: `ExpressibleByNilLiteral` would include custom types.
protocol OptionalDecodable: Decodable {
    associatedtype Wrapped: Decodable

    init(wrapped: Wrapped?)
}

extension Optional: OptionalDecodable where Wrapped: Decodable {
    init(wrapped: Wrapped?) {
        self = wrapped
    }
}

/// A box that converts a value to another generic type that is the same type at run time.
///
/// A dynamic cast of a bare Optional unwraps it, so that a nil is lost. A cast of this box only compares the types.
struct Decoded<Value> {
    let value: Value

    /// Returns the value as a type that is known to be the same.
    ///
    /// - Throws: `DecodingError.typeMismatch` for another type, which no caller in this library requests.
    func unwrapped<Same>(as type: Same.Type = Same.self) throws -> Same {
        guard let same = self as? Decoded<Same> else {
            let text = "The body is not of the type expected, \(type)."
            throw DecodingError.typeMismatch(type, .init(codingPath: [], debugDescription: text))
        }
        return same.value
    }
}
