import NetworkTestSupport
import Foundation
import Testing

@testable import NetworkUtilities

struct FormConvertibleTests {
    private func text(_ params: Params) throws -> String {
        try DefaultFormEncoder().percentEncodedString(params: params)
    }

    @Test func objectsOfJSONSerializationAreWrittenInAForm() throws {
        let json = #"{"a": true, "b": 1, "c": [1.5, "x", null, false], "d": {"e": null, "f": {}, "g": "é"}}"#
        let params = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? Params)
        #expect(try text(params) == "a=true&b=1&c%5B%5D=1.5&c%5B%5D=x&c%5B%5D=false&d%5Bg%5D=%C3%A9")
    }

    @Test func foundationObjectsAreWrittenAsTheirSwiftTypes() throws {
        let uuid = UUID()
        let params: Params = [
            "a": NSString(string: "x y"), "b": NSArray(array: [1, NSString(string: "z")]),
            "c": NSDictionary(dictionary: ["k": NSNull(), "j": NSNumber(value: true)]),
            "d": NSDate(timeIntervalSince1970: 0), "e": try #require(NSUUID(uuidString: uuid.uuidString)),
            "f": try #require(NSURL(string: "http://h")),
        ]
        let expected =
            "a=x+y&b%5B%5D=1&b%5B%5D=z&c%5Bj%5D=true&d=1970-01-01T00%3A00%3A00Z&e=\(uuid.uuidString)&f=http%3A%2F%2Fh"
        #expect(try text(params) == expected)
    }

    @Test func aFoundationObjectWithoutAFormIsAnError() {
        #expect(throws: BodyEncodingError.self) { try text(["k": NSData()]) }
        #expect(throws: BodyEncodingError.self) { try text(["k": NSObject()]) }
        #expect(throws: BodyEncodingError.self) { try text(["k": NSError(domain: "d", code: 1)]) }
    }
}

struct FormConvertibleNSNumberTests {
    private func text(_ params: Params) throws -> String {
        try DefaultFormEncoder().percentEncodedString(params: params)
    }

    @Test(.spec(41)) func booleansOfNSNumberAreNotWrittenAsNumbers() throws {
        let params: Params = [
            "a": NSNumber(value: true), "b": NSNumber(value: 1), "c": NSNumber(value: Int8(1)), "d": 1, "e": true,
            "f": NSNumber(value: false), "g": NSNumber(value: 0),
        ]
        #expect(try text(params) == "a=true&b=1&c=1&d=1&e=true&f=false&g=0")
    }

    @Test func numberObjectsAreWrittenInAForm() throws {
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
