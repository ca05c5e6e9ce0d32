@testable import NetworkUtilities

struct PercentEncodingTests {
    private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

    @Test(.spec(6)) func eachPercentEncodingKeepsExactlyItsCharacters() {
        let rows: [(PercentEncoding, String)] = [
            (PercentEncoding.query, "/?"), (.segment, ":@"), (.unreserved, ""), (.reference, "!$&'()*+,;=:@/?"),
            (.reserved, ":/?#[]@!$&'()*+,;="),
        ]
        for (encoding, others) in rows {
            for byte in UInt8(0)..<128 {
                let text = String(UnicodeScalar(byte))
                let isBare = "\(Self.unreserved)\(others)".contains(text)
                expect(encoding.encode(text), isBare ? text : String(format: "%%%02X", byte))
            }
            expect(encoding.encode("é"), "%C3%A9")
        }
    }

    @Test(.spec(38)) func aFormIsEscapedByTheURLStandard() {
        expect(PercentEncoding.form.encode("hello world"), "hello+world")
        expect(PercentEncoding.form.encode("*-._~!'()"), "*-._%7E%21%27%28%29")
        expect(PercentEncoding.form.encode("é+/?"), "%C3%A9%2B%2F%3F")
    }

    @Test(arguments: [
        ("%41", "%41"), ("%4", "%254"), ("%", "%25"), ("%zz", "%25zz"), ("%%41", "%25%41"), ("%aF%", "%aF%25"),
    ])
    func onlyAReferenceAndATemplateKeepEscapes(text: String, encoded: String) {
        expect(PercentEncoding.reference.encode(text), encoded)
        expect(PercentEncoding.reserved.encode(text), encoded)
        expect(PercentEncoding.segment.encode(text), text.replacingOccurrences(of: "%", with: "%25"))
    }

    private func text(_ escaped: String) -> String {
        Array(escaped.utf8).withUnsafeBufferPointer(PercentDecoder.text)
    }

    @Test(.spec(20)) func aPercentDecoderDecodesEscapesAndKeepsOtherBytes() {
        let rows: [(String, String)] = [
            ("", ""), ("abc", "abc"), ("%41%6a%4A", "AjJ"), ("%", "%"), ("%4", "%4"), ("%%41", "%A"),
            ("%zz%41", "%zzA"), ("%4z", "%4z"), ("%C3%A9", "é"), ("é%41", "éA"), ("%EF%BF%BD", "\u{FFFD}"),
            ("%EF%BB%BFa", "\u{FEFF}a"), ("%E9", "%E9"), ("a%C3%28", "a%C3%28"), ("%F4%90%80%80", "%F4%90%80%80"),
            ("+", "+"), ("%00", "\u{0}"),
        ]
        for (escaped, decoded) in rows { expect(Array(text(escaped).utf8), Array(decoded.utf8)) }
    }

    @Test func aPercentDecoderDecodesEveryEscapeAndSoDoesFoundation() {
        let digits = Array("0123456789abcdefABCDEF")
        for (high, low) in digits.flatMap({ high in digits.map { (high, $0) } }) {
            let decoded = Array("%\(high)\(low)".utf8).withUnsafeBufferPointer { Array(PercentDecoder($0)) }
            expect(decoded, [UInt8("\(high)\(low)", radix: 16)])
        }
        for _ in 0..<200 {
            let scalars = (0..<20).compactMap { _ in UnicodeScalar(UInt32.random(in: 0..<0x3000)) }
            let text = String(String.UnicodeScalarView(scalars)) + "a b&c=d😀\u{0}\r\n%41\u{10FFFF}"
            let escaped = PercentEncoding.query.encode(text)
            expect(Array(self.text(escaped).utf8), Array(text.utf8))
            expect(escaped.removingPercentEncoding, text)
        }
    }
}
