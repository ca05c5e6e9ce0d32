import Testing

@testable import NetworkUtilities

struct InvalidEntityTagTests {
    @Test func saysWhatIsWrongInOneSentence() {
        #expect(
            InvalidEntityTag(text: "a\"\n").description == #"The entity tag "a\"\n" is not valid: "#
                + "it must be in quotes, with W/ before them if it is weak, and without spaces and quotes in it."
        )
    }
}
