/// A text that was to separate the parts of a form and cannot (RFC 2046 §5.1.1).
public struct InvalidMultipartBoundary: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text as it was given.
    public let text: String

    /// Makes the error for a text.
    ///
    /// - Parameter text: The text as it was given.
    public init(text: String) {
        self.text = text
    }

    /// One sentence that quotes the text and says what a boundary is.
    public var description: String {
        "The multipart boundary \(text.debugDescription) is not valid: "
            + "use 1 to 70 letters, digits, spaces and '()+_,-./:=?, the last of them not a space."
    }
}
