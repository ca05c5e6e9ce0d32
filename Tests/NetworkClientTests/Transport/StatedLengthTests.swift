import Testing

@testable import NetworkClient

struct StatedLengthTests {
    @Test(arguments: [
        ("3", 3), (" 3\t", 3), ("3, 3", 3), ("0", 0), ("003,3", 3), ("9223372036854775807", Int.max),
    ])
    func isOneNumber(value: String, number: Int) {
        #expect(StatedLength.number(in: Array(value.utf8)) == number)
    }

    @Test(arguments: [
        "", " ", "2, 3", "3,", ",3", "-3", "+3", "3 3", "0x3", "three", "3.0", "9223372036854775808", "３", "3\u{0}",
    ])
    func isNoneOrSeveral(value: String) {
        #expect(StatedLength.number(in: Array(value.utf8)) == nil)
    }

    @Test(arguments: [
        ("Content-Length: 3\r\n", " 3\r\n"), ("content-length:3\n", "3\n"), ("CONTENT-LENGTH:", nil),
        ("Content-Lengths: 3\r\n", nil), ("X-Content-Length: 3\r\n", nil), ("", nil), ("C", nil),
        ("Content-Length : 3\r\n", nil),
    ])
    func isFoundInALine(line: String, value: String?) {
        Array(line.utf8).withUnsafeBytes { bytes in
            #expect(StatedLength.value(ofLine: bytes).map { String(decoding: $0, as: UTF8.self) } == value)
        }
    }
}
