@testable import NetworkUtilities

struct MultipartFormBuilderTests {
    private func text(_ add: (MultipartFormBuilder) throws -> Void) throws -> String {
        let builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        try add(builder)
        return try builder.form.makeContent().text
    }

    @Test(.spec(50, 51)) func aFormBuilderWritesPartsInOrder() throws {
        let directory = try TemporaryDirectory()
        let photo = try directory.file("local.bin", "<bytes>")
        let written = try text { builder in
            builder.add(key: "description", value: "My file")
            try builder.add(key: "file", file: .init(file: photo, filename: "photo.jpg", mimeType: .auto()))
            try builder.add(key: "own", file: photo)
            builder.add(key: "k", value: Data("\n".utf8))
            builder.add(key: "k", value: Data("1".utf8), filename: "f", type: MediaType("a/b"))
            builder.add(key: "k", value: Data("1".utf8), filename: "f.png")
        }
        let parts = [
            "name=\"description\"\r\n\r\nMy file",
            "name=\"file\"; filename=\"photo.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n<bytes>",
            "name=\"own\"; filename=\"local.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n<bytes>",
            "name=\"k\"\r\n\r\n\n", "name=\"k\"; filename=\"f\"\r\nContent-Type: a/b\r\n\r\n1",
            "name=\"k\"; filename=\"f.png\"\r\nContent-Type: image/png\r\n\r\n1",
        ]
        let expected = parts.map { "--B\r\nContent-Disposition: form-data; \($0)\r\n" }.joined() + "--B--\r\n"
        expect(written, expected)
        let chained = try text { builder in
            try builder.add(key: "description", value: "My file")
                .add(key: "file", file: .init(file: photo, filename: "photo.jpg", mimeType: .auto()))
                .add(key: "own", file: photo)
                .add(key: "k", value: Data("\n".utf8))
            builder.add(key: "k", value: Data("1".utf8), filename: "f", type: MediaType("a/b"))
                .add(key: "k", value: Data("1".utf8), filename: "f.png")
        }
        expect(chained, expected)
        expect(try text { _ in }, "--B--\r\n")
    }

    @Test(.spec(26, 54)) func aFormBuilderRepairsMediaTypes() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("f", "x")
        for type in ["a/b\r\nX-Evil: 1", "a/b\nX-Evil: 1", "a/b\rX-Evil: 1", "a/b\r\n\r\n--B--"] {
            let written = try text { try $0.add(key: "k", file: .init(file: file, mimeType: .type(mimeType: type))) }
            let lines = written.components(separatedBy: "\r\n")
            expect(lines.count, 7)
            #expect(lines[2].hasPrefix("Content-Type: a/b ") && !lines[2].contains(where: \.isNewline))
        }
    }
}
