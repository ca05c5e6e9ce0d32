@testable import NetworkUtilities

struct MediaTypeFileExtensionTests {
    @Test(.spec(58)) func aFileExtensionHasTheMediaTypeOfTheTable() {
        let named: KeyValuePairs<MediaType, [String]> = [
            "application/xhtml+xml": ["xhtml"], "application/atom+xml": ["atom"],
            "application/rss+xml": ["rss"], "application/geo+json": ["geojson"],
            "application/wasm": ["wasm"], "application/x-tar": ["tar"],
            "text/calendar": ["ics"], "text/vcard": ["vcf"], "image/avif": ["avif"], "image/tiff": ["tiff"],
            "audio/aac": ["aac"], "audio/flac": ["flac"],
            "font/woff2": ["woff2"], .yaml: ["yaml"], .mkv: ["mkv"], .ndjson: ["ndjson"], .markdown: ["md"],
            .jsonLD: ["jsonld"], .wav: ["wav"], .ogg: ["ogg"], .webm: ["webm"], .avi: ["avi"], .mov: ["mov"],
            .mp3: ["mp3"], .mp4: ["mp4"], .png: ["png", "Png"], .jpeg: ["jpg", "jpeg"], .gif: ["gif"], .webp: ["webp"],
            .svg: ["svg"], .pdf: ["pdf", "PDF"], .json: ["json"], .xml: ["xml"], .html: ["html"], .css: ["css"],
            .javaScript: ["js"], .csv: ["csv"], .zip: ["zip"], .gzip: ["gz"], .heic: ["heic"],
        ]
        for (type, names) in named { for name in names { expect(MediaType(fileExtension: name), type) } }
        let others = [
            "txt": "text/plain", "mov": "video/quicktime", "woff2": "font/woff2", "heic": "image/heic",
            "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ]
        for (name, value) in others { expect(MediaType(fileExtension: name)?.value, value) }
        for name in ["", "unknown", ".pdf", "pdf ", "tar.gz", "é"] { expect(MediaType(fileExtension: name), nil, name) }
    }

    @Test func theExtensionOfAFileNameGivesItsMediaType() {
        let rows: [(String, String?)] = [
            ("photo.jpg", "image/jpeg"), ("archive.tar.gz", "application/gzip"), ("a/b.c/photo.jpg", "image/jpeg"),
            ("a\"b\r\nX-Evil: 1.jpg", "image/jpeg"), ("føø.JPG", "image/jpeg"), ("", nil), (".jpg", nil),
            ("d/.jpg", nil), ("a.jpg/b", nil), ("jpg", nil), ("a.", nil),
        ]
        for (name, value) in rows { expect(MediaType(fileName: name)?.value, value) }
    }
}

#if !canImport(UniformTypeIdentifiers)
/// The database of the platform where that is a file.
struct MediaTypesFileTests {
    @Test func aMediaTypesFileHasATypeForEachExtension() {
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
        expect(types, ["chemical/x-xyz", "chemical/x-xyz", "text/x-first", "audio/x-cr", nil, nil, nil, nil])
    }

    @Test func anInvalidLineOfAMediaTypesFileIsIgnoredAndRandomBytesNeverTrap() {
        for text in [
            "", "\n", "a", "a b", "/ x", "a/ x", "text/plain; charset=utf-8", "tex\u{0}t/plain x",
            "text/plain\u{0} x\u{0}", String(repeating: "x", count: 10_000) + " x",
            "text/plain " + String(repeating: "x", count: 10_000), String(repeating: "text/plain\n", count: 1_000),
        ] {
            expect(MediaTypesFile(text: text.utf8)["x"], nil)
        }
        var generator = SeededGenerator(seed: 16)
        for _ in 1...500 {
            let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = MediaTypesFile(text: bytes)["x"]
        }
    }

    @Test func onlyARegularMediaTypesFileIsReadUpToAMebibyte() throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let lines = "text/x-first first\n" + String(repeating: "# 0123456789\n", count: 1 << 17) + "text/x-last last\n"
        let file = MediaTypesFile(path: try directory.file("mime.types", lines).path)
        expect(["first", "last"].map { file[$0]?.value }, ["text/x-first", nil])
        let pipe = directory.url.appendingPathComponent("pipe").path
        expect(mkfifo(pipe, 0o600), 0)
        let paths = [pipe, directory.url.path, "/dev/zero", directory.url.appendingPathComponent("none").path]
        for path in paths { expect(MediaTypesFile(path: path)["x"], nil, path) }
    }

    @Test func anExtensionThatTheTableDoesNotKnowIsThatOfTheSystem() throws {
        let text = (try? String(contentsOfFile: "/etc/mime.types", encoding: .utf8)) ?? ""
        let knowsXYZ = text.contains("chemical/x-xyz")
        expect(MediaType(fileExtension: "xyz")?.value, knowsXYZ ? "chemical/x-xyz" : nil)
        expect(MediaType(fileExtension: "js"), .javaScript)
    }
}
#endif
