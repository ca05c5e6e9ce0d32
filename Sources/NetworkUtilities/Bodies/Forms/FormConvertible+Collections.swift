import Foundation

extension Optional: FormConvertible {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        guard let self else { return .null }
        return try FormValue(self, at: path)
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
        for (key, value) in self {
            guard let name = Self.name(key, at: path) else { throw path.failure("has a key that is no text or number") }
            let path = try path.appending(FormKey(stringValue: name))
            fields.append(FormValue.Field(name: name, value: try FormValue(value, at: path)))
        }
        return .object(fields.sorted { $0.name < $1.name })
    }

    /// The text that a key is, encodes as, or has as its raw value.
    private static func name(_ key: Key, at path: FormPath) -> String? {
        if let text = (try? FormValue(key, at: path))?.text { return text }
        guard let key = key as? any RawRepresentable else { return nil }
        return (try? FormValue(key.rawValue, at: path))?.text
    }
}

extension Data: FormConvertible {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        throw path.failure("holds bytes, which a form has no place for; make them a text first, such as Base64")
    }
}
