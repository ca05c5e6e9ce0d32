import Testing

@testable import NetworkClient

struct PrintableTextTests {
    @Test(arguments: [
        ("plain é😀\ttext", "plain é😀\ttext"),
        ("a\nb\r\nc\rd", #"a\nb\r\nc\rd"#),
        ("\r", #"\r"#),
        ("\u{1B}[31m\u{7F}\u{85}", #"\u{1B}[31m\u{7F}\u{0085}"#),
        ("a\u{2028}b\u{202E}c\u{2066}", #"a\u{2028}b\u{202E}c\u{2066}"#),
    ])
    func staysInOneLine(text: String, shown: String) {
        #expect(PrintableText.line(text) == shown)
    }

    @Test(arguments: [
        ("a\nb", "  a\n  b"),
        ("a\r\n\r\nb\rc", "  a\n\n  b\\rc"),
        ("a\n", "  a\n"),
        ("", ""),
    ])
    func keepsAndIndentsTheLinesOfABlock(text: String, shown: String) {
        #expect(PrintableText.block(text) == shown)
    }
}
