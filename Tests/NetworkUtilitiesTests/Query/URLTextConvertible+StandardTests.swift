import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct URLTextConvertibleStandardTests {
    @Test(.spec(10), arguments: ["", "a b", "%41&=", "é\r\n\u{0}", "👩‍💻"])
    func textsStayAsTheyAre(text: String) {
        #expect(text.urlText == text)
        #expect("<\(text)>".dropFirst().dropLast().urlText == text)
        #expect(text.map(\.urlText).joined() == text)
    }

    @Test(.spec(10)) func booleansAreWords() {
        #expect(true.urlText == "true")
        #expect(false.urlText == "false")
    }

    @Test func integersAreDecimal() {
        #expect(0.urlText == "0")
        #expect(Int8.min.urlText == "-128")
        #expect(Int16.min.urlText == "-32768")
        #expect(Int32.min.urlText == "-2147483648")
        #expect(Int64.min.urlText == "-9223372036854775808")
        #expect(Int.max.urlText == String(Int.max))
        #expect(UInt8.max.urlText == "255")
        #expect(UInt16.max.urlText == "65535")
        #expect(UInt32.max.urlText == "4294967295")
        #expect(UInt64.max.urlText == "18446744073709551615")
        #expect(UInt.max.urlText == String(UInt.max))
    }

    @Test func integersOf128BitsAreDecimal() {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        #expect(Int128.min.urlText == "-170141183460469231731687303715884105728")
        #expect(UInt128.max.urlText == "340282366920938463463374607431768211455")
    }

    @Test func identifiersAreInUpperCase() throws {
        let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        #expect(try #require(UUID(uuidString: text.lowercased())).urlText == text)
    }

    @Test func addressesAreWhole() throws {
        #expect(url("https://h/p?a=1#f").urlText == "https://h/p?a=1#f")
        #expect(try #require(URL(string: "b", relativeTo: url("https://h/a"))).urlText == "https://h/b")
    }
}
