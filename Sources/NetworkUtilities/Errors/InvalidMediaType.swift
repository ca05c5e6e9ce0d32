/// A text that was to be a media type and is none (RFC 9110 §8.3.1).
public struct InvalidMediaType: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the text.
    public struct Reason: Hashable, Sendable {
        let sentence: String

        /// It does not begin with a type and a subtype.
        public static let essence = Reason(sentence: "it must begin with two tokens and a slash, as in text/plain")

        /// A parameter has no name, no equals sign, or a name that is no token.
        public static let parameter = Reason(sentence: "each parameter must be a token, an equals sign and a value")

        /// The value of a parameter is neither a token nor a quoted text without control characters.
        public static let parameterValue = Reason(
            sentence: "the value of a parameter must be a token, or in quotes and without control characters"
        )
    }

    /// The text as it was given; of parts that were given one by one, the type and the subtype.
    public let text: String

    /// What is wrong with it.
    public let reason: Reason

    /// Makes the error for a text.
    ///
    /// - Parameters:
    ///   - text: The text as it was given.
    ///   - reason: What is wrong with it.
    public init(text: String, reason: Reason) {
        self.text = text
        self.reason = reason
    }

    /// One sentence that quotes the text.
    public var description: String {
        "The media type \(text.debugDescription) is not valid: \(reason.sentence)."
    }
}
