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

    private func text(_ style: FormStyle, of value: some Encodable = Order()) throws -> String {
        String(decoding: try DefaultFormEncoder(style: style).encode(of: value), as: UTF8.self).withBrackets
    }

    private func text(_ style: FormStyle, _ params: Params) throws -> String {
        try DefaultFormEncoder(style: style).percentEncodedString(params: params).withBrackets
    }

    @Test(.spec(39, 41)) func aFormHasBracketsByDefaultAQueryRepeatsNamesAndEveryPartCanBeChanged() throws {
        let expected =
            "itemCount=2&isGift=true&sentAt=1970-01-01T00%3A00%3A01.500Z&shipTo[zipCode]=A+1&allTags[]=a&allTags[]=b"
            + "&lineItems[0][unitPrice]=1"
        expect(try text(.form), expected)
        expect(try text(FormStyle()), expected)
        expect(try DefaultFormEncoder().encode(of: Order()), try DefaultFormEncoder(style: .form).encode(of: Order()))
        expect(try text(.query), expected.replacingOccurrences(of: "allTags[]", with: "allTags"))
        var style = FormStyle(arrays: .comma, nesting: .dots, booleans: .numeric, dates: .secondsSince1970)
        style.keys = .snakeCase
        expect(
            try text(style),
            "item_count=2&is_gift=1&sent_at=1.5&ship_to.zipCode=A+1&all_tags=a,b&line_items[0].unitPrice=1"
        )
        let other = FormStyle(arrays: .indices, nesting: .dots, booleans: .numeric, keys: .snakeCase)
        let params: Params = [
            "aB": ["cD": true], "l": [false, true], "o": Order(allTags: []), "n": NSNumber(value: true),
        ]
        expect(
            try text(other, params),
            "aB.cD=1&l[0]=0&l[1]=1&n=1&o.item_count=2&o.is_gift=1&o.sent_at=1970-01-01T00%3A00%3A01.500Z"
                + "&o.ship_to.zipCode=A+1&o.line_items[0].unitPrice=1"
        )
    }

    @Test(.spec(10, 39, 40, 41)) func anArrayStyleNamesSeparatesAndEscapesTheElements() throws {
        let rows: [(FormStyle.ArrayStyle, [String])] = [
            (.repeated, ["t=a+b&t=1", "t=a&t=b", "t=%2C&t=", "t[0]=1&t[0]=2"]),
            (.brackets, ["t[]=a+b&t[]=1", "t[]=a&t[]=b", "t[]=%2C&t[]=", "t[0][]=1&t[0][]=2"]),
            (.indices, ["t[0]=a+b&t[1]=1", "t[1]=a&t[3]=b", "t[0]=%2C&t[1]=", "t[0][0]=1&t[0][1]=2"]),
            (.comma, ["t=a+b,1", "t=a,b", "t=%2C,", "t[0]=1,2"]),
        ]
        for (style, expected) in rows {
            let arrays: [[Any]] = [
                ["a b", 1], [NSNull(), "a", Optional<Int>.none as Any, "b"], [",", ""], [[1, 2]], [], [NSNull()],
                [["k": 1], ["k": 2]], ["a", ["k": "b"]],
            ]
            // Nothing, and objects, are written alike in every style.
            let others = ["", "", "t[0][k]=1&t[1][k]=2", "t[0]=a&t[1][k]=b"]
            for (array, text) in zip(arrays, expected + others) {
                expect(try self.text(FormStyle(arrays: style), ["t": array]), text)
            }
            expect(Set([FormStyle.ArrayStyle.repeated, .brackets, .indices, .comma, style]).count, 4)
        }
    }

    @Test(.spec(10, 41)) func nestedNamesAndBooleansAreWrittenInTheirStyle() throws {
        let (brackets, dots) = (FormStyle(nesting: .brackets), FormStyle(nesting: .dots))
        expect(try text(brackets, ["n": ["k.&": ["j": 1]]]), "n[k.%26][j]=1")
        expect(try text(dots, ["n": ["k&": ["j": 1]]]), "n.k%26.j=1")
        expect(try text(dots, ["n": ["a": [1, 2]], "l": [["k": 1]]]), "l[0].k=1&n.a[]=1&n.a[]=2")
        let params: Params = ["a": true, "b": [false], "c": NSNumber(value: true), "d": 1, "e": Optional(true) as Any]
        let rows: [(FormStyle.BooleanStyle, String)] = [
            (.literal, "a=true&b=false&c=true&d=1&e=true"), (.numeric, "a=1&b=0&c=1&d=1&e=1"),
            (.init(true: "y&s", false: ""), "a=y%26s&b=&c=y%26s&d=1&e=y%26s"),
        ]
        for (style, expected) in rows {
            expect(try text(FormStyle(arrays: .repeated, booleans: style), params), expected)
        }
    }

    @Test func datesCanBeWrittenAsSecondsMillisecondsTextsOrAnythingElse() throws {
        let day = FormStyle.DateStyle.custom { "day \(Int($0.timeIntervalSince1970 / 86_400))" }
        let rows: [(FormStyle.DateStyle, [Double: String])] = [
            (
                .secondsSince1970,
                [
                    0: "0", 1: "1", -1: "-1", 0.5: "0.5", -0.25: "-0.25", 1_704_164_645.678: "1704164645.678",
                    0.0004: "0", -0.0004: "0", 0.9996: "1", 0.05: "0.05", 0.001: "0.001",
                    -62_135_596_800: "-62135596800", 253_402_300_799: "253402300799",
                ]
            ),
            (
                .millisecondsSince1970,
                [0: "0", 1.5: "1500", -0.25: "-250", 1_704_164_645.678: "1704164645678", 1e-9: "0"]
            ),
            (.iso8601, [0.25: "1970-01-01T00%3A00%3A00.250Z"]), (day, [86_400: "day+1"]),
        ]
        for (style, texts) in rows {
            for (seconds, expected) in texts {
                expect(try text(FormStyle(dates: style), ["d": Date(timeIntervalSince1970: seconds)]), "d=\(expected)")
            }
        }
        let error = BodyEncodingError.form(path: "d", reason: "is a date outside the years 0001 to 9999")
        for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300, 253_402_300_800, -62_135_596_801] {
            let params: Params = ["d": Date(timeIntervalSince1970: seconds)]
            for style in [FormStyle.DateStyle.iso8601, .secondsSince1970, .millisecondsSince1970] {
                #expect(throws: error) { try text(FormStyle(dates: style), params) }
            }
        }
    }

    private struct Item: Encodable {
        var unitPrice = 1
        var byName = ["firstName": 2]
        var subItem = Sub()

        struct Sub: Encodable { var isNew = true }
    }

    @Test func aKeyStyleChangesPropertiesButNotKeysOfDictionariesOrPathsOfErrors() throws {
        func keys(_ style: FormStyle.KeyStyle) -> FormStyle { FormStyle(nesting: .dots, keys: style) }
        expect(try text(keys(.unchanged), of: Item()), "unitPrice=1&byName.firstName=2&subItem.isNew=true")
        expect(try text(keys(.snakeCase), of: Item()), "unit_price=1&by_name.firstName=2&sub_item.is_new=true")
        expect(try text(keys(.snakeCase), of: ["firstName": Item.Sub()]), "firstName.is_new=true")
        let upper = keys(.custom { $0.uppercased() })
        expect(try text(upper, of: Item()), "UNITPRICE=1&BYNAME.firstName=2&SUBITEM.ISNEW=true")
        expect(try text(keys(.custom { _ in "a&" }), of: Item.Sub()), "a%26=true")
        expect(try text(keys(.custom { _ in "x" }), of: Item()), "x.x=true", "of two of one name the later wins")
        struct Price: Encodable { let unitPrice = Double.infinity }
        #expect(throws: BodyEncodingError.form(path: "unitPrice", reason: "is not a finite number")) {
            try text(keys(.snakeCase), of: Price())
        }
    }

    @Test func snakeCaseDividesWordsAtCapitalsAsJSONEncoderDoes() {
        let names = [
            "a": "a", "A": "a", "createdAt": "created_at", "myURLProperty": "my_url_property", "userID": "user_id",
            "a_b": "a_b", "_aB": "_a_b", "URL": "u_rl", "éÀb": "é_àb", "aǅb": "a_ǆb", "aǅBc": "a_ǆ_bc", "ǅaB": "ǆa_b",
            "aBǅc": "a_b_ǆc",
        ]
        expect(SnakeCase.text(of: ""), "")
        for (name, expected) in names {
            expect([SnakeCase.text(of: name), snakeCase(of: name)], [expected, expected])
        }
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<2_000 {
            let name = String((0..<7).compactMap { _ in "aabBCD1_é".randomElement(using: &generator) })
            expect(SnakeCase.text(of: name), snakeCase(of: name), name)
        }
    }

    private struct Named: Encodable {
        let name: String

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            try container.encode(0, forKey: AnyCodingKey(name))
        }
    }

    /// The name that Foundation's encoder makes.
    private func snakeCase(of name: String) -> String? {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let data = try? encoder.encode(Named(name: name))
        return data.flatMap { try? JSONDecoder().decode([String: Int].self, from: $0) }?.keys.first
    }
}
