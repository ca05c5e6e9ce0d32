import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct BodyRecordTests {
    private func text(
        _ body: String,
        _ type: String?,
        redaction: LogRedaction = .sensitive,
        limit: Int = 4096
    ) -> String {
        text(Data(body.utf8), type, redaction: redaction, limit: limit)
    }

    private func text(
        _ body: Data,
        _ type: String?,
        redaction: LogRedaction = .sensitive,
        limit: Int = 4096
    ) -> String {
        BodyRecord(body: body, length: body.count, type: type.map { MediaType($0) }, redaction: redaction, limit: limit)
            .text
    }

    @Test(
        .spec(152),
        arguments: [
            "application/json", "application/problem+json; charset=utf-8", "Application/JSON;charset=\"UTF-8\"",
            "text/json",
            "application/vnd.api+json",
        ]
    )
    func jsonIsLoggedPretty(type: String) {
        expect(text(#"{"a":1,"token":"s3cr3t"}"#, type), "  {\n    \"a\": 1,\n    \"token\": \"***\"\n  }")
    }

    @Test func invalidJSONIsLoggedUpToItsError() {
        expect(text("<html>", "application/json"), "  <html>")
        let shown = "  {\n    \"a\": 1,\n    \"password\":\n  … 6 more bytes, not valid JSON"
        expect(text(#"{"a": 1, "password": s3cr3t"#, "application/json"), shown)
    }

    @Test(.spec(151)) func eachFieldOfAFormIsLoggedOnALine() {
        let form = "name=Ada+L%C3%B6w&password=s3cr3t&user%5Bpin%5D=1234&empty=&line=a%0Ab"
        let shown = "  name=Ada Löw\n  password=***\n  user[pin]=***\n  empty=\n  line=a\\nb"
        expect(text(form, "application/x-www-form-urlencoded; charset=utf-8"), shown)
    }

    @Test(arguments: ["text/plain", "text/html", "application/xml", "application/soap+xml"])
    func textIsLoggedIndented(type: String) {
        expect(text("Grüße,\nAda", type), "  Grüße,\n  Ada")
    }

    @Test(.spec(155)) func onlyTheSizeOfABodyThatIsNotTextIsLogged() {
        expect(text(Data([0, 255, 1]), "image/png"), "  <image/png, 3 bytes>")
        expect(text("x", "multipart/form-data; boundary=x"), "  <multipart/form-data, 1 bytes>")
        expect(text("{}", nil), "  <2 bytes>")
        expect(text(Data([0x41, 0]), "text/plain"), "  <text/plain, 2 bytes>")
        expect(text("x", "text/plain; charset=iso-2022-kr"), "  <text/plain, 1 bytes>")
    }

    @Test(.spec(155)) func aLongBodyIsCutAndTheRemainingBytesAreCounted() {
        expect(text(String(repeating: "é", count: 10), "text/plain", limit: 5), "  éé\n  … 16 more bytes")
        expect(text("a=1&b=2", "application/x-www-form-urlencoded", limit: 3), "  a=1\n  … 4 more bytes")
        let json = "[" + String(repeating: "1,", count: 50_000) + "1]"
        let lines = text(json, "application/json").split(separator: "\n")
        expect(lines.first, "  [")
        // After the first line, 4,096 bytes hold 819 lines of 5 bytes; a part of the last one may be counted.
        let shown = lines.dropFirst().dropLast()
        #expect(shown.allSatisfy { $0 == "    1," } && shown.count == 819)
        let left = json.utf8.count - 1 - 2 * shown.count
        #expect((left...left + 5).contains { lines.last == "  … \($0) more bytes" })
        expect(text("abc", "text/plain", limit: 0), "\n  … 3 more bytes")
    }

    @Test func aBodyOfExactlyTheLimitIsLoggedWhole() {
        expect(text("12345", "text/plain", limit: 5), "  12345")
        expect(text("[1]", "application/json", limit: 9), "  [\n    1\n  ]")
    }

    @Test func onlyTheBeginningOfAHugeBodyIsRead() {
        let body = "{\"a\":\"" + String(repeating: "x", count: 1_000_000)
        let lines = text(body, "application/json", limit: 100).split(separator: "\n")
        expect(lines.first, "  {")
        expect(lines.last?.hasSuffix("more bytes"), true)
    }

    @Test(.spec(151)) func onlyAllowedFieldsOfABodyAreLogged() {
        let redaction = LogRedaction.allowing(["id"])
        expect(
            text("id=1&name=Ada", "application/x-www-form-urlencoded", redaction: redaction),
            "  id=1\n  name=***"
        )
        expect(text("Ada", "text/plain", redaction: redaction), "  <text/plain, 3 bytes>")
        expect(text("{Ada", "application/json", redaction: redaction), "  {\n  … 3 more bytes, not valid JSON")
        expect(text("Ada", "application/json", redaction: redaction), "  <application/json, 3 bytes>")
    }

    @Test func aBodyIsLoggedInItsCharset() {
        let latin1 = Data([0x22, 0xE9, 0x22])
        expect(text(latin1, "application/json; charset=iso-8859-1"), "  \"é\"")
        expect(text(latin1, "text/plain; charset=iso-8859-1", limit: 1), "  \"\n  … 2 more bytes")
        let utf16 = Data([0xFF, 0xFE, 0x22, 0, 0xE9, 0, 0x22, 0])
        expect(text(utf16, "application/json; charset=utf-16"), "  \"é\"")
        expect(text(utf16, "text/plain; charset=utf-16", limit: 3), "  \"é\n  … 2 more bytes")
        expect(text(Data([0, 0x41, 0]), "text/plain; charset=utf-16be"), "  A")
        expect(text(Data([0xEF, 0xBB, 0xBF]) + Data("{}".utf8), "application/json"), "  {}")
    }

    @Test func noBytesTrapInABodyRecord() {
        let charsets = ["utf-8", "utf-16", "utf-16le", "iso-8859-1", "none"]
        for type in ["application/json", "application/x-www-form-urlencoded", "text/plain"] {
            for charset in charsets {
                for length in 0..<40 {
                    let bytes = Data((0..<length).map { _ in UInt8.random(in: 1...255) })
                    let shown = text(bytes, "\(type); charset=\(charset)", limit: Int.random(in: 0...40))
                    #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
                }
            }
        }
    }
}

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
    func aBodyIsReadInItsCharset(type: String, bytes: [UInt8], text: String, length: Int) throws {
        let body = try #require(BodyText(Data(bytes), type: MediaType(type), limit: .max))
        expect(String(decoding: body.bytes, as: UTF8.self), text)
        expect(body.sourceLength(of: body.bytes.count), length)
    }

    @Test(arguments: ["text/plain; charset=x-unknown", "text/plain; charset=utf-7", "text/plain; charset=iso-2022-kr"])
    func aBodyInAnotherCharsetIsNotText(type: String) {
        #expect(BodyText(Data([0x61]), type: MediaType(type), limit: 10) == nil)
    }

    @Test(arguments: [(0, 0), (1, 0), (3, 2), (6, 4), (7, 5)])
    func aCutTextCountsTheBytesOfItsCharset(count: Int, length: Int) throws {
        let source = Data([0x93, 0xFA, 0x96, 0x7B, 0x61])
        let body = try #require(BodyText(source, type: MediaType("text/plain; charset=shift_jis"), limit: .max))
        expect(body.sourceLength(of: BodyText.cut(body.bytes, at: count).count), length)
    }

    @Test func bytesThatAreNotValidInUTF8StayInALog() throws {
        let body = try #require(BodyText(Data([0x61, 0xFF, 0x62]), type: .plainText, limit: .max))
        expect(body.bytes, [0x61, 0xFF, 0x62])
        expect(body.sourceLength(of: 2), 2)
    }

    @Test func bytesWithNULAreNotText() {
        #expect(BodyText(Data([0x7B, 0, 0x7D, 0]), type: .json, limit: 10) == nil)
    }

    @Test func onlyTheBeginningOfABodyIsRead() throws {
        let body = try #require(BodyText(Data("abcdef".utf8).dropFirst(), type: .plainText, limit: 3))
        expect(body.bytes, Array("bcd".utf8))
    }

    @Test(arguments: [(0, ""), (1, "a"), (2, "a"), (3, "aé"), (6, "aé"), (7, "aé😀"), (99, "aé😀"), (-1, "")])
    func aTextIsCutBetweenCharacters(limit: Int, text: String) {
        expect(String(decoding: BodyText.cut(Array("aé😀".utf8), at: limit), as: UTF8.self), text)
    }
}
