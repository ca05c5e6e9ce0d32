import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MultipartFormBuilderTests {
    private func text(_ add: (inout MultipartFormBuilder) throws -> Void) throws -> String {
        var builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        try add(&builder)
        return try builder.form.content().text
    }

    @Test(.spec(50)) func aFormBuilderWritesPartsInOrder() throws {
        let directory = try TemporaryDirectory()
        let photo = try directory.file("local.bin", "<bytes>")
        let written = try text { builder in
            builder.add(key: "description", value: "My file")
            try builder.add(key: "file", file: .init(file: photo, filename: "photo.jpg", mimeType: .auto()))
        }
        #expect(
            written == """
                --B\r
                Content-Disposition: form-data; name="description"\r
                \r
                My file\r
                --B\r
                Content-Disposition: form-data; name="file"; filename="photo.jpg"\r
                Content-Type: image/jpeg\r
                \r
                <bytes>\r
                --B--\r\n
                """
        )
    }

    @Test(.spec(51)) func aFormBuilderClosesAnEmptyForm() throws {
        #expect(try text { _ in } == "--B--\r\n")
    }

    @Test(.spec(52)) func aFormBuilderWritesTextInUTF8() throws {
        var builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        builder.add(key: "é", value: "é")
        let expected =
            Data("--B\r\nContent-Disposition: form-data; name=\"".utf8) + [0xC3, 0xA9]
            + Data("\"\r\n\r\n".utf8) + [0xC3, 0xA9] + Data("\r\n--B--\r\n".utf8)
        #expect(try builder.form.content().bytes == expected)
    }

    @Test(.spec(53)) func aFormBuilderKeepsCustomMediaTypes() throws {
        let written = try text { $0.add(key: "k", value: Data("v".utf8), filename: "f", type: MediaType("a/b")) }
        #expect(written.contains("\r\nContent-Type: a/b\r\n\r\nv\r\n"))
    }

    @Test(.spec(54)) func aFormBuilderEscapesFilenames() throws {
        let written = try text {
            $0.add(key: "f", value: Data(), filename: "a\"b\r\nX-Evil: 1.jpg", type: MediaType("a/b"))
        }
        #expect(
            written == """
                --B\r
                Content-Disposition: form-data; name="f"; filename="a%22b%0D%0AX-Evil: 1.jpg"\r
                Content-Type: a/b\r
                \r
                \r
                --B--\r\n
                """
        )
    }

    @Test(
        .spec(54),
        arguments: [
            ("a\nb", "a%0D%0Ab", "a%0Ab"), ("a\rb", "a%0D%0Ab", "a%0Db"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
            ("\n\r", "%0D%0A%0D%0A", "%0A%0D"), ("100%\\;", "100%\\;", "100%\\;"), ("", "", ""),
        ]
    )
    func aFormBuilderNormalisesNewlinesInNames(text input: String, name: String, filename: String) throws {
        let written = try text { $0.add(key: input, value: Data(), filename: input) }
        #expect(written.contains("form-data; name=\"\(name)\"; filename=\"\(filename)\"\r\n"))
    }

    @Test(
        .spec(54),
        arguments: [("a\nb", "a\r\nb"), ("a\rb", "a\r\nb"), ("a\r\nb", "a\r\nb"), ("\r", "\r\n"), ("\n\n", "\r\n\r\n")]
    )
    func aFormBuilderNormalisesNewlinesInTexts(value: String, expected: String) throws {
        let written = try text { $0.add(key: "k", value: value) }
        #expect(written == "--B\r\nContent-Disposition: form-data; name=\"k\"\r\n\r\n\(expected)\r\n--B--\r\n")
    }

    @Test(.spec(55)) func aFormBuilderWritesFilenamesInUTF8() throws {
        let written = try text { $0.add(key: "f", value: Data(), filename: "føø.jpg") }
        #expect(written.contains("filename=\"føø.jpg\"\r\n"))
        #expect(!written.contains("filename*"))
    }

    @Test(.spec(61)) func aFormBuilderWritesDataWithoutAFilename() throws {
        let bytes = Data([0x0A, 0x0D, 0x00, 0xFF])
        var builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        builder.add(key: "k", value: bytes)
        builder.add(key: "j", value: Data("{}".utf8), type: .json)
        let expected =
            Data("--B\r\nContent-Disposition: form-data; name=\"k\"\r\n\r\n".utf8) + bytes
            + Data("\r\n--B\r\nContent-Disposition: form-data; name=\"j\"\r\n".utf8)
            + Data("Content-Type: application/json\r\n\r\n{}\r\n--B--\r\n".utf8)
        #expect(try builder.form.content().bytes == expected)
    }

    @Test(
        .spec(26, 54),
        arguments: ["a/b\r\nX-Evil: 1", "a/b\nX-Evil: 1", "a/b\rX-Evil: 1", "a/b\r\n\r\n--B--"]
    )
    func aFormBuilderRepairsMediaTypes(type: String) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("f", "x")
        let written = try text { try $0.add(key: "k", file: .init(file: file, mimeType: .type(mimeType: type))) }
        let lines = written.components(separatedBy: "\r\n")
        #expect(lines.count == 7)
        #expect(lines[2].hasPrefix("Content-Type: a/b ") && !lines[2].contains(where: \.isNewline))
    }

    @Test
    func aFormBuilderLeavesOutAnEmptyMediaType() throws {
        let written = try text { $0.add(key: "k", value: Data(), filename: "f", type: MediaType("")) }
        #expect(!written.contains("Content-Type"))
    }
}
