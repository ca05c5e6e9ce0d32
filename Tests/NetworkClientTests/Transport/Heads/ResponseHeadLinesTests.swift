import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct ResponseHeadLinesTests {
    private func head(_ lines: [String]) -> ResponseHeadLines {
        var head = ResponseHeadLines()
        for line in lines { Array(line.utf8).withUnsafeBytes { head.append($0) } }
        return head
    }

    private func field(_ line: String) -> ResponseFields.Field? {
        head(["HTTP/1.1 200 OK\r\n", line, "\r\n"]).fields().first
    }

    @Test func theFieldsOfAHeadKeepTheirOrder() {
        let head = head(["HTTP/1.1 404 Not Found\r\n", "A: 1\r\n", "b:2\r\n", "A: 3\r\n", "\r\n"])
        expect(head.status, 404)
        #expect(head.isComplete)
        expect(head.fields().map { "\($0.name)=\($0.value)" }, ["A=1", "b=2", "A=3"])
    }

    @Test(.spec(87)) func theLastOfSeveralHeadsIsTheResponses() {
        let early = ["HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n"]
        let head = head(early + ["HTTP/2 599 \r\n", "X: 1\r\n", "\r\n"])
        expect(head.status, 599)
        expect(head.fields().map(\.name), ["X"])
    }

    @Test func trailersAreNoFieldsOfTheHead() {
        let head = head(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n", "X-Sum: 1\r\n", " 2\r\n", "b:3\n", "\r\n"])
        expect(head.fields().map(\.name), ["A"])
        expect(head.trailers?.map { "\($0.name)=\($0.value)" }, ["X-Sum=1 2", "b=3"])
        expect(self.head(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n"]).trailers, nil)
        // After which libcurl sends the request again by itself.
        let refused = ["HTTP/1.1 417 No\r\n", "\r\n", "X-Sum: 1\r\n", "\r\n"]
        expect(self.head(refused + ["HTTP/1.1 200 OK\r\n", "\r\n"]).trailers, nil)
    }

    @Test func aHeadThatBreaksOffIsIncomplete() {
        #expect(!head(["HTTP/1.1 200 OK\r\n", "A: 1\r\n"]).isComplete)
        #expect(!head([]).isComplete)
        expect(head([]).status, nil)
    }

    @Test(arguments: [
        ("A:b\r\n", "b"), ("A: \t b \t\r\n", "b"), ("A:\r\n", ""), ("A: b\n", "b"), ("A: b: c\r\n", "b: c"),
        ("A: é\r\n", "é"),
    ])
    func aFieldValueIsReadWithoutWhiteSpaceAround(line: String, value: String) {
        expect(field(line)?.value, value)
    }

    @Test func contentCodingsAreNamedInTheirOrder() {
        let last = head(["HTTP/1.1 103 E\r\n", "Content-Encoding: br\r\n", "HTTP/1.1 200 OK\r\n", "\r\n"])
        expectAll((last.namesCodings, last.codings), (false, []))
        let all = ["content-encoding: GZip,\tbr\r\n", "Content-Length: 1\r\n", "Content-Encoding:zstd\r\n"]
        expect(head(["HTTP/1.1 200 OK\r\n"] + all).codings, ["gzip", "br", "zstd"])
    }

    @Test func aFoldedValueIsJoined() {
        let head = head(["HTTP/1.1 200 OK\r\n", "A: 1\r\n", " B: 2\r\n", "\t \r\n", "\tc\r\n", "D: 3\r\n", "\r\n"])
        expect(head.fields().map { "\($0.name)=\($0.value)" }, ["A=1 B: 2  c", "D=3"])
    }

    @Test(arguments: [
        (["Content-Length: 2\r\n", "content-length: 2\r\n"], false),
        (["Content-Length: 2\r\n", "content-length: 3\r\n"], true),
        (["Content-Length: 2, 3\r\n"], true), (["Content-Length: x\r\n"], true), (["X-A: 2, 3\r\n"], false),
        (["Content-Length: 2\r\n", "HTTP/1.1 200 OK\r\n", "Content-Length: 3\r\n"], false),
        (["Content-Length: 2\r\n", "\r\n", "Content-Length: 3\r\n"], false),
    ])
    func contradictoryAndMalformedLengthsAreInvalid(lines: [String], isInvalid: Bool) {
        expect(head(["HTTP/1.1 103 Early Hints\r\n"] + lines).hasInvalidLength, isInvalid)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", false), ("HTTP/2 200 \r\n", false), ("HTTP/1.1 999\r\n", false),
        ("HTTP/1.1 2000 OK\r\n", true), ("HTTP/1.1 20 OK\r\n", true), ("HTTP/1.1 099 OK\r\n", true),
        ("HTTP/1.1 abc\r\n", true), ("HTTP/1.1\r\n", true),
    ])
    func aStatusOfOtherThanThreeDigitsIsInvalid(line: String, isInvalid: Bool) {
        expect(head(["HTTP/1.1 103 Early Hints\r\n", "\r\n", line, "A: 1\r\n"]).hasInvalidStatus, isInvalid)
    }

    @Test func bytesThatAreNotUTF8AreReadAsISO88591() {
        var head = head(["HTTP/1.1 200 OK\r\n"])
        (Array("A: ".utf8) + [0xE9, 0x0D, 0x0A]).withUnsafeBytes { head.append($0) }
        expect(head.fields().first?.value, "é")
    }

    @Test(arguments: ["nonsense\r\n", "\u{0}\r\n", ": \r\n", "HTTP/1.1\r\n"])
    func aLineThatIsNotAFieldHasNoName(line: String) {
        let head = head(["HTTP/1.1 200 OK\r\n", line])
        #expect(head.fields().allSatisfy { $0.name.isEmpty })
    }

    @Test(arguments: [
        ("Content-Length: x\r\n", true), ("content-length:x\n", true), ("CONTENT-LENGTH:x\r\n", true),
        ("Content-Lengths: x\r\n", false), ("X-Content-Length: x\r\n", false), ("C:x\r\n", false),
        ("Content-Length : x\r\n", false), ("Content-Encoding: x\r\n", false), ("", false), ("C", false),
    ])
    func aLengthIsFoundInAnyLetterCaseAndInNoOtherField(line: String, isInvalid: Bool) {
        expect(head(["HTTP/1.1 200 OK\r\n", line]).hasInvalidLength, isInvalid)
    }

    @Test(arguments: [
        ("Content-Encoding: gzip\r\n", true), ("content-encoding:br\n", true), ("CONTENT-ENCODING:br\r\n", true),
        ("Content-Encodings: br\r\n", false), ("Content-Length: 3\r\n", false), ("Content-Type: a\r\n", false),
        ("CONTENT-ENCODING:", false),
    ])
    func aCodingIsFoundInAnyLetterCaseAndInNoOtherField(line: String, isFound: Bool) {
        expect(head(["HTTP/1.1 200 OK\r\n", line]).namesCodings, isFound)
    }

    @Test(arguments: [
        ("Transfer-Encoding: chunked\r\n", false), ("transfer-encoding:Chunked, identity\r\n", false),
        ("Transfer-Encoding: gzip, chunked\r\n", true), ("TRANSFER-ENCODING:gzip\n", true),
        ("X-Transfer-Encoding: gzip\r\n", false), ("Transfer-Encodings: gzip\r\n", false),
    ])
    func aTransferCodingOtherThanChunkedIsUnknown(line: String, isUnknown: Bool) {
        expect(head(["HTTP/1.1 200 OK\r\n", line]).hasUnknownTransferCoding, isUnknown)
    }
}
