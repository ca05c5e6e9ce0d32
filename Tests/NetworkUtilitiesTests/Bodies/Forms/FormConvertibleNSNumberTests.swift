import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct FormConvertibleNSNumberTests {
    private func text(_ params: Params) throws -> String {
        try DefaultFormEncoder().percentEncodedString(params: params)
    }

    @Test(.spec(41)) func tellsBooleansFromNumbers() throws {
        let params: Params = [
            "a": NSNumber(value: true), "b": NSNumber(value: 1), "c": NSNumber(value: Int8(1)), "d": 1, "e": true,
            "f": NSNumber(value: false), "g": NSNumber(value: 0),
        ]
        #expect(try text(params) == "a=true&b=1&c=1&d=1&e=true&f=false&g=0")
    }

    @Test func writesNumberObjects() throws {
        let params: Params = [
            "a": NSNumber(value: UInt64.max), "b": NSNumber(value: Int64.min), "c": NSNumber(value: 0.5),
            "d": NSNumber(value: Float(0.1)), "e": NSDecimalNumber(string: "12345678901234567890.5"),
        ]
        let expected = "a=18446744073709551615&b=-9223372036854775808&c=0.5&d=0.1&e=12345678901234567890.5"
        #expect(try text(params) == expected)
        #expect(throws: BodyEncodingError.form(path: "k", reason: "is not a finite number")) {
            try text(["k": NSNumber(value: Double.nan)])
        }
        #expect(throws: BodyEncodingError.form(path: "k", reason: "is not a finite number")) {
            try text(["k": NSDecimalNumber.notANumber])
        }
    }
}
