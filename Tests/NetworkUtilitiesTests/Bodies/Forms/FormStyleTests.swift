import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct FormStyleTests {
    private struct Order: Encodable {
        var itemCount = 2
        var isGift = true
        var sentAt = Date(timeIntervalSince1970: 1.5)
        var shipTo = ["zipCode": "A 1"]
        var allTags = ["a", "b"]
        var lineItems = [["unitPrice": 1]]
    }

    private func text(_ style: FormStyle) throws -> String {
        let data = try DefaultFormEncoder(style: style).encode(of: Order())
        return String(decoding: data, as: UTF8.self)
            .replacingOccurrences(of: "%5B", with: "[").replacingOccurrences(of: "%5D", with: "]")
    }

    @Test(.spec(39, 41)) func aFormHasBracketsByDefault() throws {
        let expected =
            "itemCount=2&isGift=true&sentAt=1970-01-01T00%3A00%3A01.500Z&shipTo[zipCode]=A+1&allTags[]=a&allTags[]=b"
            + "&lineItems[0][unitPrice]=1"
        #expect(try text(.form) == expected)
        #expect(try text(FormStyle()) == expected)
        #expect(try DefaultFormEncoder().encode(of: Order()) == DefaultFormEncoder(style: .form).encode(of: Order()))
    }

    @Test func aQueryRepeatsNames() throws {
        let expected =
            "itemCount=2&isGift=true&sentAt=1970-01-01T00%3A00%3A01.500Z&shipTo[zipCode]=A+1&allTags=a&allTags=b"
            + "&lineItems[0][unitPrice]=1"
        #expect(try text(.query) == expected)
    }

    @Test func everyStyleCanBeChanged() throws {
        var style = FormStyle(arrays: .comma, nesting: .dots, booleans: .numeric, dates: .secondsSince1970)
        style.keys = .snakeCase
        let expected =
            "item_count=2&is_gift=1&sent_at=1.5&ship_to.zipCode=A+1&all_tags=a,b&line_items[0].unitPrice=1"
        #expect(try text(style) == expected)
    }

    @Test func appliesToParametersAsWell() throws {
        let style = FormStyle(arrays: .indices, nesting: .dots, booleans: .numeric, keys: .snakeCase)
        let params: Params = [
            "aB": ["cD": true], "l": [false, true], "o": Order(allTags: []), "n": NSNumber(value: true),
        ]
        let written = try DefaultFormEncoder(style: style).percentEncodedString(params: params)
        let expected =
            "aB.cD=1&l%5B0%5D=0&l%5B1%5D=1&n=1&o.item_count=2&o.is_gift=1&o.sent_at=1970-01-01T00%3A00%3A01.500Z"
            + "&o.ship_to.zipCode=A+1&o.line_items%5B0%5D.unitPrice=1"
        #expect(written == expected)
    }
}
