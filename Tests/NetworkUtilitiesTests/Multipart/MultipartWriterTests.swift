@testable import NetworkUtilities

struct MultipartWriterTests {
    private func form(_ count: Int, of length: Int) throws -> MultipartForm {
        let builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        for index in 0..<count { builder.add(key: "\(index)", value: Data(repeating: 0x61, count: length)) }
        return builder.form
    }

    @Test func smallPartsOfAMultipartFormAreCopiedAndLargeOnesJoinedUpToALength() throws {
        // The length of a form includes its delimiters.
        let largest = MultipartWriter.largestInMemory - (try form(1, of: 0).length)
        let rows: [(Int, Int, Bool)] = [
            (0, 0, true), (1, 16_384, true), (1_000, 1, true), (60, 16_384, true), (100, 16_384, true),
            (1, 16_385, true), (60, 16_385, true), (100, 16_385, false), (1, 1_048_577, false), (1, largest, true),
            (1, largest + 1, false),
        ]
        for (count, length, isInMemory) in rows {
            let form = try form(count, of: length)
            expect(form.makeContent().isInMemory, isInMemory, "\(count) of \(length)")
            expect(try form.makeContent().bytes.count, form.length, "\(count) of \(length)")
        }
    }
}

struct MultipartEscapingTests {
    private func written(_ text: String, as escaping: MultipartEscaping) -> String {
        var bytes = Array("<".utf8)
        escaping.append(text, to: &bytes)
        return String(decoding: bytes.dropFirst(), as: UTF8.self)
    }

    @Test(.spec(54)) func namesFilenamesAndTextsAreEscapedByTheirRules() {
        let rows: [(String, String, String, String?)] = [
            ("", "", "", ""),
            ("é😀%\u{85}\u{2028}\u{0}\t;\\", "é😀%\u{85}\u{2028}\u{0}\t;\\", "é😀%\u{85}\u{2028}\u{0}\t;\\", nil),
            ("\"", "%22", "%22", "\""), ("a\"b\"", "a%22b%22", "a%22b%22", "a\"b\""),
            ("\n", "%0D%0A", "%0A", "\r\n"), ("\r", "%0D%0A", "%0D", "\r\n"), ("\r\n", "%0D%0A", "%0D%0A", "\r\n"),
            ("\n\r", "%0D%0A%0D%0A", "%0A%0D", "\r\n\r\n"), ("\r\r\n", "%0D%0A%0D%0A", "%0D%0D%0A", "\r\n\r\n"),
            ("\r\n\n", "%0D%0A%0D%0A", "%0D%0A%0A", "\r\n\r\n"), ("a\nb\r", "a%0D%0Ab%0D%0A", "a%0Ab%0D", "a\r\nb\r\n"),
        ]
        for (text, name, filename, value) in rows {
            expect(written(text, as: .name), name)
            expect(written(text, as: .filename), filename)
            expect(written(text, as: .text), value ?? text)
            // A text that Foundation made is not in one piece of UTF-8 on every platform.
            expect(written(NSString(string: text) as String, as: .text), value ?? text)
        }
    }
}
