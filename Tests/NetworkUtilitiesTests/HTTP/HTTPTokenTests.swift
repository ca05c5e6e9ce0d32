@testable import NetworkUtilities

struct HTTPTokenTests {
    @Test func aTokenHasExactlyTheTokenCharactersInAnyStorageOfAString() {
        let allowed = Set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        for byte in UInt8.min...UInt8.max { expect(HTTPToken.isTokenCharacter(byte), allowed.contains(byte)) }
        let rows: [(String, Bool)] = [
            ("a", true), ("Content-Type", true), (String(repeating: "x", count: 100), true), ("", false),
            ("a b", false), ("é", false), ("a\u{0}", false), ("\n", false),
            (String(repeating: "x", count: 100) + ":", false),
        ]
        for (text, isToken) in rows {
            expect(HTTPToken.isValid(text), isToken, text)
            expect(HTTPToken.isValid(NSString(string: text) as String), isToken, text)
        }
    }

    private func unquoted(_ text: String) -> String {
        Array(text.utf8).withUnsafeBufferPointer { QuotedString.unquoted($0[...]) }
    }

    @Test func aTextThatIsNotATokenIsQuotedAndUnquotedHoweverItWasWritten() {
        let written = [
            "token": "token", "": "\"\"", "a b": "\"a b\"", "\"": "\"\\\"\"", "\\": "\"\\\\\"", "é": "\"é\"",
            "a;b": "\"a;b\"",
        ]
        for (text, quoted) in written {
            expect(QuotedString.quotedIfNeeded(text), quoted)
            expect(unquoted(quoted), text)
        }
        let others = [
            "a": "a", "": "", "\"": "", "\"a": "a", "a\"": "a\"", "\"\\a\"": "a", "\"\\\\\\a\"": "\\a",
            "\"a\\\"": "a\"",
        ]
        for (text, result) in others { expect(unquoted(text), result) }
    }

    @Test func aQuotedStringIsValidIfItEndsWithItsClosingQuote() {
        let valid = ["\"\"", "\"a\"", "\"a\\\"b\"", "\"\\\\\"", "\"\t\"", "\"é\""]
        let invalid = [
            "\"a\"b", "\"a\" ", "a\"", "", "\"", "\"a", "\"\\", "\"\\\"", "\"\n\"", "\"\\\n\"", "\"\u{7F}\"",
        ]
        let found = (invalid + valid).filter {
            Array($0.utf8).withUnsafeBufferPointer { QuotedString.isValid($0[...]) }
        }
        expect(found, valid)
    }

    @Test func everyThousandthIsAQualityValue() {
        for thousandth in 0...1000 {
            let text = QualityValue.text(of: Double(thousandth) / 1000)
            #expect(text.utf8.count <= 5 && (text.utf8.count == 1 || text.last != "0"))
            expect(Double(text), Double(thousandth) / 1000)
        }
    }
}
