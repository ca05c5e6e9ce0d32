import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MultipartPartTests {
    /// A body of the user's own.
    private struct Note: RequestBody {
        var text = "note"
        var mediaType: MediaType? = MediaType("application/xml")
        func content() -> RequestContent { .data(Data(text.utf8)) }
    }

    /// The part as it is sent, without what is around it.
    private func text(_ part: MultipartPart) throws -> String {
        let whole = try MultipartForm(boundary: try MultipartBoundary("B"), parts: [part]).content().text
        let start = "--B\r\nContent-Disposition: form-data; "
        let end = "\r\n--B--\r\n"
        #expect(whole.hasPrefix(start) && whole.hasSuffix(end))
        return String(whole.dropFirst(start.count).dropLast(end.count))
    }

    @Test(.spec(52)) func aTextHasNeitherFilenameNorType() throws {
        #expect(try text(MultipartPart(name: "n", text: "é\n")) == "name=\"n\"\r\n\r\né\r\n")
    }

    @Test(.spec(61)) func dataIsAFieldOrAFile() throws {
        let data = Data("1\n".utf8)
        #expect(try text(MultipartPart(name: "n", data: data)) == "name=\"n\"\r\n\r\n1\n")
        let typed = MultipartPart(name: "n", data: data, type: .json)
        #expect(try text(typed) == "name=\"n\"\r\nContent-Type: application/json\r\n\r\n1\n")
        let file = MultipartPart(name: "n", data: data, filename: "f")
        let head = "name=\"n\"; filename=\"f\"\r\nContent-Type:"
        #expect(try text(file) == "\(head) application/octet-stream\r\n\r\n1\n")
        let both = MultipartPart(name: "n", data: data, filename: "f", type: MediaType("a/b"))
        #expect(try text(both) == "\(head) a/b\r\n\r\n1\n")
    }

    @Test(.spec(57, 58)) func aFileIsLookedAtWhenThePartIsMade() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.pdf", "x")
        let part = try MultipartPart(name: "n", file: .init(file: file))
        #expect(try text(part) == "name=\"n\"; filename=\"a.pdf\"\r\nContent-Type: application/pdf\r\n\r\nx")
        let missing = directory.url.appendingPathComponent("missing")
        #expect(throws: MultipartFormFilePart.Error.invalidLocalFile(url: missing)) {
            try MultipartPart(name: "n", file: .init(file: missing))
        }
    }

    @Test func aValueIsEncoded() throws {
        let part = try MultipartPart(name: "n", json: ["firstName": 1])
        #expect(try text(part) == "name=\"n\"\r\nContent-Type: application/json\r\n\r\n{\"firstName\":1}")
        struct User: Encodable { let firstName = 1 }
        let snake = DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase)
        #expect(try text(MultipartPart(name: "n", json: User(), encoder: snake)).hasSuffix("{\"first_name\":1}"))
    }

    @Test(.spec(36)) func aValueWithoutJSONFormIsAnError() {
        #expect(throws: BodyEncodingError.json(path: "[0]", reason: "is a number that is not finite")) {
            try MultipartPart(name: "n", json: [Double.nan])
        }
    }

    @Test(.spec(48)) func aBodyOfTheUsersOwnHasFieldsOfItsOwn() throws {
        let headers = [HeaderField.custom(name: "Content-ID", value: "<1>"), .custom(name: "X", value: nil)]
        let part = try MultipartPart(name: "n", body: Note(), filename: "f", headers: headers)
        let head = "name=\"n\"; filename=\"f\"\r\nContent-Type: application/xml\r\nContent-ID: <1>\r\n\r\n"
        #expect(try text(part) == head + "note")
        let bare = try MultipartPart(name: "n", body: Note(mediaType: nil))
        #expect(try text(bare) == "name=\"n\"\r\n\r\nnote")
    }

    @Test(.spec(29)) func theMediaTypeOfABodyIsOnlyADefault() throws {
        let headers = [HeaderField.custom(name: "content-TYPE", value: "a/b"), .content(type: MediaType("c/d"))]
        let part = try MultipartPart(name: "n", body: Note(), headers: headers)
        #expect(try text(part) == "name=\"n\"\r\nContent-Type: c/d\r\n\r\nnote")
        let none = try MultipartPart(name: "n", body: Note(), headers: [.custom(name: "Content-Type", value: nil)])
        #expect(try text(none) == "name=\"n\"\r\n\r\nnote")
    }

    @Test(arguments: ["Content-Disposition", "content-disposition", "CONTENT-DISPOSITION"])
    func theDispositionCannotBeSet(name: String) {
        #expect(throws: HeaderFieldError.reserved(name: name)) {
            try MultipartPart(name: "n", body: Note(), headers: [.custom(name: name, value: "form-data; name=\"m\"")])
        }
    }

    @Test(
        .spec(26, 54),
        arguments: ["a\r\nContent-Disposition: form-data", "a\n\nX", "a\r\n--B--\r\n", "a\rX: 1", "a\u{0}"]
    )
    func noFieldBringsAnother(value: String) throws {
        let names = ["X-A", "X:A\r\nX-Evil", "X A", "", "Content-Type"]
        let headers = names.map { HeaderField.custom(name: $0, value: value) }
        let part = try MultipartPart(name: value, body: Note(), filename: value, headers: headers)
        let lines = try text(part).components(separatedBy: "\r\n")
        #expect(lines.count == 5)
        #expect(lines[1].hasPrefix("Content-Type: a"))
        #expect(lines[2].hasPrefix("X-A: a"))
        #expect(lines[3...] == ["", "note"])
        #expect(lines.allSatisfy { !$0.contains { $0.isNewline } })
    }

    @Test func aBodyOfNegativeLengthIsRefused() {
        struct Negative: RequestBody, BodySource {
            var length: Int { -1 }
            var mediaType: MediaType? { nil }
            func content() -> RequestContent { .source(self) }
            func open() -> any BodyReader { DataBodySource(Data()).open() }
        }
        #expect(throws: BodySourceError.invalidLength(-1)) { try MultipartPart(name: "n", body: Negative()) }
    }

    @Test(.spec(56)) func aFormCanBeAPart() throws {
        let inner = MultipartForm(boundary: try MultipartBoundary("C")) { MultipartPart(name: "k", text: "v") }
        let part = try MultipartPart(name: "n", body: inner)
        let head = "name=\"n\"\r\nContent-Type: multipart/form-data; boundary=C\r\n\r\n"
        #expect(try text(part) == head + inner.content().text)
    }
}
