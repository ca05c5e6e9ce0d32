import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MultipartPartTests {
    /// A custom body.
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

    @Test(.spec(52)) func aTextPartHasNeitherFilenameNorType() throws {
        #expect(try text(MultipartPart(name: "n", text: "é\n")) == "name=\"n\"\r\n\r\né\r\n")
    }

    @Test(.spec(61)) func aDataPartIsAFieldOrAFile() throws {
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

    @Test(.spec(57, 58)) func theFileOfAPartIsOpenedWhenThePartIsMade() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.pdf", "x")
        let part = try MultipartPart(name: "n", file: .init(file: file))
        #expect(try text(part) == "name=\"n\"; filename=\"a.pdf\"\r\nContent-Type: application/pdf\r\n\r\nx")
        let missing = directory.url.appendingPathComponent("missing")
        #expect(throws: MultipartFormFilePart.Error.invalidLocalFile(url: missing)) {
            try MultipartPart(name: "n", file: .init(file: missing))
        }
    }

    @Test func aPartCanBeAValueAsJSON() throws {
        let part = try MultipartPart(name: "n", json: ["firstName": 1])
        #expect(try text(part) == "name=\"n\"\r\nContent-Type: application/json\r\n\r\n{\"firstName\":1}")
        struct User: Encodable { let firstName = 1 }
        let snake = DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase)
        #expect(try text(MultipartPart(name: "n", json: User(), encoder: snake)).hasSuffix("{\"first_name\":1}"))
    }

    @Test(.spec(36)) func aPartOfAValueThatIsNotJSONIsAnError() {
        #expect(throws: BodyEncodingError.json(path: "[0]", reason: "is a number that is not finite")) {
            try MultipartPart(name: "n", json: [Double.nan])
        }
    }

    @Test(.spec(48)) func aPartOfACustomBodyHasAdditionalFields() throws {
        let headers = [HeaderField.custom(name: "Content-ID", value: "<1>"), .custom(name: "X", value: nil)]
        let part = try MultipartPart(name: "n", body: Note(), filename: "f", headers: headers)
        let head = "name=\"n\"; filename=\"f\"\r\nContent-Type: application/xml\r\nContent-ID: <1>\r\n\r\n"
        #expect(try text(part) == head + "note")
        let bare = try MultipartPart(name: "n", body: Note(mediaType: nil))
        #expect(try text(bare) == "name=\"n\"\r\n\r\nnote")
    }

    @Test(.spec(29)) func theContentTypeOfAPartOverridesThatOfItsBody() throws {
        let headers = [HeaderField.custom(name: "content-TYPE", value: "a/b"), .content(type: MediaType("c/d"))]
        let part = try MultipartPart(name: "n", body: Note(), headers: headers)
        #expect(try text(part) == "name=\"n\"\r\nContent-Type: c/d\r\n\r\nnote")
        let none = try MultipartPart(name: "n", body: Note(), headers: [.custom(name: "Content-Type", value: nil)])
        #expect(try text(none) == "name=\"n\"\r\n\r\nnote")
    }

    @Test(arguments: ["Content-Disposition", "content-disposition", "CONTENT-DISPOSITION"])
    func theContentDispositionOfAPartCannotBeSet(name: String) {
        #expect(throws: HeaderFieldError.reserved(name: name)) {
            try MultipartPart(name: "n", body: Note(), headers: [.custom(name: name, value: "form-data; name=\"m\"")])
        }
    }

    @Test(
        .spec(26, 54),
        arguments: ["a\r\nContent-Disposition: form-data", "a\n\nX", "a\r\n--B--\r\n", "a\rX: 1", "a\u{0}"]
    )
    func noFieldOfAPartAddsAnother(value: String) throws {
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

    @Test func aPartOfNegativeLengthIsRefused() {
        struct Negative: RequestBody, BodySource {
            var length: Int { -1 }
            var mediaType: MediaType? { nil }
            func content() -> RequestContent { .source(self) }
            func open() -> any BodyReader { DataBodySource(Data()).open() }
        }
        #expect(throws: BodySourceError.invalidLength(-1)) { try MultipartPart(name: "n", body: Negative()) }
    }

    @Test(.spec(56)) func aFormCanBeAPartOfAnother() throws {
        let inner = MultipartForm(boundary: try MultipartBoundary("C")) { MultipartPart(name: "k", text: "v") }
        let part = try MultipartPart(name: "n", body: inner)
        let head = "name=\"n\"\r\nContent-Type: multipart/form-data; boundary=C\r\n\r\n"
        #expect(try text(part) == head + inner.content().text)
    }
}

struct MultipartFormFilePartTests {
    private typealias Failure = MultipartFormFilePart.Error

    private func add(_ url: URL) throws {
        var builder = MultipartFormBuilder()
        try builder.add(key: "file", file: .init(file: url))
    }

    @Test func aFilePartIsNamedAfterItsFile() {
        let part = MultipartFormFilePart(file: URL(fileURLWithPath: "/tmp/photo one.jpg"))
        #expect(part.filename == "photo one.jpg")
        #expect(part.mimeType == .auto())
    }

    @Test(
        .spec(58),
        arguments: [
            (nil, .auto(), "application/pdf"),
            ("photo.PNG", .auto(), "image/png"),
            ("photo.unknown", .auto(), "application/octet-stream"),
            ("noextension", .auto(withFallback: "x/y"), "x/y"),
            ("a.jpg", .type(mimeType: "x/y; z=1"), "x/y; z=1"),
        ] as [(String?, MultipartFormFilePart.MimeType, String)]
    )
    func aFilePartFindsItsMediaType(filename: String?, mimeType: MultipartFormFilePart.MimeType, expected: String) {
        let part = MultipartFormFilePart(file: URL(fileURLWithPath: "/d/f.pdf"), filename: filename, mimeType: mimeType)
        #expect(part.mediaType.value == expected)
    }

    @Test(.spec(58), arguments: ["f.unknown", "f", ".pdf", "f.", "a.pdf/f"])
    func aFilePartOfAnUnknownTypeHasTheFallback(name: String) {
        let file = URL(fileURLWithPath: "/d/f")
        #expect(MultipartFormFilePart(file: file, filename: name).mediaType == .octetStream)
        let part = MultipartFormFilePart(file: file, filename: name, mimeType: .auto(withFallback: "x/y"))
        #expect(part.mediaType.value == "x/y")
    }

    @Test(
        .spec(58),
        arguments: [
            ("report.pdf", .auto(), "application/pdf"), ("a.unknown", .auto(), "application/octet-stream"),
            ("a.unknown", .auto(withFallback: "x/y"), "x/y"),
            ("report.pdf", .auto(withFallback: "x/y"), "application/pdf"),
            ("report.pdf", .type(mimeType: "Text/X-Own; a=\"b\""), "Text/X-Own; a=\"b\""),
        ] as [(String, MultipartFormFilePart.MimeType, String)]
    )
    func theTypeOfAFilePartIsWrittenIntoTheForm(
        filename: String,
        mimeType: MultipartFormFilePart.MimeType,
        expected: String
    ) throws {
        let directory = try TemporaryDirectory()
        var builder = MultipartFormBuilder()
        let file = try directory.file("local", "x")
        try builder.add(key: "file", file: .init(file: file, filename: filename, mimeType: mimeType))
        let disposition = "name=\"file\"; filename=\"\(filename)\""
        #expect(try builder.form.content().text.contains("\(disposition)\r\nContent-Type: \(expected)\r\n\r\nx\r\n"))
    }

    @Test func aFilePartTakesAMediaType() {
        let part = MultipartFormFilePart(file: URL(fileURLWithPath: "/a.bin"), filename: "b.txt", type: .json)
        #expect(part.mediaType == .json)
        #expect(part.mimeType == .type(mimeType: "application/json"))
        #expect(MultipartFormFilePart(file: URL(fileURLWithPath: "/a.bin"), type: .xml).filename == "a.bin")
    }

    @Test(.spec(57)) func aFilePartOfAMissingFileIsRefused() throws {
        let url = try TemporaryDirectory().url.appendingPathComponent("missing")
        #expect(throws: Failure.invalidLocalFile(url: url)) { try add(url) }
    }

    @Test(.spec(57)) func aFilePartOfADirectoryIsRefused() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: Failure.invalidLocalFile(url: directory.url)) { try add(directory.url) }
    }

    @Test(
        .spec(57),
        .enabled(if: geteuid() != 0 || writeOnlyFile != nil, "Root may read every file here.")
    )
    func aFilePartOfAnUnreadableFileIsRefused() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("secret", "x")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
        let unreadable = geteuid() == 0 ? try #require(Self.writeOnlyFile) : file
        #expect(throws: Failure.invalidLocalFile(url: unreadable)) { try add(unreadable) }
    }

    /// A file of the kernel's that not even root can open for reading.
    private static let writeOnlyFile: URL? = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/bus")) ?? []
        return folders.map { URL(fileURLWithPath: "/sys/bus/\($0)/uevent") }
            .first { (try? FileHandle(forReadingFrom: $0)) == nil && FileManager.default.fileExists(atPath: $0.path) }
    }()

    @Test(.spec(57), arguments: ["/dev/null", "pipe"])
    func aFilePartOfADeviceOrPipeIsRefused(path: String) throws {
        let directory = try TemporaryDirectory()
        let url = path.hasPrefix("/") ? URL(fileURLWithPath: path) : directory.url.appendingPathComponent(path)
        if path == "pipe" { try #require(mkfifo(url.path, 0o600) == 0) }
        #expect(throws: Failure.invalidLocalFile(url: url)) { try add(url) }
    }

    @Test func aFilePartOfAnotherURLThanAFileIsRefused() throws {
        let url = try #require(URL(string: "https://u:secret@h/f?token=secret"))
        let error = Failure.invalidLocalFile(url: url)
        #expect(throws: error) { try add(url) }
        #expect(
            error.description == "A URL with the scheme 'https' cannot be a part of a form: only a local file can."
        )
    }

    @Test func theErrorOfAFilePartNamesItsFile() {
        #expect(
            Failure.invalidLocalFile(url: URL(fileURLWithPath: "/d/f.pdf")).description
                == "The file '/d/f.pdf' cannot be a part of a form: it is missing, not a regular file or not readable."
        )
    }

    @Test func aRefusedFileLeavesTheFormUnchanged() throws {
        var builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        let missing = MultipartFormFilePart(file: URL(fileURLWithPath: "/nowhere/at/all"))
        #expect(throws: Failure.self) { try builder.add(key: "file", file: missing) }
        #expect(try builder.form.content().text == "--B--\r\n")
    }
}
