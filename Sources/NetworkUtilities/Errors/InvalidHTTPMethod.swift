/// A text that was to be a method and is no token (RFC 9110 §5.6.2).
public struct InvalidHTTPMethod: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text as it was given.
    public let token: String

    /// Makes the error for a text.
    ///
    /// - Parameter token: The text as it was given.
    public init(token: String) {
        self.token = token
    }

    /// One sentence that quotes the text.
    public var description: String {
        "The HTTP method \(token.debugDescription) is not a token: use letters, digits and !#$%&'*+-.^_`|~ only."
    }
}
