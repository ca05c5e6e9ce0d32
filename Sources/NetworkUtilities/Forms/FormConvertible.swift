/// A type whose values have a form of their own, whatever they would encode as.
///
/// Values that are held as `Any` are recognised by this conformance only, which looks at what they are. A cast to
/// `Bool` or `Int` would on Apple platforms also look at what they could be bridged to, and take 1 for true.
protocol FormConvertible {
    /// The value as a part of a form.
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue
}

extension FormValue {
    /// Converts any value, or says why it has no form.
    init(_ value: Any, at path: FormPath) throws(BodyEncodingError) {
        if let common = FormValue(common: value, in: path) {
            self = common
        } else if let convertible = value as? any FormConvertible {
            self = try convertible.formValue(at: path)
        } else if let encodable = value as? any Encodable {
            self = try FormValueEncoder.encode(encodable, at: path)
        } else if let value = value as? any RawRepresentable {
            self = try FormValue(value.rawValue, at: path.descending())
        } else {
            throw path.failure("is of the type \(type(of: value)), which is not Encodable")
        }
    }
}

extension FormValue {
    /// Converts a value that has a form, even if only by what it encodes as.
    init(encoding value: some Encodable, at path: FormPath) throws(BodyEncodingError) {
        if let common = FormValue(common: value, in: path) {
            self = common
        } else if let convertible = value as? any FormConvertible {
            self = try convertible.formValue(at: path)
        } else {
            self = try FormValueEncoder.encode(value, at: path)
        }
    }

    /// Converts a value of one of the commonest types; nil for any other, for one without a form and where
    /// nothing may be deeper.
    ///
    /// Types are compared before a cast, which on Apple platforms would also bridge, and a cast to a protocol costs
    /// more than all the rest.
    /// The path may be that of the value or of what it is a part of.
    init?(common value: Any, in path: FormPath) {
        guard !path.isDeepest else { return nil }
        let type = type(of: value)
        if type == String.self, let text = value as? String {
            self = .text(text)
        } else if type == Int.self, let number = value as? Int {
            self = .text(String(number))
        } else if type == Bool.self, let value = value as? Bool {
            self = .text(path.style.booleans.text(of: value))
        } else if type == Double.self, let number = value as? Double, number.isFinite {
            self = .text(String(number))
        } else {
            return nil
        }
    }
}
