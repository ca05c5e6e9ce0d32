import Testing

@testable import NetworkClient

struct ShellWordTests {
    @Test(arguments: [("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), (#"\"#, #"'\'"#)])
    func putsTextInSingleQuotes(text: String, word: String) {
        #expect(ShellWord.quoted(text) == word)
    }

    @Test func writesBytesInOctal() {
        #expect(ShellWord.format([0, 0x41, 0x37, 0x27, 0x25, 0x2D, 0x5C, 0xFF]) == #"'\000A7\047\045\055\134\377'"#)
        #expect(ShellWord.format([]) == "''")
    }
}
