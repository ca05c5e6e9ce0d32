import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MultipartFormFilePartTests {
    private typealias Failure = MultipartFormFilePart.Error

    private func add(_ url: URL) throws {
        var builder = MultipartFormBuilder()
        try builder.add(key: "file", file: .init(file: url))
    }

    @Test func takesItsNameFromTheFile() {
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
    func findsItsType(filename: String?, mimeType: MultipartFormFilePart.MimeType, expected: String) {
        let part = MultipartFormFilePart(file: URL(fileURLWithPath: "/d/f.pdf"), filename: filename, mimeType: mimeType)
        #expect(part.mediaType.value == expected)
    }

    @Test(.spec(58), arguments: ["f.unknown", "f", ".pdf", "f.", "a.pdf/f"])
    func takesTheFallback(name: String) {
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
    func writesTheTypeIntoTheForm(filename: String, mimeType: MultipartFormFilePart.MimeType, expected: String) throws {
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

    @Test(.spec(57)) func refusesAMissingFile() throws {
        let url = try TemporaryDirectory().url.appendingPathComponent("missing")
        #expect(throws: Failure.invalidLocalFile(url: url)) { try add(url) }
    }

    @Test(.spec(57)) func refusesADirectory() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: Failure.invalidLocalFile(url: directory.url)) { try add(directory.url) }
    }

    @Test(
        .spec(57),
        .enabled(if: geteuid() != 0 || writeOnlyFile != nil, "Root may read every file here.")
    )
    func refusesAnUnreadableFile() throws {
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
    func refusesWhatIsNoRegularFile(path: String) throws {
        let directory = try TemporaryDirectory()
        let url = path.hasPrefix("/") ? URL(fileURLWithPath: path) : directory.url.appendingPathComponent(path)
        if path == "pipe" { try #require(mkfifo(url.path, 0o600) == 0) }
        #expect(throws: Failure.invalidLocalFile(url: url)) { try add(url) }
    }

    @Test func refusesAURLThatIsNoFile() throws {
        let url = try #require(URL(string: "https://u:secret@h/f?token=secret"))
        let error = Failure.invalidLocalFile(url: url)
        #expect(throws: error) { try add(url) }
        #expect(
            error.description == "A URL with the scheme 'https' cannot be a part of a form: only a local file can."
        )
    }

    @Test func anErrorNamesTheFile() {
        #expect(
            Failure.invalidLocalFile(url: URL(fileURLWithPath: "/d/f.pdf")).description
                == "The file '/d/f.pdf' cannot be a part of a form: it is missing, not a regular file or not readable."
        )
    }

    @Test func aRefusedFileLeavesTheFormAsItWas() throws {
        var builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        let missing = MultipartFormFilePart(file: URL(fileURLWithPath: "/nowhere/at/all"))
        #expect(throws: Failure.self) { try builder.add(key: "file", file: missing) }
        #expect(try builder.form.content().text == "--B--\r\n")
    }
}
