import Testing

@testable import NetworkClient

struct ContentFieldTests {
    @Test(arguments: [
        ("Content-Length: 3\r\n", " 3\r\n"), ("content-length:3\n", "3\n"), ("CONTENT-LENGTH:", nil),
        ("Content-Lengths: 3\r\n", nil), ("X-Content-Length: 3\r\n", nil), ("", nil), ("C", nil),
        ("Content-Length : 3\r\n", nil), ("Content-Encoding: gzip\r\n", nil),
    ])
    func lengthIsFoundInALine(line: String, value: String?) {
        #expect(self.value(of: .length, in: line) == value)
    }

    @Test(arguments: [
        ("Content-Encoding: gzip\r\n", " gzip\r\n"), ("content-encoding:br\n", "br\n"), ("CONTENT-ENCODING:", nil),
        ("Content-Encodings: br\r\n", nil), ("Content-Length: 3\r\n", nil), ("Content-Type: a\r\n", nil),
    ])
    func encodingIsFoundInALine(line: String, value: String?) {
        #expect(self.value(of: .encoding, in: line) == value)
    }

    private func value(of field: ContentField, in line: String) -> String? {
        Array(line.utf8).withUnsafeBytes { bytes in
            field.value(ofLine: bytes).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
