import Foundation
import Testing

@testable import NetworkUtilities

struct HTTPTokenTests {
    @Test func exactlyTheTokenCharactersAreAllowedInAToken() {
        let allowed = Set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(HTTPToken.isTokenCharacter(byte) == allowed.contains(byte))
        }
    }

    @Test(arguments: [
        ("a", true), ("Content-Type", true), (String(repeating: "x", count: 100), true), ("", false), ("a b", false),
        ("é", false), ("a\u{0}", false), ("\n", false), (String(repeating: "x", count: 100) + ":", false),
    ])
    func aTokenIsRecognisedInAnyStorageOfAString(text: String, isToken: Bool) {
        #expect(HTTPToken.isValid(text) == isToken)
        #expect(HTTPToken.isValid(NSString(string: text) as String) == isToken)
    }
}

struct QuotedStringTests {
    @Test(arguments: [
        ("token", "token"), ("", "\"\""), ("a b", "\"a b\""), ("\"", "\"\\\"\""), ("\\", "\"\\\\\""), ("é", "\"é\""),
        ("a;b", "\"a;b\""),
    ])
    func aTextThatIsNotATokenIsQuoted(text: String, quoted: String) {
        #expect(QuotedString.quotedIfNeeded(text) == quoted)
        #expect(unquoted(quoted) == text)
    }

    @Test(arguments: [
        ("a", "a"), ("", ""), ("\"", "\""), ("\"a", "\"a"), ("a\"", "a\""), ("\"\\a\"", "a"), ("\"\\\\\\a\"", "\\a"),
        ("\"a\\\"", "a"),
    ])
    func aQuotedStringIsUnquotedHoweverItWasWritten(text: String, result: String) {
        #expect(unquoted(text) == result)
    }

    @Test(arguments: [
        ("\"\"", true), ("\"a\"", true), ("\"a\\\"b\"", true), ("\"\\\\\"", true), ("\"\t\"", true), ("\"é\"", true),
        ("\"a\"b", false), ("\"a\" ", false), ("a\"", false), ("", false), ("\"", false), ("\"a", false),
        ("\"\\", false),
        ("\"\\\"", false), ("\"\n\"", false), ("\"\\\n\"", false), ("\"\u{7F}\"", false),
    ])
    func aQuotedStringIsValidIfItEndsWithItsClosingQuote(text: String, isValid: Bool) {
        #expect(Array(text.utf8).withUnsafeBufferPointer { QuotedString.isValid($0[...]) } == isValid)
    }

    private func unquoted(_ text: String) -> String {
        Array(text.utf8).withUnsafeBufferPointer { QuotedString.unquoted($0[...]) }
    }
}

struct QualityValueTests {
    @Test func everyThousandthIsAQualityValue() throws {
        for thousandth in 0...1000 {
            let text = QualityValue.text(of: Double(thousandth) / 1000)
            #expect(text.utf8.count <= 5 && (text.utf8.count == 1 || text.last != "0"))
            #expect(try #require(Double(text)) == Double(thousandth) / 1000)
        }
    }
}
