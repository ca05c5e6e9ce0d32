import Foundation
import Testing

@testable import NetworkUtilities

struct FormBridgedTests {
    private func text(_ params: Params) throws -> String {
        try DefaultFormEncoder().percentEncodedString(params: params)
    }

    @Test func writesWhatJSONSerializationReads() throws {
        let json = #"{"a": true, "b": 1, "c": [1.5, "x", null, false], "d": {"e": null, "f": {}, "g": "é"}}"#
        let params = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? Params)
        #expect(try text(params) == "a=true&b=1&c%5B%5D=1.5&c%5B%5D=x&c%5B%5D=false&d%5Bg%5D=%C3%A9")
    }

    @Test func writesFoundationObjectsAsTheirSwiftTypes() throws {
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

    @Test func refusesFoundationObjectsThatHaveNoForm() {
        #expect(throws: BodyEncodingError.self) { try text(["k": NSData()]) }
        #expect(throws: BodyEncodingError.self) { try text(["k": NSObject()]) }
        #expect(throws: BodyEncodingError.self) { try text(["k": NSError(domain: "d", code: 1)]) }
    }
}
