/// A header field that cannot be sent as it was given.
///
/// The text never holds the field's value.
public enum HeaderFieldError: Error, Hashable, Sendable {
    /// The name is no token (RFC 9110 §5.6.2).
    case invalidName(String)

    /// The value of the named field holds a control character, such as a line break (RFC 9110 §5.5).
    case invalidValue(name: String)

    /// The user name of a Basic credential holds a colon (RFC 7617 §2).
    case colonInUserName
}

extension HeaderFieldError: CustomStringConvertible {
    /// One sentence that names the field.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "The header field name \(name.debugDescription) is not a token: "
                + "use letters, digits and !#$%&'*+-.^_`|~ only."
        case .invalidValue(let name):
            "The value of the header field '\(name)' holds a control character, which no field value may."
        case .colonInUserName:
            "The user name of a Basic credential holds a colon, which would end it early."
        }
    }
}
