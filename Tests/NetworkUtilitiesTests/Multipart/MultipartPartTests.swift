@testable import NetworkUtilities

struct MultipartPartTests {
    /// A custom body.
    private struct Note: RequestBody {
        var text = "note"
        var mediaType: MediaType? = MediaType("application/xml")
        func makeContent() -> RequestContent { .data(Data(text.utf8)) }
    }

    /// The part as it is sent, without what is around it.
    private func text(_ part: MultipartPart) throws -> String {
        let whole = try MultipartForm(boundary: try MultipartBoundary("B"), parts: [part]).makeContent().text
        let start = "--B\r\nContent-Disposition: form-data; "
        let end = "\r\n--B--\r\n"
        #expect(whole.hasPrefix(start) && whole.hasSuffix(end))
        return String(whole.dropFirst(start.count).dropLast(end.count))
    }

    @Test(.spec(219)) func noTextOfAPartShowsItsContent() {
        let part = MultipartPart(name: "pin", data: Data("s3cret".utf8), filename: "a.txt")
        let texts = [part, MultipartPart(name: "pin", text: "s3cret")].map { part in
            var dumped = ""
            dump(part, to: &dumped)
            return "\(part) \(String(reflecting: part)) \(dumped)"
        }
        #expect(!texts.contains { $0.contains("s3cret") })
        expect("\(part)", #"the part "pin" with the file "a.txt""#)
    }

    private struct User: Encodable { let firstName = 1 }

    @Test(.spec(29, 48, 52, 53, 54, 55, 56, 57, 58, 61)) func aPartIsWrittenByItsKind() throws {
        let data = Data("1\n\r\u{0}".utf8)
        let directory = try TemporaryDirectory()
        let pdf = try directory.file("a.pdf", "x")
        let snake = DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase)
        let inner = MultipartForm(boundary: try MultipartBoundary("C")) { MultipartPart(name: "k", text: "v") }
        let headers = [HeaderField.custom(name: "Content-ID", value: "<1>"), .custom(name: "X", value: nil)]
        let types = [HeaderField.custom(name: "content-TYPE", value: "a/b"), .content(type: MediaType("c/d"))]
        let noType = [HeaderField.custom(name: "Content-Type", value: nil)]
        let file = { (name: String) in "; filename=\"\(name)\"" }
        let sent = { (type: String) in "\r\nContent-Type: \(type)" }
        let (ab, bytes, hostile) = (MediaType("a/b"), "1\n\r\u{0}", "a\"b\r\nX-Evil: 1.jpg")
        let json = "application/json"
        let rows: [(MultipartPart, String, String)] = [
            (MultipartPart(name: "n", text: "é\na\r"), "", "é\r\na\r\n"),
            (MultipartPart(name: "n", data: data), "", bytes),
            (MultipartPart(name: "n", data: data, type: .json), sent(json), bytes),
            (MultipartPart(name: "n", data: data, filename: "f"), file("f") + sent("application/octet-stream"), bytes),
            (MultipartPart(name: "n", data: data, filename: "f.PNG"), file("f.PNG") + sent("image/png"), bytes),
            (MultipartPart(name: "n", data: data, filename: "føø.jpg", type: ab), file("føø.jpg") + sent("a/b"), bytes),
            (MultipartPart(name: "n", data: Data(), filename: hostile, type: ""), file("a%22b%0D%0AX-Evil: 1.jpg"), ""),
            (try MultipartPart(name: "n", file: .init(file: pdf)), file("a.pdf") + sent("application/pdf"), "x"),
            (try MultipartPart(name: "n", json: ["firstName": 1]), sent(json), "{\"firstName\":1}"),
            (try MultipartPart(name: "n", json: User(), encoder: snake), sent(json), "{\"first_name\":1}"),
            (
                try MultipartPart(name: "n", body: Note(), filename: "f", headers: headers),
                file("f") + sent("application/xml") + "\r\nContent-ID: <1>", "note"
            ),
            (try MultipartPart(name: "n", body: Note(mediaType: nil)), "", "note"),
            (try MultipartPart(name: "n", body: Note(), headers: types), sent("c/d"), "note"),
            (try MultipartPart(name: "n", body: Note(), headers: noType), "", "note"),
            (
                try MultipartPart(name: "n", body: inner), sent("multipart/form-data; boundary=C"),
                try inner.makeContent().text
            ),
        ]
        for (part, head, body) in rows { expect(try text(part), "name=\"n\"\(head)\r\n\r\n\(body)") }
        expect(try text(MultipartPart(name: "é\n\"", text: "")), "name=\"é%0D%0A%22\"\r\n\r\n")
    }

    @Test(.spec(36, 57)) func aPartThatCannotBeWrittenIsAnError() {
        let negative = AnnouncedBody(length: -1)
        #expect(throws: BodySourceError.invalidLength(-1)) { try MultipartPart(name: "n", body: negative) }
        #expect(throws: BodyEncodingError.json(path: "[0]", reason: "is a number that is not finite")) {
            try MultipartPart(name: "n", json: [Double.nan])
        }
        for name in ["Content-Disposition", "content-disposition", "CONTENT-DISPOSITION"] {
            let headers = [HeaderField.custom(name: name, value: "form-data; name=\"m\"")]
            #expect(throws: HeaderFieldError.reserved(name: name)) {
                try MultipartPart(name: "n", body: Note(), headers: headers)
            }
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
        expect(lines.count, 5)
        #expect(lines[1].hasPrefix("Content-Type: a"))
        #expect(lines[2].hasPrefix("X-A: a"))
        expect(lines[3...], ["", "note"])
        #expect(lines.allSatisfy { !$0.contains { $0.isNewline } })
    }
}

struct MultipartFormFilePartTests {
    private typealias Failure = MultipartFormFilePart.Error

    @Test(
        .spec(58),
        arguments: [
            (nil, .auto(), "application/pdf"), ("photo.PNG", .auto(), "image/png"),
            ("photo.unknown", .auto(), "application/octet-stream"), ("f", .auto(), "application/octet-stream"),
            (".pdf", .auto(), "application/octet-stream"), ("f.", .auto(), "application/octet-stream"),
            ("a.pdf/f", .auto(withFallback: "x/y"), "x/y"), ("noextension", .auto(withFallback: "x/y"), "x/y"),
            ("report.pdf", .auto(withFallback: "x/y"), "application/pdf"),
            ("a.jpg", .type(mimeType: "Text/X-Own; a=\"b\""), "Text/X-Own; a=\"b\""),
        ] as [(String?, MultipartFormFilePart.MimeType, String)]
    )
    func theTypeOfAFilePartIsThatOfItsNameAndWrittenIntoTheForm(
        filename: String?,
        mimeType: MultipartFormFilePart.MimeType,
        expected: String
    ) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("local one.pdf", "x")
        let part = MultipartFormFilePart(file: file, filename: filename, mimeType: mimeType)
        expect(part.mediaType.value, expected)
        let builder = MultipartFormBuilder()
        try builder.add(key: "file", file: part)
        let disposition = "name=\"file\"; filename=\"\(filename ?? "local one.pdf")\""
        let text = try builder.form.makeContent().text
        expect(text, contains: "\(disposition)\r\nContent-Type: \(expected)\r\n\r\nx\r\n")
    }

    @Test func aFilePartIsNamedAfterItsFileAndTakesAMediaType() {
        let file = URL(fileURLWithPath: "/tmp/photo one.jpg")
        let parts = [
            MultipartFormFilePart(file: file), MultipartFormFilePart(file: file, type: .xml),
            MultipartFormFilePart(file: file, filename: "b.txt", type: .json),
        ]
        expect(parts.map(\.filename), ["photo one.jpg", "photo one.jpg", "b.txt"])
        expect(
            parts.map(\.mimeType),
            [.auto(), .type(mimeType: "application/xml"), .type(mimeType: "application/json")]
        )
        expect(parts.map(\.mediaType), [.jpeg, .xml, .json])
    }

    private func expectRefused(_ url: URL) throws {
        let builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        let part = MultipartFormFilePart(file: url)
        #expect(throws: Failure.invalidLocalFile(url: url)) { try builder.add(key: "file", file: part) }
        #expect(throws: Failure.invalidLocalFile(url: url)) { try MultipartPart(name: "n", file: part) }
        expect(try builder.form.makeContent().text, "--B--\r\n", "the form is unchanged")
    }

    @Test(.spec(57)) func onlyARegularLocalFileIsAPart() throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.url.appendingPathComponent("pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)
        let web = url("https://u:secret@h/f?token=secret")
        let missing = directory.url.appendingPathComponent("missing")
        for url in [missing, directory.url, URL(fileURLWithPath: "/dev/null"), pipe, web] { try expectRefused(url) }
        expect(
            Failure.invalidLocalFile(url: web).description,
            "A URL with the scheme 'https' cannot be a part of a form: only a local file can."
        )
        expect(
            Failure.invalidLocalFile(url: URL(fileURLWithPath: "/d/f.pdf")).description,
            "The file '/d/f.pdf' cannot be a part of a form: it is missing, not a regular file or not readable."
        )
    }

    @Test(
        .spec(57),
        .enabled(if: geteuid() != 0 || writeOnlyFile != nil, "Root may read every file here.")
    )
    func aFilePartOfAnUnreadableFileIsRefused() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("secret", "x")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
        try expectRefused(geteuid() == 0 ? try #require(Self.writeOnlyFile) : file)
    }

    /// A file of the kernel's that not even root can open for reading.
    private static let writeOnlyFile: URL? = {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/bus")) ?? []
        return folders.map { URL(fileURLWithPath: "/sys/bus/\($0)/uevent") }
            .first { (try? FileHandle(forReadingFrom: $0)) == nil && FileManager.default.fileExists(atPath: $0.path) }
    }()
}
