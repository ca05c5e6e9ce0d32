import Foundation

/// A value that may be missing, whatever it is a value of.
private protocol FormOptional {
    var unwrapped: Any? { get }
}

extension Optional: FormOptional {
    fileprivate var unwrapped: Any? { map { $0 as Any } }
}

extension Optional: FormConvertible {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        var value = self as Any
        // In a loop, since a value in `Any` can be optional any number of times.
        while let optional = value as? any FormOptional {
            guard let unwrapped = optional.unwrapped else { return .null }
            value = unwrapped
        }
        return try FormValue(value, at: path)
    }
}

extension AnyHashable: FormConvertible {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        try FormValue(base, at: path)
    }
}

/// The keys of a dictionary have no order, so they are sorted: the same dictionary is the same form each time.
extension Dictionary: FormConvertible {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        var fields: [FormValue.Field] = []
        fields.reserveCapacity(count)
        for (key, value) in self {
            guard let name = Self.name(key, at: path) else { throw path.failure("has a key that is no text or number") }
            fields.append(try FormValue.Field(name, value, in: path))
        }
        // Two keys may have one name, such as 1 and "1".
        return .object(fields.sorted { $0.name == $1.name ? "\($0.value)" < "\($1.value)" : $0.name < $1.name })
    }

    /// The text that a key is, encodes as, or has as its raw value.
    private static func name(_ key: Key, at path: FormPath) -> String? {
        if Key.self == String.self, let name = key as? String { return name }
        if let text = (try? FormValue(key, at: path))?.text { return text }
        guard let key = key as? any RawRepresentable else { return nil }
        return (try? FormValue(key.rawValue, at: path))?.text
    }
}

extension FormValue.Field {
    /// Converts one value of an object, which is at the path.
    init(_ name: String, _ value: Any, in path: FormPath) throws(BodyEncodingError) {
        self.name = name
        if let common = FormValue(common: value, in: path) {
            self.value = common
        } else {
            self.value = try FormValue(value, at: path.appending(FormKey(stringValue: name)))
        }
    }
}

extension FormValue {
    /// Converts the fields of a form, as any dictionary is converted, without looking at the types of its keys.
    init(params: Params, at path: FormPath) throws(BodyEncodingError) {
        var fields: [Field] = []
        fields.reserveCapacity(params.count)
        for (name, value) in params { fields.append(try Field(name, value, in: path)) }
        self = .object(fields.sorted { $0.name < $1.name })
    }
}

extension Data: FormConvertible {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        throw path.failure("holds bytes, which have no text of their own; make them one first, such as Base64")
    }
}
