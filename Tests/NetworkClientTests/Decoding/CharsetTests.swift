import Foundation
import Testing

@testable import NetworkClient

struct CharsetTests {
    private static let texts: [(String, [UInt8], String)] = [
        ("utf-8", [0xC3, 0xA9], "é"), ("UTF-8", [0xEF, 0xBB, 0xBF, 0x61], "a"), ("utf8", [], ""),
        ("us-ascii", [0x61, 0x7F], "a\u{7F}"), ("iso-8859-1", [0xE9, 0x80], "é\u{80}"), ("Latin1", [0xFF], "ÿ"),
        ("windows-1252", [0x80, 0x93, 0xE9, 0x00], "€“é\u{0}"), ("utf-16", [0xFE, 0xFF, 0x00, 0xE9], "é"),
        ("UTF-16", [0xFF, 0xFE, 0xE9, 0x00], "é"), ("utf-16", [0x00, 0xE9], "é"), ("utf-16le", [0xE9, 0x00], "é"),
        ("utf-16LE", [0xFF, 0xFE, 0xE9, 0x00], "é"), ("utf-16be", [0x00, 0xE9], "é"),
        ("utf-16be", [0xD8, 0x3D, 0xDE, 0x00], "😀"), ("utf-16", [], ""), ("utf-8", [0xEF, 0xBF, 0xBD], "\u{FFFD}"),
    ]

    @Test(arguments: texts)
    func readsBytesOfItsText(name: String, bytes: [UInt8], text: String) throws {
        let charset = try #require(Charset(name: name))
        #expect(charset.text(of: Data(bytes)) == text)
        #expect(charset.text(of: (Data([0x22]) + Data(bytes)).dropFirst()) == text)
    }

    private static let invalidTexts: [(String, [UInt8])] = [
        ("utf-8", [0xFF]), ("utf-8", [0xC3]), ("utf-8", [0xED, 0xA0, 0x80]), ("utf-8", [0xC0, 0x80]),
        ("us-ascii", [0xC3, 0xA9]), ("windows-1252", [0x81]), ("utf-16", [0x00]), ("utf-16le", [0x61, 0x00, 0x62]),
        ("utf-16be", [0xD8, 0x3D]), ("utf-16be", [0xDE, 0x00, 0xD8, 0x3D]),
    ]

    @Test(arguments: invalidTexts)
    func refusesBytesThatAreNoText(name: String, bytes: [UInt8]) throws {
        #expect(try #require(Charset(name: name)).text(of: Data(bytes)) == nil)
    }

    @Test(arguments: ["", "utf-7", "shift_jis", "utf-8; x", "é"])
    func isNilForANameThatIsNotKnown(name: String) {
        #expect(Charset(name: name) == nil)
    }
}
