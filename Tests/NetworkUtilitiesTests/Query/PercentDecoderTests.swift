import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct PercentDecoderTests {
    private func text(_ escaped: String) -> String {
        Array(escaped.utf8).withUnsafeBufferPointer(PercentDecoder.text)
    }

    @Test(
        .spec(20),
        arguments: [
            ("", ""), ("abc", "abc"), ("%41%6a%4A", "AjJ"), ("%", "%"), ("%4", "%4"), ("%%41", "%A"),
            ("%zz%41", "%zzA"),
            ("%4z", "%4z"), ("%C3%A9", "é"), ("é%41", "éA"), ("%EF%BF%BD", "\u{FFFD}"), ("%EF%BB%BFa", "\u{FEFF}a"),
            ("%E9", "%E9"), ("a%C3%28", "a%C3%28"), ("%F4%90%80%80", "%F4%90%80%80"), ("+", "+"), ("%00", "\u{0}"),
        ]
    )
    func undoesEscapesAndKeepsTheRest(escaped: String, decoded: String) {
        #expect(Array(text(escaped).utf8) == Array(decoded.utf8))
    }

    @Test func undoesEveryEscape() {
        let digits = Array("0123456789abcdefABCDEF")
        for high in digits {
            for low in digits {
                let decoded = Array("%\(high)\(low)".utf8).withUnsafeBufferPointer { Array(PercentDecoder($0)) }
                #expect(decoded == [UInt8("\(high)\(low)", radix: 16)])
            }
        }
    }

    @Test func undoesWhatIsEscaped() {
        for text in ["a b&c=d", "é😀\u{0}\r\n", "%41", "\u{10FFFF}"] {
            #expect(self.text(PercentEncoding.query.encode(text)) == text)
        }
    }
}
