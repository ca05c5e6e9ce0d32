import Testing

@testable import NetworkUtilities

struct HeaderFieldErrorTests {
    @Test(arguments: [
        (
            HeaderFieldError.invalidName("X A"),
            "The header field name \"X A\" is not a token: use letters, digits and !#$%&'*+-.^_`|~ only."
        ),
        (
            .invalidValue(name: "X-A"),
            "The value of the header field 'X-A' holds a control character, which no field value may."
        ),
        (.colonInUserName, "The user name of a Basic credential holds a colon, which would end it early."),
        (
            .reserved(name: "Content-Disposition"),
            "The header field 'Content-Disposition' cannot be set here, since the part of a form writes it itself."
        ),
        (.missingCredential, "The request requires a credential, and there is none."),
        (
            .missingCondition(name: "If-Match"),
            "The header field 'If-Match' names no entity tag, so that the request would have no condition."
        ),
        (
            .invalidRange,
            "The byte range of the header field 'Range' begins before the first byte or asks for no byte at all."
        ),
        (
            .weakEntityTag(name: "If-Range"),
            "The entity tag of the header field 'If-Range' is a weak one, which says nothing of single bytes."
        ),
        (
            .invalidDate(name: "If-Unmodified-Since"),
            "The date of the header field 'If-Unmodified-Since' is outside the years 0001 to 9999, "
                + "which HTTP can write."
        ),
    ])
    func describesItsErrorsInOneSentence(error: HeaderFieldError, text: String) {
        #expect(error.description == text)
    }
}
