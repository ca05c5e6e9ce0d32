import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

struct DefaultJsonEncoderTests {
    private struct Payload: Codable, Equatable {
        var name: String
    }

    private struct Line: Encodable {
        var price: Double
        var at = Date(timeIntervalSince1970: 0)
    }

    private struct Order: Encodable {
        var orders: [Line]
    }

    private struct Nothing: Encodable {
        func encode(to encoder: any Encoder) {}
    }

    private struct Refusal: Encodable, Error {
        func encode(to encoder: any Encoder) throws { throw self }
    }

    private func text(_ value: some Encodable, with encoder: DefaultJsonEncoder = .init()) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test(.spec(34)) func anObjectIsEncodedAsJSON() throws {
        #expect(try text(Payload(name: "Alice")) == #"{"name":"Alice"}"#)
    }

    @Test func slashesAreNotEscapedInJSON() throws {
        #expect(try text(["https://example.com/a"]) == #"["https://example.com/a"]"#)
    }

    @Test(.spec(44)) func aDictionaryIsEncodedAsAJSONObjectOfItsMembers() throws {
        let fields = ["login": "L", "password": "P"]
        let data = try DefaultJsonEncoder().encode(fields)
        #expect(try JSONDecoder().decode([String: String].self, from: data) == fields)
    }

    @Test(.spec(45)) func anArrayIsEncodedAsJSON() throws {
        let items = [Payload(name: "a"), Payload(name: "b")]
        let data = try DefaultJsonEncoder().encode(items)
        #expect(try JSONDecoder().decode([Payload].self, from: data) == items)
    }

    private static let dates: [(Double, String)] = [
        (1_704_164_645.678, #"["2024-01-02T03:04:05.678Z"]"#), (1_704_164_645, #"["2024-01-02T03:04:05Z"]"#),
    ]

    @Test(.spec(35), arguments: dates)
    func jsonDatesHaveMillisecondsUnlessTheyAreZero(seconds: Double, json: String) throws {
        #expect(try text([Date(timeIntervalSince1970: seconds)]) == json)
    }

    @Test(.spec(75)) func jsonKeysAreConvertedByTheStrategy() throws {
        let encoder = DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase)
        #expect(try text(["userName": 1].mapValues { [$0] }, with: encoder) == #"{"userName":[1]}"#)
        struct User: Encodable { var userName = "a" }
        #expect(try text(User(), with: encoder) == #"{"user_name":"a"}"#)
    }

    @Test(.spec(36), arguments: [Double.infinity, -.infinity, .nan])
    func anInfiniteNumberInJSONIsAnErrorWithItsPath(price: Double) {
        let error = #expect(throws: BodyEncodingError.self) {
            try DefaultJsonEncoder().encode(Order(orders: [Line(price: 1), Line(price: 2), Line(price: price)]))
        }
        #expect(error == .json(path: "orders[2].price", reason: "is a number that is not finite"))
        #expect(
            error?.description
                == "The JSON body cannot be encoded: 'orders[2].price' is a number that is not finite."
        )
    }

    @Test func anInfiniteNumberAsJSONIsAnError() {
        #expect(throws: BodyEncodingError.json(path: "", reason: "is a number that is not finite")) {
            try DefaultJsonEncoder().encode(Float.infinity)
        }
    }

    @Test func aJSONDateOutsideTheYears1To9999IsAnErrorWithItsPath() {
        let line = Line(price: 1, at: .init(timeIntervalSince1970: 253_402_300_800))
        let reason = "is a date outside the years 0001 to 9999"
        #expect(throws: BodyEncodingError.json(path: "orders[0].at", reason: reason)) {
            try DefaultJsonEncoder().encode(Order(orders: [line]))
        }
        #expect(throws: BodyEncodingError.json(path: "", reason: reason)) {
            try DefaultJsonEncoder().encode(Date(timeIntervalSince1970: .nan))
        }
    }

    @Test func aDecimalThatIsNotANumberIsAnErrorWithItsPath() throws {
        let reason = "is a Decimal that is not a number"
        #expect(throws: BodyEncodingError.json(path: "prices[1]", reason: reason)) {
            try DefaultJsonEncoder().encode(["prices": [Decimal(1), .nan]])
        }
        #expect(throws: BodyEncodingError.json(path: "", reason: reason)) {
            try DefaultJsonEncoder().encode(Decimal.nan)
        }
        #expect(throws: BodyEncodingError.json(path: "[0]", reason: reason)) {
            try DefaultJsonEncoder().encode([Decimal.nan as Decimal?])
        }
        #expect(try text(["a": Decimal(1.5)]) == #"{"a":1.5}"#)
    }

    @Test func aValueThatEncodesNothingIsNotJSON() {
        #expect(throws: BodyEncodingError.json(path: "", reason: "is of type Nothing and has no JSON form")) {
            try DefaultJsonEncoder().encode(Nothing())
        }
    }

    @Test func anErrorThrownByAJSONValueIsReportedByItsType() {
        #expect(throws: BodyEncodingError.json(path: "", reason: "threw Refusal while it was encoded")) {
            try DefaultJsonEncoder().encode([Refusal()])
        }
    }

    @Test(.spec(77)) func aCustomJSONEncoderIsUsedUnchanged() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "INF",
            negativeInfinity: "-INF",
            nan: "NaN"
        )
        let line = Order(orders: [Line(price: .nan, at: .init(timeIntervalSince1970: 5))])
        #expect(try text(line, with: .init(encoder: encoder)) == #"{"orders":[{"at":5,"price":"NaN"}]}"#)
        #expect(encoder.outputFormatting == [.sortedKeys])
        guard case .secondsSince1970 = encoder.dateEncodingStrategy else {
            Issue.record("The date strategy of the user's encoder was changed")
            return
        }
    }
}

struct CodingPathTests {
    private struct Key: CodingKey, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        let stringValue: String
        let intValue: Int?

        init(stringLiteral value: String) {
            self.init(stringValue: value)
        }

        init(integerLiteral value: Int) {
            self.init(intValue: value)
        }

        init(stringValue: String) {
            self.stringValue = stringValue
            intValue = nil
        }

        init(intValue: Int) {
            stringValue = "Index \(intValue)"
            self.intValue = intValue
        }
    }

    private static let table: [([Key], String)] = [
        ([], ""), (["name"], "name"), (["posts", 3, "title"], "posts[3].title"), ([0, 1], "[0][1]"),
        (["größe", "$ref", "@id", "x-y", "a_b"], "größe.$ref.@id.x-y.a_b"), (["a", "b.c", "d"], #"a["b.c"].d"#),
        ([""], #"[""]"#), (["a[0]"], #"["a[0]"]"#), (["a\nb"], #"["a\nb"]"#), (["\""], #"["\""]"#),
    ]

    @Test(arguments: table.indices)
    func aCodingPathHasDotsAndIndicesInBrackets(row: Int) {
        let (keys, text) = Self.table[row]
        #expect(CodingPath(keys).description == text)
    }

    @Test func aCodingPathCutsAnExcessivelyLongKey() {
        let path = CodingPath([Key(stringValue: String(repeating: "k", count: 1_000_000)), "b"])
        #expect(path.description == "[\"" + String(repeating: "k", count: 64) + "\"…].b")
    }
}
