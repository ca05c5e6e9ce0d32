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

    @Test func everyPartOfAFormStyleCanBeChanged() throws {
        var style = FormStyle(arrays: .comma, nesting: .dots, booleans: .numeric, dates: .secondsSince1970)
        style.keys = .snakeCase
        let expected =
            "item_count=2&is_gift=1&sent_at=1.5&ship_to.zipCode=A+1&all_tags=a,b&line_items[0].unitPrice=1"
        #expect(try text(style) == expected)
    }

    @Test func aFormStyleAppliesToParametersToo() throws {
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

struct FormStyleArrayStyleTests {
    private func text(_ value: [Any], _ style: FormStyle.ArrayStyle) throws -> String {
        try DefaultFormEncoder(style: FormStyle(arrays: style)).percentEncodedString(params: ["t": value])
            .replacingOccurrences(of: "%5B", with: "[").replacingOccurrences(of: "%5D", with: "]")
    }

    private static let styles: [FormStyle.ArrayStyle] = [.repeated, .brackets, .indices, .comma]

    @Test(.spec(10, 39), arguments: zip(styles, ["t=a+b&t=1", "t[]=a+b&t[]=1", "t[0]=a+b&t[1]=1", "t=a+b,1"]))
    func eachArrayStyleNamesAndSeparatesTheElements(style: FormStyle.ArrayStyle, expected: String) throws {
        #expect(try text(["a b", 1], style) == expected)
    }

    @Test(.spec(10, 41), arguments: zip(styles, ["t=a&t=b", "t[]=a&t[]=b", "t[1]=a&t[3]=b", "t=a,b"]))
    func arrayStylesLeaveOutNil(style: FormStyle.ArrayStyle, expected: String) throws {
        #expect(try text([NSNull(), "a", Optional<Int>.none as Any, "b"], style) == expected)
    }

    @Test(.spec(10), arguments: zip(styles, ["t=%2C&t=", "t[]=%2C&t[]=", "t[0]=%2C&t[1]=", "t=%2C,"]))
    func arrayStylesEscapeTheElements(style: FormStyle.ArrayStyle, expected: String) throws {
        #expect(try text([",", ""], style) == expected)
    }

    @Test(.spec(40), arguments: styles) func arrayStylesLeaveOutAnEmptyArray(style: FormStyle.ArrayStyle) throws {
        #expect(try text([], style) == "")
        #expect(try text([NSNull()], style) == "")
    }

    @Test(arguments: styles) func arrayStylesWriteNestedElementsWithPositions(style: FormStyle.ArrayStyle) throws {
        #expect(try text([["k": 1], ["k": 2]], style) == "t[0][k]=1&t[1][k]=2")
        #expect(try text(["a", ["k": "b"]], style) == "t[0]=a&t[1][k]=b")
    }

    @Test(arguments: zip(styles, ["t[0]=1&t[0]=2", "t[0][]=1&t[0][]=2", "t[0][0]=1&t[0][1]=2", "t[0]=1,2"]))
    func anArrayStyleAppliesInsideAnArray(style: FormStyle.ArrayStyle, expected: String) throws {
        #expect(try text([[1, 2]], style) == expected)
    }

    @Test func arrayStylesCanBeCompared() {
        #expect(Set(Self.styles).count == 4)
    }
}

struct FormStyleNestingStyleTests {
    private func text(_ params: Params, _ style: FormStyle.NestingStyle) throws -> String {
        try DefaultFormEncoder(style: FormStyle(nesting: style)).percentEncodedString(params: params)
    }

    @Test(.spec(41)) func nestedValuesCanBeNamedInBrackets() throws {
        #expect(try text(["n": ["k.&": ["j": 1]]], .brackets) == "n%5Bk.%26%5D%5Bj%5D=1")
    }

    @Test func nestedValuesCanBeNamedAfterDots() throws {
        #expect(try text(["n": ["k&": ["j": 1]]], .dots) == "n.k%26.j=1")
        #expect(try text(["n": ["a": [1, 2]], "l": [["k": 1]]], .dots) == "l%5B0%5D.k=1&n.a%5B%5D=1&n.a%5B%5D=2")
    }
}

struct FormStyleBooleanStyleTests {
    private func text(_ style: FormStyle.BooleanStyle) throws -> String {
        let params: Params = ["a": true, "b": [false], "c": NSNumber(value: true), "d": 1, "e": Optional(true) as Any]
        return try DefaultFormEncoder(style: FormStyle(arrays: .repeated, booleans: style))
            .percentEncodedString(params: params)
    }

    @Test(.spec(10, 41)) func booleansCanBeWrittenAsWords() throws {
        #expect(try text(.literal) == "a=true&b=false&c=true&d=1&e=true")
    }

    @Test func booleansCanBeWrittenAsDigits() throws {
        #expect(try text(.numeric) == "a=1&b=0&c=1&d=1&e=1")
    }

    @Test func booleansCanBeWrittenAsCustomTexts() throws {
        #expect(try text(.init(true: "y&s", false: "")) == "a=y%26s&b=&c=y%26s&d=1&e=y%26s")
    }
}

struct FormStyleDateStyleTests {
    private func text(_ seconds: Double, _ style: FormStyle.DateStyle) throws -> String {
        let params: Params = ["d": Date(timeIntervalSince1970: seconds)]
        return try DefaultFormEncoder(style: FormStyle(dates: style)).percentEncodedString(params: params)
    }

    @Test(
        arguments: [
            (0.0, "0"), (1.0, "1"), (-1, "-1"), (0.5, "0.5"), (-0.25, "-0.25"), (1_704_164_645.678, "1704164645.678"),
            (0.0004, "0"), (-0.0004, "0"), (0.9996, "1"), (0.05, "0.05"), (0.001, "0.001"),
            (-62_135_596_800, "-62135596800"), (253_402_300_799, "253402300799"),
        ]
    )
    func datesCanBeWrittenAsSeconds(seconds: Double, expected: String) throws {
        #expect(try text(seconds, .secondsSince1970) == "d=\(expected)")
    }

    @Test(arguments: [(0.0, "0"), (1.5, "1500"), (-0.25, "-250"), (1_704_164_645.678, "1704164645678"), (1e-9, "0")])
    func datesCanBeWrittenAsMilliseconds(seconds: Double, expected: String) throws {
        #expect(try text(seconds, .millisecondsSince1970) == "d=\(expected)")
    }

    @Test func datesCanBeWrittenAsISO8601() throws {
        #expect(try text(0.25, .iso8601) == "d=1970-01-01T00%3A00%3A00.250Z")
    }

    @Test func datesCanBeWrittenAsACustomText() throws {
        let style = FormStyle.DateStyle.custom { "day \(Int($0.timeIntervalSince1970 / 86_400))" }
        #expect(try text(86_400, style) == "d=day+1")
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 253_402_300_800, -62_135_596_801])
    func datesOutsideTheYears1To9999AreErrorsInAForm(seconds: Double) {
        let error = BodyEncodingError.form(path: "d", reason: "is a date outside the years 0001 to 9999")
        for style in [FormStyle.DateStyle.iso8601, .secondsSince1970, .millisecondsSince1970] {
            #expect(throws: error) { try text(seconds, style) }
        }
    }
}

struct FormStyleKeyStyleTests {
    private struct Item: Encodable {
        var unitPrice = 1
        var byName = ["firstName": 2]
        var subItem = Sub()

        struct Sub: Encodable {
            var isNew = true
        }
    }

    private func text(_ style: FormStyle.KeyStyle, _ value: some Encodable = Item()) throws -> String {
        let data = try DefaultFormEncoder(style: FormStyle(nesting: .dots, keys: style)).encode(of: value)
        return String(decoding: data, as: UTF8.self)
    }

    @Test func propertyNamesAreUnchangedByDefault() throws {
        #expect(try text(.unchanged) == "unitPrice=1&byName.firstName=2&subItem.isNew=true")
    }

    @Test func aKeyStyleChangesPropertiesButNotKeysOfDictionaries() throws {
        #expect(try text(.snakeCase) == "unit_price=1&by_name.firstName=2&sub_item.is_new=true")
        #expect(try text(.snakeCase, ["firstName": Item.Sub()]) == "firstName.is_new=true")
    }

    @Test func propertyNamesCanBeChangedByAClosure() throws {
        #expect(try text(.custom { $0.uppercased() }) == "UNITPRICE=1&BYNAME.firstName=2&SUBITEM.ISNEW=true")
    }

    @Test func ofTwoPropertiesWithOneNameTheLaterWins() throws {
        #expect(try text(.custom { _ in "a&" }, Item.Sub()) == "a%26=true")
        let written = try text(.custom { _ in "x" })
        #expect(written == "x.x=true")
    }

    @Test func formErrorsUseThePropertyNamesOfTheType() {
        struct Price: Encodable {
            let unitPrice = Double.infinity
        }
        #expect(throws: BodyEncodingError.form(path: "unitPrice", reason: "is not a finite number")) {
            try text(.snakeCase, Price())
        }
    }
}

struct SnakeCaseTests {
    @Test(
        arguments: [
            ("", ""), ("a", "a"), ("A", "a"), ("createdAt", "created_at"), ("myURLProperty", "my_url_property"),
            ("userID", "user_id"), ("a_b", "a_b"), ("_aB", "_a_b"), ("URL", "u_rl"), ("éÀb", "é_àb"),
            ("aǅb", "a_ǆb"), ("aǅBc", "a_ǆ_bc"), ("ǅaB", "ǆa_b"), ("aBǅc", "a_b_ǆc"),
        ]
    )
    func snakeCaseDividesWordsAtCapitals(name: String, expected: String) {
        #expect(SnakeCase.text(of: name) == expected)
        if !name.isEmpty { #expect(JSONNames.snakeCase(of: name) == expected) }
    }

    @Test func snakeCaseAgreesWithJSONEncoder() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<2_000 {
            let name = String((0..<7).compactMap { _ in "aabBCD1_é".randomElement(using: &generator) })
            #expect(SnakeCase.text(of: name) == JSONNames.snakeCase(of: name), "\(name)")
        }
    }

    /// The names that Foundation's encoder makes.
    private enum JSONNames {
        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(_ name: String) { stringValue = name }
            init?(stringValue: String) { self.init(stringValue) }
            init?(intValue: Int) { nil }
        }

        struct Named: Encodable {
            let name: String

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Name.self)
                try container.encode(0, forKey: Name(name))
            }
        }

        static func snakeCase(of name: String) -> String? {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            let data = try? encoder.encode(Named(name: name))
            return data.flatMap { try? JSONDecoder().decode([String: Int].self, from: $0) }?.keys.first
        }
    }
}
