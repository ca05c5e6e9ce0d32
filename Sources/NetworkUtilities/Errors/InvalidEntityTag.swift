/// A text that was to be an entity tag and is none (RFC 9110 §8.8.3).
public struct InvalidEntityTag: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text as it was given.
    public let text: String

    /// Makes the error for a text.
    ///
    /// - Parameter text: The text as it was given.
    public init(text: String) {
        self.text = text
    }

    /// One sentence that quotes the text.
    public var description: String {
        "The entity tag \(text.debugDescription) is not valid: a tag holds no spaces, quotes and control characters, "
            + "and in a header field it stands in quotes, with W/ before them if it is weak."
    }
}
