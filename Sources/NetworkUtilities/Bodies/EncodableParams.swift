/// Parameters of several types as one `Encodable` value, which becomes an object without those that are nil.
package struct EncodableParams: Encodable {
    private let object: [String: Part]

    /// Converts each value; throws `BodyEncodingError.json` for one that `Params` may not contain.
    ///
    /// The name is that of the member which the parameters become; nil for the whole text.
    package init(_ params: Params, name: String? = nil) throws(BodyEncodingError) {
        let root = Place.root(())
        object = try Part.object(params, at: name.map { root.part(AnyCodingKey($0)) } ?? root)
    }

    package func encode(to encoder: any Encoder) throws {
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
                guard let value = present(value) else { continue }
                parts[name] = try Part(value, at: place.part(AnyCodingKey(name)))
            }
            return parts
        }

        /// A set has no order, so its elements are sorted: equal sets have equal bodies.
        static func array(_ elements: some Sequence, at place: Place) throws(BodyEncodingError) -> [Part] {
            var parts: [Part] = []
            let isSet = elements is any SetAlgebra
            for element in isSet ? elements.sorted(by: { "\($0)" < "\($1)" }) : Array(elements) {
                parts.append(try Part(element, at: place.part(AnyCodingKey(intValue: parts.count))))
            }
            return parts
        }

        init(_ value: Any, at place: Place) throws(BodyEncodingError) {
            // The probe of the encoder counts each level twice.
            guard place.depth <= FormPath.greatestDepth else {
                throw Self.failure("is nested deeper than \(FormPath.greatestDepth) levels", at: place)
            }
            guard let value = Self.present(value), !Self.isNull(value) else {
                self = .null
                return
            }
            switch value {
            case let object as Params: self = .object(try Self.object(object, at: place))
            case let array as [Any]: self = .array(try Self.array(array, at: place))
            case let elements as any FormArray: self = .array(try Self.array(elements, at: place))
            case let value as any Encodable: self = .value(value)
            case let object as any FormKeyed:
                guard let values = object.namedValues(.form) else {
                    throw Self.failure("has a key that is not a text or a number", at: place)
                }
                let params = Params(values.map { ($0.name, $0.value) }) { first, _ in first }
                guard params.count == values.count else {
                    throw Self.failure("has two keys with the same text", at: place)
                }
                self = .object(try Self.object(params, at: place))
            case let value as any RawRepresentable: self = try Part(value.rawValue, at: place.part(nil))
            default:
                // A text in a form is a text in JSON: a character, a media type.
                guard let text = (try? FormValue(value, at: .root(.form)))?.text else {
                    throw Self.failure("is of type \(type(of: value)) and has no JSON form", at: place)
                }
                self = .value(text)
            }
        }

        /// Returns the value in an optional or in an object of Foundation, and `NSNull` as itself; nil for nil.
        private static func present(_ value: Any) -> Any? {
            var value = value
            while let wrapper = value as? any ValueWrapper {
                guard let wrapped = wrapper.wrapped else { return isNull(wrapper) ? wrapper : nil }
                value = wrapped
            }
            return value
        }

        /// Compares the types: a cast to a class would convert a dictionary to an object, with all its parts.
        private static func isNull(_ value: Any) -> Bool { type(of: value) == NSNull.self }

        private static func failure(_ reason: String, at place: Place) -> BodyEncodingError {
            .json(path: CodingPath(place.keys).description, reason: reason)
        }
    }
}
