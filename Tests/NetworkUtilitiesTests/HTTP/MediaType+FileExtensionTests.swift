import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MediaTypeFileExtensionTests {
    @Test(
        arguments: [
            (.xhtml, "xhtml"), (.atom, "atom"), (.rss, "rss"), (.geoJSON, "geojson"), (.wasm, "wasm"), (.tar, "tar"),
            (.calendar, "ics"), (.vCard, "vcf"), (.avif, "avif"), (.tiff, "tiff"), (.aac, "aac"), (.flac, "flac"),
            (.woff2, "woff2"), (.xml, "xml"), (.yaml, "yaml"), (.mkv, "mkv"), (.ndjson, "ndjson"),
        ] as [(MediaType, String)]
    )
    func aMediaTypeWithANameIsThatOfItsFileExtension(type: MediaType, fileExtension: String) {
        #expect(MediaType(fileExtension: fileExtension) == type)
    }

    @Test(
        .spec(58),
        arguments: [
            "pdf": "application/pdf", "PDF": "application/pdf", "jpg": "image/jpeg", "jpeg": "image/jpeg",
            "Png": "image/png", "heic": "image/heic", "svg": "image/svg+xml", "txt": "text/plain",
            "js": "text/javascript", "json": "application/json", "csv": "text/csv", "html": "text/html",
            "xml": "application/xml", "zip": "application/zip", "gz": "application/gzip", "mp3": "audio/mpeg",
            "mp4": "video/mp4", "mov": "video/quicktime", "woff2": "font/woff2",
            "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ]
    )
    func aCommonFileExtensionHasAMediaType(fileExtension: String, value: String) {
        #expect(MediaType(fileExtension: fileExtension)?.value == value)
    }

    @Test(arguments: ["", "unknown", ".pdf", "pdf ", "tar.gz", "é"])
    func anUnknownFileExtensionHasNoMediaType(fileExtension: String) {
        #expect(MediaType(fileExtension: fileExtension) == nil)
    }

    @Test(
        arguments: [
            ("photo.jpg", "image/jpeg"), ("archive.tar.gz", "application/gzip"), ("a/b.c/photo.jpg", "image/jpeg"),
            ("a\"b\r\nX-Evil: 1.jpg", "image/jpeg"), ("føø.JPG", "image/jpeg"), ("", nil), (".jpg", nil),
            ("d/.jpg", nil), ("a.jpg/b", nil), ("jpg", nil), ("a.", nil),
        ] as [(String, String?)]
    )
    func theExtensionOfAFileNameGivesItsMediaType(name: String, value: String?) {
        #expect(MediaType(fileName: name)?.value == value)
    }

    @Test(arguments: [
        "wav": MediaType.wav, "ogg": .ogg, "webm": .webm, "avi": .avi, "mkv": .mkv, "mov": .mov, "mp3": .mp3,
        "mp4": .mp4,
        "png": .png, "jpeg": .jpeg, "gif": .gif, "webp": .webp, "svg": .svg, "pdf": .pdf, "json": .json, "xml": .xml,
        "html": .html, "css": .css, "js": .javaScript,
    ])
    func aNamedMediaTypeIsThatOfItsExtension(fileExtension: String, type: MediaType) {
        #expect(MediaType(fileExtension: fileExtension) == type)
    }
}

#if !canImport(UniformTypeIdentifiers)
/// The database of the platform where that is a file.
struct MediaTypesFileTests {
    @Test func aFileHasATypeForEachExtension() {
        let text = """
            # A comment
            chemical/x-xyz\t\t\txyz XYZA
            application/x-none
            text/x-first same # other
            text/x-second same\r
            audio/x-cr cr

            """
        let file = MediaTypesFile(text: text.utf8)
        let types = ["xyz", "xyza", "same", "cr", "other", "#", "", "application/x-none"].map { file[$0]?.value }
        #expect(types == ["chemical/x-xyz", "chemical/x-xyz", "text/x-first", "audio/x-cr", nil, nil, nil, nil])
    }

    @Test(arguments: [
        "", "\n", "a", "a b", "/ x", "a/ x", "text/plain; charset=utf-8", "tex\u{0}t/plain x", "text/plain\u{0} x\u{0}",
        String(repeating: "x", count: 10_000) + " x", "text/plain " + String(repeating: "x", count: 10_000),
        String(repeating: "text/plain\n", count: 1_000),
    ])
    func aLineThatIsNotValidIsIgnored(text: String) {
        #expect(MediaTypesFile(text: text.utf8)["x"] == nil)
    }

    @Test func randomBytesNeverTrap() {
        var generator = SeededGenerator(seed: 16)
        for _ in 1...500 {
            let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = MediaTypesFile(text: bytes)["x"]
        }
    }

    @Test func aFileIsReadUpToAMebibyte() throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let lines = "text/x-first first\n" + String(repeating: "# 0123456789\n", count: 1 << 17) + "text/x-last last\n"
        let file = MediaTypesFile(path: try directory.file("mime.types", lines).path)
        #expect(file["first"]?.value == "text/x-first" && file["last"] == nil)
    }

    @Test func whatIsNoRegularFileHasNoTypes() throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let pipe = directory.url.appendingPathComponent("pipe").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let paths = [pipe, directory.url.path, "/dev/zero", directory.url.appendingPathComponent("none").path]
        for path in paths { #expect(MediaTypesFile(path: path)["x"] == nil) }
    }

    @Test func anExtensionThatTheTableDoesNotKnowIsThatOfTheSystem() throws {
        let text = (try? String(contentsOfFile: "/etc/mime.types", encoding: .utf8)) ?? ""
        let knowsXYZ = text.contains("chemical/x-xyz")
        #expect(MediaType(fileExtension: "xyz")?.value == (knowsXYZ ? "chemical/x-xyz" : nil))
        #expect(MediaType(fileExtension: "js") == .javaScript)
    }
}
#endif
