@testable import NetworkUtilities

struct DefaultFormEncoderTests {
    private enum Plan: String { case yearly, weekly }

    private func text(_ params: Params) throws -> String {
        try DefaultFormEncoder().percentEncodedString(params: params)
    }

    @Test(.spec(37)) func dictionariesAndSetsAreSortedInAForm() throws {
        // So many that no other order can be sorted by chance.
        let names = (10..<60).map { "n\($0)" }
        let params = Params(uniqueKeysWithValues: names.map { ($0, 1) })
        expect(try text(params), names.map { "\($0)=1" }.joined(separator: "&"))
        let keys: [AnyHashable: Any] = [1: "a", "1": "b"]
        let sets: Set<[Int]> = [[2], [1], [3]]
        let rows: [(Params, String)] = [
            (["page": 1, "name": "viktor"], "name=viktor&page=1"), (["n": keys], "n[1]=a&n[1]=b"),
            (["n": sets], "n[0][]=1&n[1][]=2&n[2][]=3"), (["s": Set(["c", "a", "b"])], "s[]=a&s[]=b&s[]=c"),
            (["d": [2: "b", 1: "a"]], "d[1]=a&d[2]=b"),
            (["d": [Plan.yearly: 2, .weekly: 1]], "d[weekly]=1&d[yearly]=2"),
            (["d": ["x" as AnyHashable: 1]], "d[x]=1"),
        ]
        for (params, expected) in rows { for _ in 0..<100 { expect(try text(params).withBrackets, expected) } }
    }

    @Test(.spec(38, 39, 40, 41)) func aFormIsWrittenAsBrowsersDoWithNamesInBracketsAndWithoutEmptyValues() throws {
        let nothing: [Any] = []
        let empty: Params = [
            "a": nothing, "b": [String: Any](), "c": [nothing, [nothing]], "d": ["e": nothing], "f": 1, "g": NSNull(),
        ]
        let nested: Params = ["i": [["k": 1, "j": 2], ["k": 3]], "m": [[1, 2], [3]], "s": [1, ["k": 2]] as [Any]]
        let rows: [(Params, String)] = [
            (["query": "hello world", "filter": "name=foo&bar"], "filter=name%3Dfoo%26bar&query=hello+world"),
            (["*-._~!": "é\r\n%2B\u{0}"], "*-._%7E%21=%C3%A9%0D%0A%252B%00"), (["a&b=c": ["x y"]], "a%26b%3Dc[]=x+y"),
            (["a": ["1", "2"]], "a[]=1&a[]=2"), (["z": nothing, "k": 1], "k=1"), (empty, "f=1"), ([:], ""),
            (["c": AnyHashable([1])], "c[]=1"), (["a": ""], "a="), (["": "a"], "=a"), (["n": ["k": 1]], "n[k]=1"),
            (["n": ["b": ["x&": 1], "a": [1, 2]]], "n[a][]=1&n[a][]=2&n[b][x%26]=1"),
            (nested, "i[0][j]=2&i[0][k]=1&i[1][k]=3&m[0][]=1&m[0][]=2&m[1][]=3&s[0]=1&s[1][k]=2"),
        ]
        for (params, expected) in rows { expect(try text(params).withBrackets, expected) }
        // A bracket in a name is escaped as well.
        expect(try text(["a&b=c": ["x y"]]), "a%26b%3Dc%5B%5D=x+y")
    }

    @Test(.spec(41)) func optionalsAreUnwrappedInAForm() throws {
        let double: Int?? = .some(.some(4))
        let empty: Int?? = .some(nil)
        let params: Params = [
            "o": Optional(3) as Any, "n": Optional<Int>.none as Any, "d": double as Any, "e": empty as Any,
            "l": [Optional(1) as Any, Optional<Int>.none as Any, Optional("x") as Any],
        ]
        expect(try text(params), "d=4&l%5B%5D=1&l%5B%5D=x&o=3")
        var (value, nothing): (Any, Any) = (1, Int?.none as Any)
        for _ in 0..<10_000 { (value, nothing) = (Optional(value) as Any, Optional(nothing) as Any) }
        expect(try text(["a": value, "b": nothing]), "a=1")
    }

    @Test(.spec(41)) func scalarsAreWrittenInAForm() throws {
        let rows: [(any Sendable, String)] = [
            (true, "true"), (false, "false"), (0, "0"), (1, "1"), (Int8.min, "-128"), (UInt8.max, "255"),
            (Int16.min, "-32768"), (UInt16.max, "65535"), (Int32.min, "-2147483648"), (UInt32.max, "4294967295"),
            (Int64.min, "-9223372036854775808"), (UInt64.max, "18446744073709551615"), (UInt(7), "7"), (1.5, "1.5"),
            (2.0, "2.0"), (0.1, "0.1"), (Float(0.1), "0.1"), (1e20, "1e%2B20"), (CGFloat(1.5), "1.5"),
            (Decimal(string: "12345678901234567890.123") ?? 0, "12345678901234567890.123"), ("x", "x"),
            ("xyz".dropFirst(), "yz"), (Character("é"), "%C3%A9"), (Plan.yearly, "yearly"),
            (Date(timeIntervalSince1970: 0), "1970-01-01T00%3A00%3A00Z"),
            (Date(timeIntervalSince1970: 0.25), "1970-01-01T00%3A00%3A00.250Z"),
            (url("https://h/p?a=1&b=%20"), "https%3A%2F%2Fh%2Fp%3Fa%3D1%26b%3D%2520"),
            (
                UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
                "00010203-0405-0607-0809-0A0B0C0D0E0F"
            ),
        ]
        for (value, expected) in rows {
            expect(try text(["k": value]), "k=\(expected)")
            guard let hashable = value as? AnyHashable else { return }
            expect(try text(["k": hashable]), "k=\(expected)")
        }
    }

    private final class Object {}
    private struct Plain { let secret = "secret" }

    @Test(.spec(41)) func aValueWithoutAFormIsAnErrorWithItsPath() {
        let bytes = "contains bytes, which have no text form; convert them first, for example to Base64"
        let rows: [(Params, String, String)] = [
            (["a": Data([1])], "a", bytes),
            (["a": ["b": [1, Data()] as [Any]]], "a[b][1]", bytes),
            (["a": Object()], "a", "is of the type Object, which is neither URLTextConvertible nor Encodable"),
            (["a": [Plain()]], "a[0]", "is of the type Plain, which is neither URLTextConvertible nor Encodable"),
            (
                ["a": Optional(Plain()) as Any], "a",
                "is of the type Plain, which is neither URLTextConvertible nor Encodable"
            ),
            (["a": (1, 2)], "a", "is of the type (Int, Int), which is neither URLTextConvertible nor Encodable"),
            (["a": Double.infinity], "a", "is not a finite number"),
            (["a": [Float.nan]], "a[0]", "is not a finite number"),
            (["a": Decimal.nan], "a", "is not a finite number"),
            (["a": Date(timeIntervalSince1970: -.infinity)], "a", "is a date outside the years 0001 to 9999"),
            (["a": [Data(): 1]], "a", "has a key that is not a text or a number"),
        ]
        for (params, path, reason) in rows {
            #expect(throws: BodyEncodingError.form(path: path, reason: reason)) { try text(params) }
        }
    }

    @Test func aFormThatIsNestedTooDeeplyIsAnError() throws {
        var value: Any = 1
        for _ in 0..<63 { value = [value] }
        #expect(try text(["k": value]).hasSuffix("=1"))
        for _ in 0..<100_000 { value = ["k": value] }
        let error = try #require(throws: BodyEncodingError.self) { try DefaultFormEncoder().encode(["k": value]) }
        guard case .form(let path, let reason) = error else { throw error }
        #expect(path.hasPrefix("k[k][k]"))
        expect(reason, "is nested deeper than 64 levels")
        while let object = value as? [String: Any], let inner = object["k"] { value = inner }
    }

    @Test(.spec(41)) func foundationObjectsAreWrittenAsTheirSwiftTypes() throws {
        let json = #"{"a": true, "b": 1, "c": [1.5, "x", null, false], "d": {"e": null, "f": {}, "g": "é"}}"#
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? Params)
        let uuid = UUID()
        let objects: Params = [
            "a": NSString(string: "x y"), "b": NSArray(array: [1, NSString(string: "z")]),
            "c": NSDictionary(dictionary: ["k": NSNull(), "j": NSNumber(value: true)]),
            "d": NSDate(timeIntervalSince1970: 0), "e": try #require(NSUUID(uuidString: uuid.uuidString)),
            "f": try #require(NSURL(string: "http://h")),
        ]
        let booleans: Params = [
            "a": NSNumber(value: true), "b": NSNumber(value: 1), "c": NSNumber(value: Int8(1)), "d": 1, "e": true,
            "f": NSNumber(value: false), "g": NSNumber(value: 0),
        ]
        let numbers: Params = [
            "a": NSNumber(value: UInt64.max), "b": NSNumber(value: Int64.min), "c": NSNumber(value: 0.5),
            "d": NSNumber(value: Float(0.1)), "e": NSDecimalNumber(string: "12345678901234567890.5"),
        ]
        let rows: [(Params, String)] = [
            (object, "a=true&b=1&c[]=1.5&c[]=x&c[]=false&d[g]=%C3%A9"),
            (
                objects,
                "a=x+y&b[]=1&b[]=z&c[j]=true&d=1970-01-01T00%3A00%3A00Z&e=\(uuid.uuidString)&f=http%3A%2F%2Fh"
            ),
            (booleans, "a=true&b=1&c=1&d=1&e=true&f=false&g=0"),
            (numbers, "a=18446744073709551615&b=-9223372036854775808&c=0.5&d=0.1&e=12345678901234567890.5"),
        ]
        for (params, expected) in rows { expect(try text(params).withBrackets, expected) }
    }

    @Test func aFoundationObjectWithoutAFormIsAnError() {
        let objects: [Any] = [NSData(), NSObject(), NSError(domain: "d", code: 1)]
        for object in objects { #expect(throws: BodyEncodingError.self) { try text(["k": object]) } }
        let numbers = [NSNumber(value: Double.nan), NSDecimalNumber.notANumber]
        let error = BodyEncodingError.form(path: "k", reason: "is not a finite number")
        for number in numbers { #expect(throws: error) { try text(["k": number]) } }
    }

    private struct User: Encodable {
        var name = "Ada"
        var age = 36
        var email: String?
        var tags = ["x", "y"]
        var address = ["city": "London"]
        var born = Date(timeIntervalSince1970: 0)
    }

    @Test(.spec(41)) func parametersBecomeStrings() throws {
        let params: Params = [
            "page": 1, "all": true, "none": Optional<Int>.none as Any, "tags": ["a", "b"], "n": ["k": [1.5]],
            "empty": [Int](),
        ]
        let strings = try DefaultFormEncoder().strings(from: params)
        expect(strings, ["page": "1", "all": "true", "tags[0]": "a", "tags[1]": "b", "n[k][0]": "1.5"])
        let style = FormStyle(arrays: .comma, nesting: .dots, booleans: .numeric)
        let others = try DefaultFormEncoder(style: style).strings(from: params)
        expect(others, ["page": "1", "all": "1", "tags": "a,b", "n.k": "1.5"])
        #expect(throws: BodyEncodingError.form(path: "d", reason: "is not a finite number")) {
            try DefaultFormEncoder().strings(from: ["d": Double.nan])
        }
    }

    @Test(.spec(41)) func thePropertiesOfAValueBecomeParameters() throws {
        let encoder = DefaultFormEncoder()
        var params = try encoder.params(from: User())
        expect(["name", "age", "email"].map { params[$0] as? String }, ["Ada", "36", nil])
        expect(params["tags"] as? [String], ["x", "y"])
        expect((params["address"] as? Params)?["city"] as? String, "London")
        params["page"] = 2
        expect(
            try encoder.percentEncodedString(params: params),
            "address%5Bcity%5D=London&age=36&born=1970-01-01T00%3A00%3A00Z&name=Ada&page=2&tags%5B%5D=x&tags%5B%5D=y"
        )
        expect(try encoder.params(from: Optional<User>.none).count, 0)
        #expect(throws: BodyEncodingError.self) { try encoder.params(from: [1]) }
    }
}
