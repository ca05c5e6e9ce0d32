import Foundation
import NetworkUtilities
import Testing

@testable import NetworkClient

struct BodyTextTests {
    @Test(
        arguments: [
            ("text/plain", [0x61, 0xC3, 0xA9], "aé", 3),
            ("text/plain; charset=UTF-8", [0xEF, 0xBB, 0xBF, 0x61], "a", 4),
            ("text/plain; charset=iso-8859-1", [0x61, 0xE9], "aé", 2),
            ("text/plain; charset=utf-16", [0xFE, 0xFF, 0, 0x61], "a", 4),
            ("text/plain; charset=utf-16", [0xFF, 0xFE, 0x61, 0], "a", 4),
            ("text/plain; charset=utf-16le", [0x3D, 0xD8, 0x00, 0xDE, 0x61], "😀", 4),
            ("text/plain; charset=windows-1252", [0x80, 0x81, 0xE9], "€\u{81}é", 3),
            ("text/plain; charset=shift_jis", [0x93, 0xFA, 0x61, 0x96], "日a", 3),
            ("text/plain; charset=koi8-u", [0xAE, 0x61], "ўa", 2),
            ("text/plain; charset=us-ascii", [0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "é", 5),
        ] as [(String, [UInt8], String, Int)]
    )
    func readsACharset(type: String, bytes: [UInt8], text: String, length: Int) throws {
        let body = try #require(BodyText(Data(bytes), type: MediaType(type), limit: .max))
        #expect(String(decoding: body.bytes, as: UTF8.self) == text)
        #expect(body.sourceLength(of: body.bytes.count) == length)
    }

    @Test(arguments: ["text/plain; charset=x-unknown", "text/plain; charset=utf-7", "text/plain; charset=iso-2022-kr"])
    func aBodyInAnotherCharsetIsNotText(type: String) {
        #expect(BodyText(Data([0x61]), type: MediaType(type), limit: 10) == nil)
    }

    @Test(arguments: [(0, 0), (1, 0), (3, 2), (6, 4), (7, 5)])
    func countsTheBytesThatMakeTheFirstPartOfAText(count: Int, length: Int) throws {
        let source = Data([0x93, 0xFA, 0x96, 0x7B, 0x61])
        let body = try #require(BodyText(source, type: MediaType("text/plain; charset=shift_jis"), limit: .max))
        #expect(body.sourceLength(of: BodyText.cut(body.bytes, at: count).count) == length)
    }

    @Test func bytesThatAreNotValidInUTF8StayInALog() throws {
        let body = try #require(BodyText(Data([0x61, 0xFF, 0x62]), type: .plainText, limit: .max))
        #expect(body.bytes == [0x61, 0xFF, 0x62])
        #expect(body.sourceLength(of: 2) == 2)
    }

    @Test func takesBytesWithNULForNoText() {
        #expect(BodyText(Data([0x7B, 0, 0x7D, 0]), type: .json, limit: 10) == nil)
    }

    @Test func readsTheBeginningOnly() throws {
        let body = try #require(BodyText(Data("abcdef".utf8).dropFirst(), type: .plainText, limit: 3))
        #expect(body.bytes == Array("bcd".utf8))
    }

    @Test(arguments: [(0, ""), (1, "a"), (2, "a"), (3, "aé"), (6, "aé"), (7, "aé😀"), (99, "aé😀"), (-1, "")])
    func cutsBetweenCharacters(limit: Int, text: String) {
        #expect(String(decoding: BodyText.cut(Array("aé😀".utf8), at: limit), as: UTF8.self) == text)
    }
}
