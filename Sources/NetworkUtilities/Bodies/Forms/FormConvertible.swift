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
        if let convertible = value as? any FormConvertible {
            self = try convertible.formValue(at: path)
        } else if let encodable = value as? any Encodable {
            self = try FormValueEncoder.encode(encodable, at: path)
        } else {
            throw path.failure("is of the type \(type(of: value)), which is not Encodable")
        }
    }
}
