import JSONDecoding

extension DecoderProtocol {
    /// Returns the same decoder, followed by a step that checks or changes each decoded value of a type.
    ///
    /// ```swift
    /// struct Unnamed: Error {}
    ///
    /// let client = NetworkClient(decoder: .default.mapping { (item: Item) in
    ///     guard !item.name.isEmpty else { throw Unnamed() }
    ///     return item
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type, or a protocol: values of all types that conform to it are mapped.
    ///   - transform: Returns the value for the caller, which must be of the same type as the decoded one. An error
    ///     that it throws reaches the caller unchanged, and the request is not sent again.
    /// - Returns: A decoder that wraps this one.
    public func mapping<Value>(
        _ type: Value.Type = Value.self,
        _ transform: @escaping @Sendable (Value) throws -> Value
    ) -> MappingDecoder<Value> {
        MappingDecoder(decoder: self, transform: transform)
    }
}

/// Decodes values with another decoder, and checks or changes the values of one type.
///
/// Use ``DecoderProtocol/mapping(_:_:)`` to create one. The step applies to whole responses, not to the elements of an
/// array or the properties of a model.
public struct MappingDecoder<Value>: DecoderProtocol, LayeredDecoder {
    fileprivate let decoder: any DecoderProtocol
    fileprivate let transform: @Sendable (Value) throws -> Value

    /// Decodes and maps a value.
    ///
    /// - Throws: The errors of the wrapped decoder and of the step.
    public func decode<T: Decodable>(data: Data) throws -> T {
        try mapped(decoder.decode(data: data))
    }

    /// Decodes and maps a value, passing the head to the wrapped decoder.
    ///
    /// - Throws: The errors of the wrapped decoder and of the step.
    public func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T {
        try mapped(decoder.decode(data: data, response: response))
    }

    var withoutEnvelope: any DecoderProtocol {
        MappingDecoder(decoder: decoder.withoutAnyEnvelope, transform: transform)
    }

    fileprivate func mapped<T>(_ value: T) throws -> T {
        // An envelope decoder around this one asks for an envelope, which contains the value.
        if let envelope = value as? any MappableEnvelope { return try Self.same(envelope.mapped(by: self)) }
        if T.self == Value.self {
            return try Decoded(value: transform(Decoded(value: value).unwrapped())).unwrapped()
        }
        // A nil can be cast to every Optional type, so an Optional is mapped only if the types are equal.
        guard !(Value.self is any OptionalDecodable.Type), let own = value as? Value else { return value }
        return try Self.same(transform(own))
    }

    private static func same<Mapped, T>(_ value: Mapped) throws -> T {
        guard let value = value as? T else {
            throw DecodingReason("was mapped to another type than \(T.self)").error()
        }
        return value
    }
}

/// An envelope of any type of value.
private protocol MappableEnvelope {
    func mapped<Mapped>(by decoder: MappingDecoder<Mapped>) throws -> Self
}

extension Envelope: MappableEnvelope {
    fileprivate func mapped<Mapped>(by decoder: MappingDecoder<Mapped>) throws -> Self {
        var envelope = self
        // The caller's closure may decode other bodies, to which the remaining envelope steps do not apply.
        envelope.value = try EnvelopeStep.$remaining.withValue([]) { try decoder.mapped(value) }
        return envelope
    }
}
