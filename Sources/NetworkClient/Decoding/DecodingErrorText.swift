import NetworkUtilities

/// A decoding error as one sentence: the full coding path and the type expected, never a value from the payload.
///
/// The error's own `debugDescription` is not used, since Foundation and users' initialisers quote values in it.
package struct DecodingErrorText: CustomStringConvertible, Sendable {
    /// The sentence, with its full stop.
    package let description: String

    /// Describes a decoding error.
    package init(_ error: DecodingError) {
        self.init(error, cause: error.context?.underlyingError)
    }

    /// Describes a decoding error whose context holds another underlying error than the decoder's, which is `cause`.
    init(_ error: DecodingError, cause: (any Error)?) {
        description = Self.sentence(for: error, cause)
    }

    /// Returns the beginning of a sentence about the value at that path.
    static func subject(at path: [any CodingKey]) -> String {
        path.isEmpty ? "The body" : "The value at '\(CodingPath(path))'"
    }

    private static func sentence(for error: DecodingError, _ cause: (any Error)?) -> String {
        switch error {
        case .keyNotFound(let key, let context):
            "\(subject(at: context.codingPath + [key])) is missing."
        case .valueNotFound(let type, let context):
            "\(subject(at: context.codingPath)) is missing or null where \(name(of: type)) is expected."
        case .typeMismatch(let type, let context):
            "\(subject(at: context.codingPath)) is not of the type expected, \(name(of: type))."
        case .dataCorrupted(let context):
            "\(subject(at: context.codingPath)) \(reason(context, cause))."
        @unknown default:
            "The body cannot be decoded."
        }
    }

    private static func reason(_ context: DecodingError.Context, _ cause: (any Error)?) -> String {
        if let reason = cause as? DecodingReason {
            reason.description
        } else if context.debugDescription == foundationTextForInvalidJSON {
            // Foundation's text for a number that does not fit its type is the same; neither error has a path.
            "is not valid JSON, or holds a number that its type cannot"
        } else {
            "has a form that its type does not accept"
        }
    }

    private static func name(of type: Any.Type) -> String {
        // The types that Foundation names for the two containers of JSON.
        if type == [String: Any].self { return "an object" }
        if type == [Any].self { return "an array" }
        return "\(type)"
    }

    private static let foundationTextForInvalidJSON = "The given data was not valid JSON."
}

extension DecodingError {
    /// The context of the error; nil for a case that this version does not know.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}
