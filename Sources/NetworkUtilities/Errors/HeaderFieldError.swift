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

    /// A credential is required and there is none.
    case missingCredential

    /// A byte range begins before the first byte, or asks for none (RFC 9110 §14.1.2).
    case invalidRange

    /// The named field takes strong entity tags only (RFC 9110 §13.1.5).
    case weakEntityTag(name: String)

    /// The named field has no condition to state.
    case missingCondition(name: String)

    /// The named field's date is outside the years 0001 to 9999, which HTTP cannot write (RFC 9110 §5.6.7).
    case invalidDate(name: String)

    /// The named field is written by the library itself.
    case reserved(name: String)
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
        case .missingCredential:
            "The request requires a credential, and there is none."
        case .invalidRange:
            "The byte range of the header field 'Range' begins before the first byte or asks for no byte at all."
        case .weakEntityTag(let name):
            "The entity tag of the header field '\(name)' is a weak one, which says nothing of single bytes."
        case .missingCondition(let name):
            "The header field '\(name)' names no entity tag, so that the request would have no condition."
        case .invalidDate(let name):
            "The date of the header field '\(name)' is outside the years 0001 to 9999, which HTTP can write."
        case .reserved(let name):
            "The header field '\(name)' cannot be set here, since the part of a form writes it itself."
        }
    }
}
