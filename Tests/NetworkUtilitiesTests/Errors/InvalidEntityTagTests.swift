import Testing

@testable import NetworkUtilities

struct InvalidEntityTagTests {
    @Test func saysWhatIsWrongInOneSentence() {
        #expect(
            InvalidEntityTag(text: "a\"\n").description == #"The entity tag "a\"\n" is not valid: "#
                + "a tag holds no spaces, quotes and control characters, "
                + "and in a header field it stands in quotes, with W/ before them if it is weak."
        )
    }
}
