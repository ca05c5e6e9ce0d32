import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct PercentEncodingTests {
    @Test(.spec(6)) func escapesEachByteByTheTable() {
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        for byte in UInt8(0)..<128 {
            let text = String(UnicodeScalar(byte))
            let hexadecimal = String(format: "%%%02X", byte)
            let isBare = unreserved.contains(byte) || text == "/" || text == "?"
            #expect(PercentEncoding.query.encode(text) == (isBare ? text : hexadecimal))
        }
    }

    @Test(.spec(38)) func followsTheURLStandardInForms() {
        #expect(PercentEncoding.form.encode("hello world") == "hello+world")
        #expect(PercentEncoding.form.encode("*-._~!'()") == "*-._%7E%21%27%28%29")
        #expect(PercentEncoding.form.encode("é+/?") == "%C3%A9%2B%2F%3F")
    }

    @Test func isUndoneByFoundation() {
        for _ in 0..<200 {
            let scalars = (0..<20).compactMap { _ in UnicodeScalar(UInt32.random(in: 0..<0x3000)) }
            let text = String(String.UnicodeScalarView(scalars))
            #expect(PercentEncoding.query.encode(text).removingPercentEncoding == text)
        }
    }

    private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

    @Test(arguments: [
        (PercentEncoding.query, "/?"), (.segment, ":@"), (.unreserved, ""), (.reference, "!$&'()*+,;=:@/?"),
        (.reserved, ":/?#[]@!$&'()*+,;="),
    ])
    func leavesExactlyItsOwnCharactersBare(encoding: PercentEncoding, others: String) {
        for scalar in (0..<0x80).compactMap({ UnicodeScalar($0) }) {
            let isBare = "\(Self.unreserved)\(others)".unicodeScalars.contains(scalar)
            #expect((encoding.encode(String(scalar)) == String(scalar)) == isBare)
        }
        #expect(encoding.encode("é") == "%C3%A9")
    }

    @Test(arguments: [
        ("%41", "%41"), ("%4", "%254"), ("%", "%25"), ("%zz", "%25zz"), ("%%41", "%25%41"), ("%aF%", "%aF%25"),
    ])
    func keepsEscapesWhereTheyMayBe(text: String, encoded: String) {
        #expect(PercentEncoding.reference.encode(text) == encoded)
        #expect(PercentEncoding.reserved.encode(text) == encoded)
        #expect(PercentEncoding.segment.encode(text) == text.replacingOccurrences(of: "%", with: "%25"))
    }
}
