import Foundation
import Testing

@testable import NetworkClient

struct PlainBodyTests {
    @Test(arguments: ["", " ", "\r\n\t ", "null", " null\n", "\u{FEFF}", "\u{FEFF} null"])
    func isNothing(text: String) {
        #expect(PlainBody(Data(text.utf8)).isNothing)
    }

    @Test(arguments: ["0", "\"\"", "Null", "\"null\"", "nul", "null null", "{}", "[null]", "\u{B}", "\u{A0}"])
    func isSomething(text: String) {
        #expect(!PlainBody(Data(text.utf8)).isNothing)
    }

    @Test(arguments: [("", ""), (" \n", ""), ("a", "a"), ("\t a b \r\n", "a b"), ("\u{FEFF} a", "a")])
    func trimsJSONWhiteSpaceAndAByteOrderMark(text: String, content: String) {
        #expect(PlainBody(Data(text.utf8)).trimmed == Data(content.utf8))
        #expect(PlainBody(Data("xx\(text)".utf8).dropFirst(2)).trimmed == Data(content.utf8))
    }
}
