import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct FormStyleBooleanStyleTests {
    private func text(_ style: FormStyle.BooleanStyle) throws -> String {
        let params: Params = ["a": true, "b": [false], "c": NSNumber(value: true), "d": 1, "e": Optional(true) as Any]
        return try DefaultFormEncoder(style: FormStyle(arrays: .repeated, booleans: style))
            .percentEncodedString(params: params)
    }

    @Test(.spec(10, 41)) func writesWords() throws {
        #expect(try text(.literal) == "a=true&b=false&c=true&d=1&e=true")
    }

    @Test func writesDigits() throws {
        #expect(try text(.numeric) == "a=1&b=0&c=1&d=1&e=1")
    }

    @Test func writesTextsOfYourOwn() throws {
        #expect(try text(.init(true: "y&s", false: "")) == "a=y%26s&b=&c=y%26s&d=1&e=y%26s")
    }
}
