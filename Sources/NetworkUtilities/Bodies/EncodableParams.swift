/// Parameters of several types as one `Encodable` value, which becomes an object.
struct EncodableParams: Encodable {
    private let object: [String: Part]

    /// Converts each value; throws `BodyEncodingError.json` for one that `Params` may not contain.
    init(_ params: Params) throws(BodyEncodingError) {
        object = try Part.object(params, at: .root(()))
    }

    func encode(to encoder: any Encoder) throws {
        // The object is encoded as a dictionary, whose keys no encoder changes.
        var container = encoder.singleValueContainer()
        try container.encode(object)
    }

    private typealias Place = EncodingPlace<Void>

    private enum Part: Encodable {
        case null
        case value(any Encodable)
        case array([Part])
        case object([String: Part])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .value(let value): try container.encode(value)
            case .array(let parts): try container.encode(parts)
            case .object(let parts): try container.encode(parts)
            }
        }

        static func object(_ params: Params, at place: Place) throws(BodyEncodingError) -> [String: Part] {
            var parts: [String: Part] = [:]
            for (name, value) in params {
                parts[name] = try Part(value, at: place.part(FormKey(stringValue: name)))
            }
            return parts
        }

        init(_ value: Any, at place: Place) throws(BodyEncodingError) {
            // The probe of the encoder counts each level twice.
            guard place.depth <= FormPath.greatestDepth else {
                throw Self.failure("is nested deeper than \(FormPath.greatestDepth) levels", at: place)
            }
            switch value as? any Encodable ?? Self.swiftValue(of: value) {
            case nil: self = .null
            case let object as Params: self = .object(try Self.object(object, at: place))
            case let array as [Any]:
                var parts: [Part] = []
                for element in array {
                    parts.append(try Part(element, at: place.part(FormKey(intValue: parts.count))))
                }
                self = .array(parts)
            case let value as any Encodable: self = .value(value)
            case let text as Substring: self = .value(String(text))
            case let value as any RawRepresentable: self = try Part(value.rawValue, at: place.part(nil))
            default: throw Self.failure("is of type \(type(of: value)) and has no JSON form", at: place)
            }
        }

        /// Returns the value in an optional or in an object of Foundation; nil for nil.
        private static func swiftValue(of value: Any) -> Any? {
            var value = value
            while let wrapper = value as? any ValueWrapper {
                guard let wrapped = wrapper.wrapped else { return nil }
                value = wrapped
            }
            return value
        }

        private static func failure(_ reason: String, at place: Place) -> BodyEncodingError {
            .json(path: CodingPath(place.keys).description, reason: reason)
        }
    }
}
