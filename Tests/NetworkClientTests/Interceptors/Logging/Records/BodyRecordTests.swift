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
    func makesJSONPretty(type: String) {
        #expect(text(#"{"a":1,"token":"s3cr3t"}"#, type) == "  {\n    \"a\": 1,\n    \"token\": \"***\"\n  }")
    }

    @Test func showsInvalidJSONAsTextOnce() {
        #expect(text("<html>", "application/json") == "  <html>")
        #expect(text(#"{"password": "s3cr3t""#, "application/json") == #"  {"password": "***""#)
    }

    @Test(.spec(151)) func givesEachFieldOfAFormALine() {
        let form = "name=Ada+L%C3%B6w&password=s3cr3t&user%5Bpin%5D=1234&empty=&line=a%0Ab"
        let shown = "  name=Ada Löw\n  password=***\n  user[pin]=***\n  empty=\n  line=a\\nb"
        #expect(text(form, "application/x-www-form-urlencoded; charset=utf-8") == shown)
    }

    @Test(arguments: ["text/plain", "text/html", "application/xml", "application/soap+xml"])
    func showsText(type: String) {
        #expect(text("Grüße,\nAda", type) == "  Grüße,\n  Ada")
    }

    @Test(.spec(155)) func showsOnlyTheSizeOfWhatIsNoText() {
        #expect(text(Data([0, 255, 1]), "image/png") == "  <image/png, 3 bytes>")
        #expect(text("x", "multipart/form-data; boundary=x") == "  <multipart/form-data, 1 bytes>")
        #expect(text("{}", nil) == "  <2 bytes>")
        #expect(text(Data([0x41, 0]), "text/plain") == "  <text/plain, 2 bytes>")
        #expect(text("x", "text/plain; charset=iso-2022-kr") == "  <text/plain, 1 bytes>")
    }

    @Test(.spec(155)) func aLongBodyIsCutAndTheRemainingBytesAreCounted() {
        #expect(text(String(repeating: "é", count: 10), "text/plain", limit: 5) == "  éé\n  … 16 more bytes")
        #expect(text("a=1&b=2", "application/x-www-form-urlencoded", limit: 3) == "  a=1\n  … 4 more bytes")
        let json = "[" + String(repeating: "1,", count: 50_000) + "1]"
        let lines = text(json, "application/json").split(separator: "\n")
        #expect(lines.first == "  [")
        // The limit of 4,096 bytes holds 819 lines of 5 bytes behind the first; of the last one a part may be counted.
        let shown = lines.dropFirst().dropLast()
        #expect(shown.allSatisfy { $0 == "    1," } && shown.count == 819)
        let left = json.utf8.count - 1 - 2 * shown.count
        #expect((left...left + 5).contains { lines.last == "  … \($0) more bytes" })
        #expect(text("abc", "text/plain", limit: 0) == "\n  … 3 more bytes")
    }

    @Test func showsABodyOfExactlyTheLimitWhole() {
        #expect(text("12345", "text/plain", limit: 5) == "  12345")
        #expect(text("[1]", "application/json", limit: 9) == "  [\n    1\n  ]")
    }

    @Test func looksAtTheBeginningOfAHugeBodyOnly() {
        let body = "{\"a\":\"" + String(repeating: "x", count: 1_000_000)
        let lines = text(body, "application/json", limit: 100).split(separator: "\n")
        #expect(lines.first == "  {")
        #expect(lines.last?.hasSuffix("more bytes") == true)
    }

    @Test(.spec(151)) func showsOnlyWhatIsAllowed() {
        let redaction = LogRedaction.allowing(["id"])
        #expect(
            text("id=1&name=Ada", "application/x-www-form-urlencoded", redaction: redaction) == "  id=1\n  name=***"
        )
        #expect(text("Ada", "text/plain", redaction: redaction) == "  <text/plain, 3 bytes>")
        #expect(text("{Ada", "application/json", redaction: redaction) == "  <application/json, 4 bytes>")
    }

    @Test func readsTheCharsetThatIsNamed() {
        let latin1 = Data([0x22, 0xE9, 0x22])
        #expect(text(latin1, "application/json; charset=iso-8859-1") == "  \"é\"")
        #expect(text(latin1, "text/plain; charset=iso-8859-1", limit: 1) == "  \"\n  … 2 more bytes")
        let utf16 = Data([0xFF, 0xFE, 0x22, 0, 0xE9, 0, 0x22, 0])
        #expect(text(utf16, "application/json; charset=utf-16") == "  \"é\"")
        #expect(text(utf16, "text/plain; charset=utf-16", limit: 3) == "  \"é\n  … 2 more bytes")
        #expect(text(Data([0, 0x41, 0]), "text/plain; charset=utf-16be") == "  A")
        #expect(text(Data([0xEF, 0xBB, 0xBF]) + Data("{}".utf8), "application/json") == "  {}")
    }

    @Test func survivesAnyBytes() {
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
