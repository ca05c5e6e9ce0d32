import NetworkUtilities

/// A decoding error as one sentence: the full coding path and the type expected, never a value from the payload.
///
/// The error's own `debugDescription` is not used, since Foundation and users' initialisers quote values in it.
package struct DecodingErrorText: CustomStringConvertible, Sendable {
    /// The sentence, with its full stop.
    package let description: String

    /// Renders any decoding error.
    package init(_ error: DecodingError) {
        description = Self.sentence(for: error)
    }

    /// What a sentence about the value at that place begins with.
    static func subject(at path: [any CodingKey]) -> String {
        path.isEmpty ? "The body" : "The value at '\(CodingPath(path))'"
    }

    private static func sentence(for error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context):
            "\(subject(at: context.codingPath + [key])) is missing."
        case .valueNotFound(let type, let context):
            "\(subject(at: context.codingPath)) is missing or null where \(name(of: type)) is expected."
        case .typeMismatch(let type, let context):
            "\(subject(at: context.codingPath)) is not of the type expected, \(name(of: type))."
        case .dataCorrupted(let context):
            "\(subject(at: context.codingPath)) \(reason(in: context))."
        @unknown default:
            "The body cannot be decoded."
        }
    }

    private static func reason(in context: DecodingError.Context) -> String {
        let undecodable = context.underlyingError as? UndecodableResponse
        let cause = undecodable.map(\.underlyingError) ?? context.underlyingError
        return if let reason = cause as? DecodingReason {
            reason.description
        } else if context.debugDescription == foundationTextForInvalidJSON {
            // Foundation says the same of a number that does not fit, and has no path for either.
            "is not valid JSON, or holds a number that its type cannot"
        } else {
            "has a form that its type does not accept"
        }
    }

    private static func name(of type: Any.Type) -> String {
        // Foundation's stand-ins for the two containers of JSON.
        if type == [String: Any].self { return "an object" }
        if type == [Any].self { return "an array" }
        return "\(type)"
    }

    private static let foundationTextForInvalidJSON = "The given data was not valid JSON."
}
