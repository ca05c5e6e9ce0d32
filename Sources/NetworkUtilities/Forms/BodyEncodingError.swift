/// A body that could not be made from the value it was given.
///
/// The text says what has no form and where it stands in the value; it never holds the value itself.
public enum BodyEncodingError: Error, Sendable, Equatable {
    /// The value has no JSON form, such as an infinite number.
    ///
    /// - Parameters:
    ///   - path: Where in the value, as in `orders[2].price`; empty for the value itself.
    ///   - reason: What is wrong with it, as the rest of a sentence.
    case json(path: String, reason: String)

    /// The value has no form in `application/x-www-form-urlencoded`, such as `Data` or an object.
    ///
    /// - Parameters:
    ///   - path: Where in the parameters, as in `filter[tags][0]`.
    ///   - reason: What is wrong with it, as the rest of a sentence.
    case form(path: String, reason: String)
}

extension BodyEncodingError: CustomStringConvertible {
    /// One sentence that names the place and the reason.
    public var description: String {
        switch self {
        case .json(let path, let reason):
            "The JSON body cannot be encoded: \(path.isEmpty ? "the value" : "'\(path)'") \(reason)."
        case .form(let path, let reason):
            "The form body cannot be encoded: \(path.isEmpty ? "the value" : "'\(path)'") \(reason)."
        }
    }
}
