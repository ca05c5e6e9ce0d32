import Testing

@testable import NetworkClient

struct StatedLengthTests {
    @Test(arguments: [
        ("3", 3), (" 3\t", 3), ("3, 3", 3), ("0", 0), ("003,3", 3), ("9223372036854775807", Int.max),
    ])
    func aLengthIsOneNumber(value: String, number: Int) {
        #expect(StatedLength.number(in: Array(value.utf8)) == number)
    }

    @Test(arguments: [
        "", " ", "2, 3", "3,", ",3", "-3", "+3", "3 3", "0x3", "three", "3.0", "9223372036854775808", "３", "3\u{0}",
    ])
    func noNumberOrSeveralNumbersAreNoLength(value: String) {
        #expect(StatedLength.number(in: Array(value.utf8)) == nil)
    }
}
