import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct DefaultFormEncoderTests {
    private enum Plan: String { case yearly }

    @Test(.spec(41)) func anEnumThatIsNotEncodableIsWrittenAsItsRawValue() throws {
        #expect(try DefaultFormEncoder().encode(["plan": Plan.yearly]) == Data("plan=yearly".utf8))
    }

    @Test(.spec(37)) func unorderedCollectionsAreSortedInAForm() throws {
        for _ in 0..<100 {
            let keys: [AnyHashable: Any] = [1: "a", "1": "b"]
            #expect(try DefaultFormEncoder().encode(["n": keys]) == Data("n%5B1%5D=a&n%5B1%5D=b".utf8))
            let sets: Set<[Int]> = [[2], [1], [3]]
            let bytes = try DefaultFormEncoder().encode(["n": sets])
            #expect(bytes == Data("n%5B0%5D%5B%5D=1&n%5B1%5D%5B%5D=2&n%5B2%5D%5B%5D=3".utf8))
        }
    }

    @Test(.spec(41)) func nestedOptionalsAreUnwrappedInAForm() throws {
        var (value, nothing): (Any, Any) = (1, Int?.none as Any)
        for _ in 0..<10_000 { (value, nothing) = (Optional(value) as Any, Optional(nothing) as Any) }
        #expect(try DefaultFormEncoder().encode(["a": value, "b": nothing]) == Data("a=1".utf8))
    }

    private func text(_ params: Params) throws -> String {
        try DefaultFormEncoder().percentEncodedString(params: params)
    }

    @Test(.spec(37)) func theFieldsOfADictionaryAreSorted() throws {
        for _ in 0..<1_000 {
            #expect(try text(["page": 1, "name": "viktor"]) == "name=viktor&page=1")
        }
    }

    /// So many that no other order can be sorted by chance.
    @Test(.spec(37)) func manyFieldsOfADictionaryAreSorted() throws {
        let names = (10..<60).map { "n\($0)" }
        let params = Params(uniqueKeysWithValues: names.map { ($0, 1) })
        #expect(try text(params) == names.map { "\($0)=1" }.joined(separator: "&"))
    }

    @Test(.spec(38)) func aFormIsEscapedAsBrowsersDo() throws {
        let params: Params = ["query": "hello world", "filter": "name=foo&bar"]
        #expect(try text(params) == "filter=name%3Dfoo%26bar&query=hello+world")
        #expect(try text(["*-._~!": "é\r\n%2B\u{0}"]) == "*-._%7E%21=%C3%A9%0D%0A%252B%00")
    }

    @Test(.spec(39)) func theNameOfAnArrayIsEscaped() throws {
        #expect(try text(["a&b=c": ["x y"]]) == "a%26b%3Dc%5B%5D=x+y")
        #expect(try text(["a": ["1", "2"]]) == "a%5B%5D=1&a%5B%5D=2")
    }

    @Test(.spec(40)) func emptyValuesAreLeftOutOfAForm() throws {
        let nothing: [Any] = []
        #expect(try text(["z": nothing, "k": 1]) == "k=1")
        let params: Params = [
            "a": nothing, "b": [String: Any](), "c": [nothing, [nothing]], "d": ["e": nothing], "f": 1, "g": NSNull(),
        ]
        #expect(try text(params) == "f=1")
        #expect(try text([:]) == "")
        #expect(try text(["a": ""]) == "a=")
        #expect(try text(["": "a"]) == "=a")
    }

    @Test(.spec(41)) func optionalsAreUnwrappedInAForm() throws {
        let double: Int?? = .some(.some(4))
        let empty: Int?? = .some(nil)
        let params: Params = [
            "o": Optional(3) as Any, "n": Optional<Int>.none as Any, "d": double as Any, "e": empty as Any,
            "l": [Optional(1) as Any, Optional<Int>.none as Any, Optional("x") as Any],
        ]
        #expect(try text(params) == "d=4&l%5B%5D=1&l%5B%5D=x&o=3")
    }

    @Test(.spec(41)) func nestedValuesAreNamedInBrackets() throws {
        #expect(try text(["n": ["k": 1]]) == "n%5Bk%5D=1")
        #expect(
            try text(["n": ["b": ["x&": 1], "a": [1, 2]]]) == "n%5Ba%5D%5B%5D=1&n%5Ba%5D%5B%5D=2&n%5Bb%5D%5Bx%26%5D=1"
        )
    }

    @Test func arraysOfNestedValuesAreWrittenWithPositions() throws {
        let params: Params = ["i": [["k": 1, "j": 2], ["k": 3]], "m": [[1, 2], [3]], "s": [1, ["k": 2]] as [Any]]
        let expected = [
            "i[0][j]=2", "i[0][k]=1", "i[1][k]=3", "m[0][]=1", "m[0][]=2", "m[1][]=3", "s[0]=1", "s[1][k]=2",
        ]
        let written = try text(params).replacingOccurrences(of: "%5B", with: "[").replacingOccurrences(
            of: "%5D",
            with: "]"
        )
        #expect(written.components(separatedBy: "&") == expected)
    }

    @Test(
        .spec(41),
        arguments: [
            (true, "true"), (false, "false"), (0, "0"), (1, "1"), (Int8.min, "-128"), (UInt8.max, "255"),
            (Int16.min, "-32768"), (UInt16.max, "65535"), (Int32.min, "-2147483648"), (UInt32.max, "4294967295"),
            (Int64.min, "-9223372036854775808"), (UInt64.max, "18446744073709551615"), (UInt(7), "7"), (1.5, "1.5"),
            (2.0, "2.0"), (0.1, "0.1"), (Float(0.1), "0.1"), (1e20, "1e%2B20"), (CGFloat(1.5), "1.5"),
            (Decimal(string: "12345678901234567890.123") ?? 0, "12345678901234567890.123"), ("x", "x"),
            ("xyz".dropFirst(), "yz"), (Character("é"), "%C3%A9"),
        ] as [(any Sendable, String)]
    )
    func scalarsAreWrittenInAForm(value: any Sendable, expected: String) throws {
        #expect(try text(["k": value]) == "k=\(expected)")
    }

    @Test func anyHashableIsUnwrappedInAForm() throws {
        #expect(
            try text(["a": AnyHashable("x"), "b": AnyHashable(true), "c": AnyHashable([1])]) == "a=x&b=true&c%5B%5D=1"
        )
    }

    @Test func urlsUUIDsAndDatesAreWrittenInAForm() throws {
        let uuid = UUID()
        #expect(try text(["k": uuid]) == "k=\(uuid.uuidString)")
        let url = try #require(URL(string: "https://h/p?a=1&b=%20"))
        #expect(try text(["k": url]) == "k=https%3A%2F%2Fh%2Fp%3Fa%3D1%26b%3D%2520")
        #expect(try text(["k": Date(timeIntervalSince1970: 0)]) == "k=1970-01-01T00%3A00%3A00Z")
        #expect(try text(["k": Date(timeIntervalSince1970: 0.25)]) == "k=1970-01-01T00%3A00%3A00.250Z")
    }

    @Test func aSetIsSortedInAForm() throws {
        #expect(try text(["s": Set(["c", "a", "b"])]) == "s%5B%5D=a&s%5B%5D=b&s%5B%5D=c")
    }

    @Test func theKeysOfADictionaryMayBeAnyTexts() throws {
        enum Key: String { case one, two }
        #expect(try text(["d": [2: "b", 1: "a"]]) == "d%5B1%5D=a&d%5B2%5D=b")
        #expect(try text(["d": [Key.two: 2, .one: 1]]) == "d%5Bone%5D=1&d%5Btwo%5D=2")
        #expect(try text(["d": ["x" as AnyHashable: 1]]) == "d%5Bx%5D=1")
    }

    private final class Object {}
    private struct Plain {
        let secret = "secret"
    }

    @Test(.spec(41)) func aValueWithoutAFormIsAnErrorWithItsPath() {
        let bytes = "contains bytes, which have no text form; convert them first, for example to Base64"
        let table: [(params: Params, path: String, reason: String)] = [
            (["a": Data([1])], "a", bytes),
            (["a": ["b": [1, Data()] as [Any]]], "a[b][1]", bytes),
            (["a": Object()], "a", "is of the type Object, which is not Encodable"),
            (["a": [Plain()]], "a[0]", "is of the type Plain, which is not Encodable"),
            (["a": Optional(Plain()) as Any], "a", "is of the type Plain, which is not Encodable"),
            (["a": (1, 2)], "a", "is of the type (Int, Int), which is not Encodable"),
            (["a": Double.infinity], "a", "is not a finite number"),
            (["a": [Float.nan]], "a[0]", "is not a finite number"),
            (["a": Decimal.nan], "a", "is not a finite number"),
            (["a": Date(timeIntervalSince1970: -.infinity)], "a", "is a date outside the years 0001 to 9999"),
            (["a": [Data(): 1]], "a", "has a key that is not a text or a number"),
        ]
        for row in table {
            #expect(throws: BodyEncodingError.form(path: row.path, reason: row.reason)) {
                try DefaultFormEncoder().encode(row.params)
            }
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
        #expect(reason == "is nested deeper than 64 levels")
        while let object = value as? [String: Any], let inner = object["k"] { value = inner }
    }
}

/// Forms as Python's `urllib.parse` reads them.
struct FormRoundTripTests {
    private static let script = """
        import json, sys, urllib.parse
        fields = urllib.parse.parse_qsl(sys.stdin.read(), keep_blank_values=True, strict_parsing=True)
        print(json.dumps(fields))
        """

    private static let alphabet: [String] =
        (0..<128).map { String(UnicodeScalar(UInt8($0))) } + [
            "é", "ß", "😀", "\u{2028}", "\u{FFFD}", "[]", "%41", "a\u{301}",
        ]

    private func text() -> String {
        (0..<Int.random(in: 1...12)).compactMap { _ in Self.alphabet.randomElement() }.joined()
    }

    @Test(
        .spec(38),
        .enabled(if: Python.isAvailable, Comment(rawValue: Python.reason))
    )
    func anyTextInAFormIsReadBackByPython() throws {
        var params: Params = [:]
        var expected: [[String]] = []
        for index in 0..<500 {
            let name = "\(index) \(text())"
            switch index % 3 {
            case 0:
                let value = text()
                params[name] = value
                expected.append([name, value])
            case 1:
                let values = [text(), text()]
                params[name] = values
                expected += values.map { ["\(name)[]", $0] }
            default:
                let (key, value) = (text(), text())
                params[name] = ["k": [[key: value]]]
                expected.append(["\(name)[k][0][\(key)]", value])
            }
        }
        let body = try DefaultFormEncoder().encode(params)
        let fields: [[String]] = try Python.run(Self.script, input: body)
        #expect(Set(fields.map(Bytes.init)) == Set(expected.map(Bytes.init)))
        #expect(fields.count == expected.count)
    }

    /// Texts by their bytes, since Swift takes texts that are canonically equivalent for equal.
    private struct Bytes: Hashable {
        let name: [UInt8]
        let value: [UInt8]

        init(_ field: [String]) {
            name = Array((field.first ?? "").utf8)
            value = Array((field.last ?? "").utf8)
        }
    }
}
