import Foundation
import NetworkTestSupport
import Testing

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
        return try Python.run(Self.script, input: head + form.content().bytes)
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

    @Test(
        .spec(54),
        .enabled(if: Python.isAvailable, Comment(rawValue: Python.reason))
    )
    func hostileInputInAMultipartFormIsReadBackByPython() throws {
        var generator = SystemRandomNumberGenerator()
        var builder = MultipartFormBuilder()
        var expected: [ReadPart] = []
        for index in 0..<400 {
            let (name, value) = (hostileText(&generator), hostileText(&generator))
            if index.isMultiple(of: 2) {
                builder.add(key: name, value: value)
                expected.append(
                    ReadPart(
                        headers: ["Content-Disposition"],
                        disposition: Data("form-data; name=\"\(escaped(normalised(name)))\"".utf8),
                        payload: Data(normalised(value).utf8)
                    )
                )
            } else {
                let filename = hostileText(&generator)
                builder.add(key: name, value: Data(value.utf8), filename: filename, type: MediaType("x/y"))
                let parameters = "name=\"\(escaped(normalised(name)))\"; filename=\"\(escaped(filename))\""
                expected.append(
                    ReadPart(
                        headers: ["Content-Disposition", "Content-Type"],
                        disposition: Data("form-data; \(parameters)".utf8),
                        payload: Data(value.utf8)
                    )
                )
            }
        }
        let parts = try read(builder.form)
        #expect(parts.count == expected.count)
        for (part, expected) in zip(parts, expected) { #expect(part == expected) }
    }

    @Test(
        .enabled(if: Python.isAvailable, Comment(rawValue: Python.reason)),
        arguments: [0, 1, 2, 1_000, 200_000]
    )
    func randomBytesInAMultipartFormAreReadBackByPython(length: Int) throws {
        let directory = try TemporaryDirectory()
        let bytes = Data((0..<length).map { _ in UInt8.random(in: 0...255) })
        var builder = MultipartFormBuilder()
        builder.add(key: "data", value: bytes)
        try builder.add(key: "file", file: .init(file: directory.file("random.bin", bytes)))
        builder.add(key: "end", value: "")
        #expect(try read(builder.form).map(\.payload) == [bytes, bytes, Data()])
    }

    /// A custom body that is read from a custom source.
    private struct Custom: RequestBody, BodySource {
        let bytes: Data
        var mediaType: MediaType? { MediaType("application/x-custom") }
        var length: Int { bytes.count }
        func content() -> RequestContent { .source(self) }
        func open() -> any BodyReader { DataBodySource(bytes).open() }
    }

    @Test(
        .spec(48, 54),
        .enabled(if: Python.isAvailable, Comment(rawValue: Python.reason))
    )
    func customPartsOfAMultipartFormAreReadBackByPython() throws {
        var generator = SystemRandomNumberGenerator()
        let names = (0..<100).map { _ in hostileText(&generator) }
        let form = try MultipartForm {
            for name in names {
                try MultipartPart(
                    name: name,
                    body: Custom(bytes: Data(name.utf8)),
                    filename: name,
                    headers: [.custom(name: "Content-ID", value: "<\(name)>"), .custom(name: name, value: name)]
                )
            }
        }
        let parts = try read(form)
        #expect(parts.count == names.count)
        for (part, name) in zip(parts, names) {
            let isToken = HTTPToken.isValid(name)
            #expect(part.headers == ["Content-Disposition", "Content-Type", "Content-ID"] + (isToken ? [name] : []))
            let parameters = "name=\"\(escaped(normalised(name)))\"; filename=\"\(escaped(name))\""
            #expect(part.disposition == Data("form-data; \(parameters)".utf8))
            #expect(part.payload == Data(name.utf8))
        }
    }
}
