@testable import NetworkUtilities

/// Forms as Python's `email` package reads them.
struct MultipartRoundTripTests {
    private struct ReadPart: Decodable, Equatable {
        let headers: [String]
        let disposition: Data
        let payload: Data
    }

    private static let script = """
        import base64, email, json, sys
        message = email.message_from_bytes(sys.stdin.buffer.read())
        encoded = lambda data: base64.b64encode(data).decode()
        raw = lambda text: text.encode('ascii', 'surrogateescape')
        print(json.dumps([{
            'headers': part.keys(),
            'disposition': encoded(raw(dict(part.raw_items())['Content-Disposition'])),
            'payload': encoded(part.get_payload(decode=True)),
        } for part in message.get_payload()]))
        """

    private static let hostile = [
        "\"", "\r", "\n", "\r\n", "\r\n\r\n", "; filename=\"evil\"", "\r\nX-Evil: 1", "--B", "\r\n--B--\r\n", "%22",
        "\\", "\\\"", "é", "😀", "\u{2028}", "\u{85}", "\u{0}", "\t", " ", ";", "=", "Content-Type: evil/evil", "name",
    ]

    private func hostileText(_ generator: inout some RandomNumberGenerator) -> String {
        (0..<Int.random(in: 0...6, using: &generator))
            .compactMap { _ in Self.hostile.randomElement(using: &generator) }.joined()
    }

    private func read(_ form: MultipartForm) throws -> [ReadPart] {
        let head = Data("Content-Type: \(form.mediaType?.value ?? "")\r\n\r\n".utf8)
        return try Python.run(Self.script, input: head + form.makeContent().bytes)
    }

    private func part(_ name: String, _ filename: String?, _ headers: [String], _ payload: String) -> ReadPart {
        let file = filename.map { "; filename=\"\(escaped($0))\"" } ?? ""
        let disposition = Data("form-data; name=\"\(escaped(normalised(name)))\"\(file)".utf8)
        return ReadPart(headers: headers, disposition: disposition, payload: Data(payload.utf8))
    }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "\r", with: "%0D", options: .literal)
            .replacingOccurrences(of: "\n", with: "%0A", options: .literal)
            .replacingOccurrences(of: "\"", with: "%22", options: .literal)
    }

    private func normalised(_ text: String) -> String {
        text.replacingOccurrences(of: "\r\n", with: "\n", options: .literal)
            .replacingOccurrences(of: "\r", with: "\n", options: .literal)
            .replacingOccurrences(of: "\n", with: "\r\n", options: .literal)
    }

    @Test(.spec(54), .python) func hostileInputInAMultipartFormIsReadBackByPython() throws {
        var generator = SystemRandomNumberGenerator()
        let builder = MultipartFormBuilder()
        var expected: [ReadPart] = []
        for index in 0..<400 {
            let (name, value) = (hostileText(&generator), hostileText(&generator))
            if index.isMultiple(of: 2) {
                builder.add(key: name, value: value)
                expected.append(part(name, nil, ["Content-Disposition"], normalised(value)))
            } else {
                let filename = hostileText(&generator)
                builder.add(key: name, value: Data(value.utf8), filename: filename, type: MediaType("x/y"))
                expected.append(part(name, filename, ["Content-Disposition", "Content-Type"], value))
            }
        }
        expect(try read(builder.form), expected)
    }

    @Test(.python) func randomBytesInAMultipartFormAreReadBackByPython() throws {
        let directory = try TemporaryDirectory()
        let pieces = [0, 1, 2, 1_000, 200_000].map { Data((0..<$0).map { _ in UInt8.random(in: 0...255) }) }
        let builder = MultipartFormBuilder()
        for bytes in pieces {
            builder.add(key: "data", value: bytes)
            try builder.add(key: "file", file: .init(file: directory.file("random-\(bytes.count).bin", bytes)))
        }
        builder.add(key: "end", value: "")
        expect(try read(builder.form).map(\.payload), pieces.flatMap { [$0, $0] } + [Data()])
    }

    @Test(.spec(48, 54), .python) func customPartsOfAMultipartFormAreReadBackByPython() throws {
        var generator = SystemRandomNumberGenerator()
        let names = (0..<100).map { _ in hostileText(&generator) }
        let form = try MultipartForm {
            for name in names {
                try MultipartPart(
                    name: name,
                    body: AnnouncedBody(length: name.utf8.count, bytes: Data(name.utf8)),
                    filename: name,
                    headers: [.custom(name: "Content-ID", value: "<\(name)>"), .custom(name: name, value: name)]
                )
            }
        }
        let expected = names.map { name in
            let fields =
                ["Content-Disposition", "Content-Type", "Content-ID"] + (HTTPToken.isValid(name) ? [name] : [])
            return part(name, name, fields, name)
        }
        expect(try read(form), expected)
    }
}
