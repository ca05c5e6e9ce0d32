@testable import NetworkUtilities

struct DefaultJsonEncoderTests {
    private struct Payload: Codable, Equatable { var name: String }

    private struct Line: Encodable {
        var price: Double
        var at = Date(timeIntervalSince1970: 0)
    }

    private struct Order: Encodable { var orders: [Line] }

    private struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }

    private struct Refusal: Encodable, Error { func encode(to encoder: any Encoder) throws { throw self } }

    private func text(_ value: some Encodable, with encoder: DefaultJsonEncoder = .init()) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test(.spec(34, 35, 44, 45)) func aValueIsEncodedAsJSON() throws {
        let date = Date(timeIntervalSince1970: 1_704_164_645)
        let rows: [(any Encodable, String)] = [
            (Payload(name: "Alice"), #"{"name":"Alice"}"#), (["https://example.com/a"], #"["https://example.com/a"]"#),
            (["login": "L", "password": "P"], #"{"login":"L","password":"P"}"#),
            ([Payload(name: "a"), Payload(name: "b")], #"[{"name":"a"},{"name":"b"}]"#),
            ([date], #"["2024-01-02T03:04:05Z"]"#),
            ([date.addingTimeInterval(0.678)], #"["2024-01-02T03:04:05.678Z"]"#),
            (["a": Decimal(1.5)], #"{"a":1.5}"#),
        ]
        for (value, json) in rows { expect(try text(value), json) }
    }

    @Test(.spec(75)) func jsonKeysAreConvertedByTheStrategy() throws {
        let encoder = DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase)
        expect(try text(["userName": [1]], with: encoder), #"{"userName":[1]}"#)
        struct User: Encodable { var userName = "a" }
        expect(try text(User(), with: encoder), #"{"user_name":"a"}"#)
    }

    @Test(.spec(36)) func aValueThatIsNotJSONIsAnErrorWithItsPath() {
        let (number, decimal) = ("is a number that is not finite", "is a Decimal that is not a number")
        let date = "is a date outside the years 0001 to 9999"
        let late = Line(price: 1, at: .init(timeIntervalSince1970: 253_402_300_800))
        let prices = [Double.infinity, -.infinity, .nan].map { [Line(price: 1), Line(price: 2), Line(price: $0)] }
        let rows: [(any Encodable, String, String)] = [
            (Order(orders: prices[0]), "orders[2].price", number),
            (Order(orders: prices[1]), "orders[2].price", number),
            (Order(orders: prices[2]), "orders[2].price", number), (Float.infinity, "", number),
            (Order(orders: [late]), "orders[0].at", date), (Date(timeIntervalSince1970: .nan), "", date),
            (["prices": [Decimal(1), .nan]], "prices[1]", decimal), (Decimal.nan, "", decimal),
            ([Decimal.nan as Decimal?], "[0]", decimal), (Nothing(), "", "is of type Nothing and has no JSON form"),
            ([Refusal()], "", "threw Refusal while it was encoded"),
        ]
        for (value, path, reason) in rows {
            #expect(throws: BodyEncodingError.json(path: path, reason: reason)) { try text(value) }
        }
        expect(
            BodyEncodingError.json(path: "orders[2].price", reason: number).description,
            "The JSON body cannot be encoded: 'orders[2].price' is a number that is not finite."
        )
    }

    /// `JSONEncoder` writes `{"a":{}}` for this value, and crashes with two nils (Swift 6.1 to 6.3).
    @Test(.spec(36)) func aValueThatIgnoresTheErrorOfADictionaryIsAnError() throws {
        struct Ignoring: Encodable {
            enum Key: String, CodingKey { case a, b }
            var part: [String: Refusal]?

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try? container.encodeIfPresent(part, forKey: .a)
                try container.encode(Int?.none, forKey: .b)
            }
        }
        let error = #expect(throws: BodyEncodingError.self) { try text([Ignoring(part: ["key": Refusal()])]) }
        expect(error?.description, contains: "'[0].a' throws an error that the value around it ignores")
        expect(try text(Ignoring(part: [:])), #"{"a":{},"b":null}"#)
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
        expect(try text(line, with: .init(encoder: encoder)), #"{"orders":[{"at":5,"price":"NaN"}]}"#)
        expect(encoder.outputFormatting, [.sortedKeys])
        guard case .secondsSince1970 = encoder.dateEncodingStrategy else {
            Issue.record("The date strategy of the user's encoder was changed")
            return
        }
    }

    @Test func aCodingPathHasDotsAndIndicesInBracketsAndCutsAnExcessivelyLongKey() {
        let long = String(repeating: "k", count: 1_000_000)
        let rows: [([Any], String)] = [
            ([], ""), (["name"], "name"), (["posts", 3, "title"], "posts[3].title"), ([0, 1], "[0][1]"),
            (["größe", "$ref", "@id", "x-y", "a_b"], "größe.$ref.@id.x-y.a_b"), (["a", "b.c", "d"], #"a["b.c"].d"#),
            ([""], #"[""]"#), (["a[0]"], #"["a[0]"]"#), (["a\nb"], #"["a\nb"]"#), (["\""], #"["\""]"#),
            ([long, "b"], "[\"\(long.prefix(64))\"…].b"),
        ]
        for (keys, text) in rows {
            let path = keys.map { key in
                if let index = key as? Int { AnyCodingKey(intValue: index) } else { AnyCodingKey("\(key)") }
            }
            expect(CodingPath(path).description, text)
        }
    }
}
