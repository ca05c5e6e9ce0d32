import Testing

@testable import NetworkClient

struct BodyFramingTests {
    @Test(arguments: [
        ("3", 3), (" 3\t", 3), ("3, 3", 3), ("0", 0), ("003,3", 3), ("9223372036854775807", Int.max),
    ])
    func aLengthIsOneNumber(value: String, number: Int) {
        expect(BodyFraming.length(in: Array(value.utf8)), number)
    }

    @Test(arguments: [
        "", " ", "2, 3", "3,", ",3", "-3", "+3", "3 3", "0x3", "three", "3.0", "9223372036854775808", "３", "3\u{0}",
    ])
    func noNumberOrSeveralNumbersAreNoLength(value: String) {
        expect(BodyFraming.length(in: Array(value.utf8)), nil)
    }

    @Test(arguments: [
        ("chunked", false), (" Chunked\t", false), ("identity", false), ("chunked, identity", false), ("", false),
        ("gzip, chunked", true), ("gzip", true), ("chunked;q=1", true), ("x-chunked", true),
    ])
    func aTransferCodingOtherThanChunkedIsUnknown(value: String, isUnknown: Bool) {
        expect(BodyFraming.isUnknownCoding(value), isUnknown)
    }
}
