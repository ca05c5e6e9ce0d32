@testable import NetworkUtilities

struct MultipartFormTests {
    @Test(.spec(49, 50, 56, 60, 62)) func aMultipartFormIsTheSameFromABuilderAndFromPartsAndEachTime() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", "content")
        let boundary = try MultipartBoundary("B")
        let builder = MultipartFormBuilder(boundary: boundary)
        let empty = builder.form
        builder.add(key: "é", value: "é\n")
        builder.add(key: "b", value: Data("2".utf8), filename: "f", type: .json)
        try builder.add(key: "f", file: .init(file: file))
        builder.add(MultipartPart(name: "c", text: "3"))
        let form = try MultipartForm(boundary: boundary) {
            MultipartPart(name: "é", text: "é\n")
            MultipartPart(name: "b", data: Data("2".utf8), filename: "f", type: .json)
            try MultipartPart(name: "f", file: .init(file: file))
            MultipartPart(name: "c", text: "3")
        }
        expect(try builder.form.makeContent().text, try form.makeContent().text)
        expect(builder.form.mediaType, form.mediaType)
        let content = form.makeContent()
        expect(content.isInMemory, false)
        let first = try content.bytes
        expect(try [content.bytes, form.makeContent().bytes], [first, first])
        expect([content.length, form.length], [first.count, first.count])
        // A form is a value, which later parts of its builder don't change.
        expect(try empty.makeContent().text, "--B--\r\n")
        expect(empty.length, 7)
    }

    @Test(.spec(60)) func theBoundaryOfAMultipartFormIsThatOfItsMediaTypeAndQuotedIfItIsNotAToken() throws {
        let builder = MultipartFormBuilder()
        builder.add(key: "k", value: "v")
        let form = builder.form
        expect(form.mediaType?.value, "multipart/form-data; boundary=\(form.boundary)")
        let part = "Content-Disposition: form-data; name=\"k\"\r\n\r\nv"
        expect(try form.makeContent().text, "--\(form.boundary)\r\n\(part)\r\n--\(form.boundary)--\r\n")
        let quoted = MultipartFormBuilder(boundary: try MultipartBoundary("a b")).form
        expect(quoted.mediaType?.value, "multipart/form-data; boundary=\"a b\"")
        expect(try quoted.makeContent().text, "--a b--\r\n")
    }

    @Test(.spec(59), arguments: ["", "shorter", "a longer text"])
    func aMultipartFormFailsIfItsFileChanged(text: String) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("f.txt", "twelve bytes")
        let builder = MultipartFormBuilder()
        try builder.add(key: "f", file: .init(file: file))
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
        let error = BodySourceError.fileChanged(url: file, expectedLength: 12, actualLength: text.utf8.count)
        #expect(throws: error) { try builder.form.makeContent().bytes }
    }
}

struct MultipartFormPartsTests {
    enum Kind: CaseIterable, Sendable { case one, two, none }

    /// The values of a form's parts, each of which is a text.
    private func values(@MultipartFormParts of parts: () throws -> [MultipartPart]) throws -> [String] {
        let form = MultipartForm(boundary: try MultipartBoundary("B"), parts: try parts())
        return try form.makeContent().text.components(separatedBy: "\r\n\r\n").dropFirst()
            .map { String($0.prefix { !$0.isNewline }) }
    }

    private func part(_ text: String) -> MultipartPart { MultipartPart(name: "n", text: text) }

    @Test(arguments: [true, false]) func aConditionInABlockLeavesPartsOut(isThere: Bool) throws {
        let optional = isThere ? part("optional") : nil
        let written = try values {
            if isThere { part("if") }
            if isThere {
                part("then")
            } else {
                part("else")
                part("else too")
            }
            optional
            if let optional { optional }
            if #available(macOS 99, iOS 99, tvOS 99, watchOS 99, visionOS 99, *), !isThere { part("available") }
        }
        #if canImport(Darwin)
        let available: [String] = []
        #else
        let available = ["available"]
        #endif
        expect(written, isThere ? ["if", "then", "optional", "optional"] : ["else", "else too"] + available)
    }

    @Test(.spec(50, 51)) func listsLoopsAndSwitchesInABlockAddPartsInOrderAndErrorsAreRethrown() throws {
        expect(try values {}, [])
        let more = [part("3"), part("4")]
        let listed = try values {
            part("1")
            part("2")
            more
            part("5")
        }
        expect(listed, ["1", "2", "3", "4", "5"])
        let looped = try values {
            for number in 1...3 {
                part("\(number)")
                if number == 2 { part("two") }
            }
            for _ in 0..<0 { part("never") }
        }
        expect(looped, ["1", "2", "two", "3"])
        let switched = try Kind.allCases.map { kind in
            try values {
                switch kind {
                case .one: part("1")
                case .two:
                    part("1")
                    part("2")
                case .none: []
                }
            }
        }
        expect(switched, [["1"], ["1", "2"], []])
        let missing = URL(fileURLWithPath: "/nonexistent/file")
        #expect(throws: MultipartFormFilePart.Error.invalidLocalFile(url: missing)) {
            try MultipartForm {
                part("1")
                try MultipartPart(name: "f", file: .init(file: missing))
            }
        }
    }
}
