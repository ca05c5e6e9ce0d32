import Testing

@testable import NetworkUtilities

struct InvalidMediaTypeTests {
    @Test(arguments: [
        (
            "text\r\n", InvalidMediaType.Reason.essence,
            #"The media type "text\r\n" is not valid: it must begin with two tokens and a slash, as in text/plain."#
        ),
        (
            "a/b;c", .parameter,
            #"The media type "a/b;c" is not valid: each parameter must be a token, an equals sign and a value."#
        ),
        (
            "a/b;c=", .parameterValue,
            #"The media type "a/b;c=" is not valid: "#
                + "the value of a parameter must be a token, or in quotes and without control characters."
        ),
    ])
    func saysWhatIsWrongInOneSentence(text: String, reason: InvalidMediaType.Reason, sentence: String) {
        #expect(InvalidMediaType(text: text, reason: reason).description == sentence)
    }
}
