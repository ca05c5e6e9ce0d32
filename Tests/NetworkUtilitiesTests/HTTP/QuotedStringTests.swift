import Testing

@testable import NetworkUtilities

struct QuotedStringTests {
    @Test(arguments: [
        ("token", "token"), ("", "\"\""), ("a b", "\"a b\""), ("\"", "\"\\\"\""), ("\\", "\"\\\\\""), ("é", "\"é\""),
        ("a;b", "\"a;b\""),
    ])
    func quotesWhatIsNoToken(text: String, quoted: String) {
        #expect(QuotedString.quotedIfNeeded(text) == quoted)
        #expect(unquoted(quoted) == text)
    }

    @Test(arguments: [
        ("a", "a"), ("", ""), ("\"", "\""), ("\"a", "\"a"), ("a\"", "a\""), ("\"\\a\"", "a"), ("\"\\\\\\a\"", "\\a"),
        ("\"a\\\"", "a"),
    ])
    func readsWhatOthersWrite(text: String, result: String) {
        #expect(unquoted(text) == result)
    }

    @Test(arguments: [
        ("\"\"", 2), ("\"a\"b", 3), ("\"a\\\"b\"", 6), ("\"\\\\\"", 4), ("\"", nil), ("\"a", nil), ("\"\\", nil),
        ("\"\\\"", nil), ("\"\n\"", nil), ("\"\t\"", 3), ("\"\u{7F}\"", nil),
    ])
    func findsTheEnd(text: String, end: Int?) {
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBufferPointer { QuotedString.end(in: $0, from: 0) } == end)
    }

    private func unquoted(_ text: String) -> String {
        Array(text.utf8).withUnsafeBufferPointer { QuotedString.unquoted($0[...]) }
    }
}
