/// Carries a value of one type to where the compiler knows the same type by another name.
///
/// A dynamic cast of a bare Optional looks through it, and a nil gets lost; a cast of this box compares the types
/// alone.
struct Decoded<Value> {
    let value: Value

    /// The value as a type that is known to be the same.
    ///
    /// - Throws: `DecodingError.typeMismatch` if it is another type, which no caller here can bring about.
    func unwrapped<Same>(as type: Same.Type = Same.self) throws -> Same {
        guard let same = self as? Decoded<Same> else {
            let text = "The body is not of the type expected, \(type)."
            throw DecodingError.typeMismatch(type, .init(codingPath: [], debugDescription: text))
        }
        return same.value
    }
}
