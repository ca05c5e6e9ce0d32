import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct URLTextConvertibleTests {
    private enum Section: String, URLTextConvertible {
        case posts
        case photos = "my photos"
    }

    private enum Level: Int8, URLTextConvertible {
        case low = -1
    }

    private struct Name: RawRepresentable, URLTextConvertible {
        let rawValue: Substring
    }

    private struct UserID: RawRepresentable, URLTextConvertible {
        let rawValue: Int
        var urlText: String { "u\(rawValue)" }
    }

    @Test func anEnumHasTheURLTextOfItsRawValue() {
        #expect(Section.posts.urlText == "posts")
        #expect(Section.photos.urlText == "my photos")
        #expect(Level.low.urlText == "-1")
        #expect(Name(rawValue: "ada").urlText == "ada")
    }

    @Test func aCustomURLTextTakesPrecedenceOverTheRawValue() {
        #expect(UserID(rawValue: 42).urlText == "u42")
    }

    @Test func valuesWithAURLTextCanBeMixed() {
        let values: [any URLTextConvertible] = ["a", 1, true, Section.posts]
        #expect(values.map(\.urlText) == ["a", "1", "true", "posts"])
    }

    @Test(.spec(10), arguments: ["", "a b", "%41&=", "é\r\n\u{0}", "👩‍💻"])
    func stringsAreTheirOwnURLText(text: String) {
        #expect(text.urlText == text)
        #expect("<\(text)>".dropFirst().dropLast().urlText == text)
        #expect(text.map(\.urlText).joined() == text)
    }

    @Test(.spec(10)) func theURLTextOfABooleanIsAWord() {
        #expect(true.urlText == "true")
        #expect(false.urlText == "false")
    }

    @Test func theURLTextOfAnIntegerIsDecimal() {
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

    @Test func theURLTextOfAnIntegerOf128BitsIsDecimal() {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        #expect(Int128.min.urlText == "-170141183460469231731687303715884105728")
        #expect(UInt128.max.urlText == "340282366920938463463374607431768211455")
    }

    @Test func theURLTextOfAUUIDIsUppercase() throws {
        let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        #expect(try #require(UUID(uuidString: text.lowercased())).urlText == text)
    }

    @Test func theURLTextOfAURLIsTheWholeURL() throws {
        #expect(url("https://h/p?a=1#f").urlText == "https://h/p?a=1#f")
        #expect(try #require(URL(string: "b", relativeTo: url("https://h/a"))).urlText == "https://h/b")
    }
}
