/// A decoding error as one sentence: the full coding path and the type expected, never a value from the payload.
///
/// The error's own `debugDescription` is not used, since Foundation and custom initialisers quote values in it.
package struct DecodingErrorText: CustomStringConvertible, Sendable {
    /// The sentence, with its full stop.
    package let description: String

    /// Renders a decoding error.
    ///
    /// The cause is the error of the parser or the initialiser. The context of an error that the client has thrown
    /// contains the response instead.
    package init(_ error: DecodingError, cause: (any Error)?) {
        description =
            switch error {
            case .keyNotFound(let key, let context):
                "\(Self.subject(at: context.codingPath + [key])) is missing."
            case .valueNotFound(let type, let context):
                "\(Self.subject(at: context.codingPath)) is missing or null where \(Self.name(of: type)) is expected."
            case .typeMismatch(let type, let context):
                "\(Self.subject(at: context.codingPath)) is not of the type expected, \(Self.name(of: type))."
            case .dataCorrupted(let context):
                if let error = cause as? JSONSyntaxError {
                    Self.sentence(for: error, at: context.codingPath + error.path)
                } else {
                    "\(Self.subject(at: context.codingPath)) \(Self.reason(in: context, cause))."
                }
            @unknown default:
                "The body cannot be decoded."
            }
    }

    /// Whether a whole body is not valid JSON.
    package static func isInvalidJSON(_ error: DecodingError, cause: (any Error)?) -> Bool {
        guard case .dataCorrupted(let context) = error else { return false }
        if let error = cause as? JSONSyntaxError { return !error.isOfAValue }
        return context.debugDescription == foundationTextForInvalidJSON && context.codingPath.isEmpty
    }

    /// Returns the sentence for the error of an initialiser, which may be of any type.
    package static func sentence(for error: any Error) -> String {
        guard let error = error as? DecodingError else { return "The value has a form that its type does not accept." }
        return DecodingErrorText(error, cause: error.context?.underlyingError).description
    }

    private static func sentence(for error: JSONSyntaxError, at path: [any CodingKey]) -> String {
        "\(subject(at: path)) is \(error.isOfAValue ? "invalid" : "not valid JSON"): \(error)."
    }

    /// Returns the subject of a sentence about the value at a path.
    package static func subject(at path: [any CodingKey]) -> String {
        path.isEmpty ? "The body" : "The value at '\(CodingPath(path))'"
    }

    private static func reason(in context: DecodingError.Context, _ cause: (any Error)?) -> String {
        if let reason = cause as? DecodingReason {
            reason.description
        } else if context.debugDescription == foundationTextForInvalidJSON {
            // Foundation has the same text for a number that does not fit its type, and no path in either case.
            "is not valid JSON, or contains a number that does not fit its type"
        } else {
            "has a form that its type does not accept"
        }
    }

    private static func name(of type: Any.Type) -> String {
        // Foundation names these types if it expects an object or an array.
        if type == [String: Any].self { return "an object" }
        if type == [Any].self { return "an array" }
        return "\(type)"
    }

    private static let foundationTextForInvalidJSON = "The given data was not valid JSON."
}

/// The reason why this library, not Foundation, rejected a value: a sentence without its subject.
///
/// It is the underlying error of a `DecodingError.dataCorrupted`. Error descriptions include only these reasons, since
/// texts of other origin may quote the payload.
package struct DecodingReason: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// Creates the error for a value at a path.
    ///
    /// An empty path means the body.
    package func error(at path: [any CodingKey] = []) -> DecodingError {
        let text = "\(DecodingErrorText.subject(at: path)) \(description)."
        return .dataCorrupted(.init(codingPath: path, debugDescription: text, underlyingError: self))
    }

    package static let invalidText = Self("is not valid text in its charset")

    package static let notABoolean = Self("is neither true nor false")

    package static let notADate = Self(
        """
        is not a date in ISO 8601 (2024-01-02 or 2024-01-02T03:04:05.678, seconds and fraction optional, \
        followed by Z, +02:00, +0200, +02 or nothing for UTC) or in seconds since 1970
        """
    )

    package static let unknownCharset = Self("is text in a charset that is not supported")
}

extension DecodingError {
    /// The context of the error; nil for an unknown case.
    package var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// Returns the same error with another context.
    package func replacingContext(_ change: (Context) -> Context) -> DecodingError {
        switch self {
        case .typeMismatch(let type, let context): return .typeMismatch(type, change(context))
        case .valueNotFound(let type, let context): return .valueNotFound(type, change(context))
        case .keyNotFound(let key, let context): return .keyNotFound(key, change(context))
        case .dataCorrupted(let context): return .dataCorrupted(change(context))
        @unknown default: return self
        }
    }
}
