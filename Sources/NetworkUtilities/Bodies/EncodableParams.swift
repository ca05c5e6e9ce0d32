/// Parameters of several types as one `Encodable` value, which becomes an object.
struct EncodableParams: Encodable {
    private let params: Params

    init(_ params: Params) {
        self.params = params
    }

    func encode(to encoder: any Encoder) throws {
        try EncodableValue(value: params).encode(to: encoder)
    }
}

/// A value of any type; throws `EncodingError` if it is not one that `Params` may contain.
private struct EncodableValue: Encodable {
    let value: Any

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case let value as any Encodable:
            try container.encode(value)
        case let object as Params:
            // As a dictionary, whose keys no encoder changes.
            try container.encode(object.mapValues(EncodableValue.init))
        case let array as [Any]:
            try container.encode(array.map(EncodableValue.init))
        case let optional as any AnyOptional:
            guard let wrapped = optional.unwrapped else { return try container.encodeNil() }
            try EncodableValue(value: wrapped).encode(to: encoder)
        case let value as any RawRepresentable:
            try EncodableValue(value: value.rawValue).encode(to: encoder)
        default:
            let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "")
            throw EncodingError.invalidValue(value, context)
        }
    }
}
