#if os(Linux)
import Foundation
import NetworkTestSupport
import Testing

@testable import JSONDecoding

/// Compares the decoder with `JSONDecoder`: values, the cases of errors, and coding paths with the types of their keys.
struct NativeJSONDecoderTests {
    private static let documents = [
        Order.json, Scalars.json, Walk.json, Features.json, Order.snakeCaseJSON, #"{"a":1,"b":2,"a":3}"#,
        "[1,2.5,-3e2]", #"[["x","\u00e9"],[]]"#, #""text""#, "17", #"{"1": 1.5, "2": 2}"#,
        "{\"K\":1,\"\u{212A}\":2,\"\u{E9}\":3,\"e\u{301}\":4}", #"{"":1,"a":{"":null},"":2}"#,
    ]

    private static let edges = [
        "", " ", "[", "{", "1 ", " 1", "01", "-", "1.", ".5", "1e", "0e1", "0.0e5", "nul", "null", "true", "falsy",
        #"""#,
        #""\"#, #""\u"#, #""\u1"#, #""\u12"""#, #""\ud83d\ude00""#, #""\ud83dx""#, #""\udc00""#, #""\q""#, "\"\t\"",
        "\"\u{7F}\u{80}\"", "[1,]", #"{"a":1,}"#, "[,]", "{,}", "[1,,2]", "[1 2]", #"{"a" 1}"#, "{a:1}", "'a'", "[1]]",
        "// x\n1", "\u{FEFF}1", #"{"a":1"b":2}"#, "[1e400]", "[1e-400]", "[-0]", "[123456789012345678901234567890]",
    ]

    private static func nested(_ depth: Int) -> [String] {
        [
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth),
            String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth),
        ]
    }

    private func compare<Value: Decodable & Equatable>(
        _ type: Value.Type,
        _ text: Data,
        _ configuration: JSONConfiguration
    ) throws {
        let (decoder, options) = (configuration.decoder, try #require(JSONOptions(configuration.decoder)))
        let expected = JSONOutcome { try decoder.decode(type, from: text) }
        let outcome = JSONOutcome { try NativeJSONDecoder(options: options).decode(type, from: text) }
        // NaN is not equal to itself. A dictionary may find any of several errors first.
        let isSame = outcome == expected || "\(outcome)".sorted() == "\(expected)".sorted()
        // JSONDecoder rejects some of the zeros with an exponent, although they are valid (RFC 8259 §6).
        let isZero = expected.isFailure && Self.isZeroWithExponent(String(decoding: text, as: UTF8.self))
        let areInDictionary = outcome.isFailure && expected.isFailure && "\(type)".hasPrefix("Dictionary")
        #expect(
            isSame || areInDictionary || isZero,
            "\(type), \(configuration): \(String(decoding: text, as: UTF8.self))\n\(expected)\n\(outcome)"
        )
    }

    private static func isZeroWithExponent(_ text: String) -> Bool {
        text.wholeMatch(of: /\[?-?0(\.0+)?[eE][-+]?[0-9]+\]?/) != nil
    }

    private func compareAll(_ text: Data, _ configuration: JSONConfiguration) throws {
        try compare(Tree.self, text, configuration)
        try compare(Order.self, text, configuration)
        try compare(Scalars.self, text, configuration)
        try compare(Walk.self, text, configuration)
        try compare(Features.self, text, configuration)
        try compare([String: Int].self, text, configuration)
        try compare([String: Tree?].self, text, configuration)
        try compare([Int: Double].self, text, configuration)
        try compare([[String]].self, text, configuration)
        try compare(String.self, text, configuration)
        try compare(Double?.self, text, configuration)
    }

    @Test(arguments: JSONConfiguration.allCases)
    func documentsOfEveryFeatureDecodeAsWithJSONDecoder(configuration: JSONConfiguration) throws {
        for document in Self.documents { try compareAll(Data(document.utf8), configuration) }
    }

    @Test(arguments: [
        String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian,
    ])
    func documentsInEveryEncodingDecodeAsWithJSONDecoder(encoding: String.Encoding) throws {
        for document in Self.documents { try compareAll(try #require(document.data(using: encoding)), .standard) }
    }

    @Test(arguments: JSONConfiguration.allCases)
    func textsAtTheEdgesOfTheGrammarDecodeAsWithJSONDecoder(configuration: JSONConfiguration) throws {
        for text in Self.edges { try compareAll(Data(text.utf8), configuration) }
    }

    @Test func theDepthOfATextIsLimitedAsInJSONDecoder() throws {
        for text in [511, 512, 513].flatMap(Self.nested) {
            try compare(EmptyBox.self, Data(text.utf8), .standard)
        }
    }

    /// Eight bytes are looked at together.
    @Test(arguments: 0...20)
    func whiteSpaceOfAnyLengthIsSkippedAsByJSONDecoder(length: Int) throws {
        let spaces = (0..<length).map { [0x20, 0x0A, 0x0D, 0x09][$0 * 7 / 3 % 4] as UInt8 }
        let others: [UInt8] = [0x21, 0x00, 0x08, 0x0B, 0x0C, 0x1F, 0x28, 0x7F, 0x89, 0x8A, 0x8D, 0xA0, 0xFF]
        for other in [[]] + others.map({ [$0] }) {
            let run: [UInt8] = spaces + other + spaces
            for parts in [["", "1"], ["1", ""], ["[1", "]"], [#"{"a""#, ":1", #","b":2}"#]] {
                let text = parts.map { Array($0.utf8) }.joined(separator: run)
                try compare(Tree.self, Data(text), .standard)
            }
        }
    }

    @Test(arguments: [16, 17, 18, 19, 20, 21, 22, 24, 27, 40])
    func numbersOfAnyLengthDecodeAsWithJSONDecoder(length: Int) throws {
        for digit in ["0", "1", "9"] {
            let digits = String(repeating: digit, count: length)
            for number in ["1\(digits)", "-8\(digits).5", "0.\(digits)7", "0.\(digits)25e-3", "1\(digits)E-\(length)"] {
                for end in ["", "/", ":", "e", "-", "\u{B2}"] {
                    let text = Data("[\(number)\(end)]".utf8)
                    try compare([Double].self, text, .standard)
                    try compare([Float].self, text, .standard)
                    try compare([UInt64].self, text, .standard)
                }
            }
        }
    }

    @Test func aFractionOfAMillionZerosHasItsValue() throws {
        for (exponent, expected) in [(1_000_001, 1.0), (1_000_005, 10_000), (999_999, 0.01), (1_000_310, nil)] {
            let text = Data("[0.\(String(repeating: "0", count: 1_000_000))1e\(exponent)]".utf8)
            let values = try? NativeJSONDecoder(options: JSONOptions()).decode([Double].self, from: text)
            #expect(values?.first == expected)
        }
    }

    @Test(arguments: ["0e1", "-0e1", "0.0e5", "0E-7", "0e400"])
    func aZeroWithAnExponentIsZero(text: String) throws {
        for type in [Double.self, Float.self] as [any (BinaryFloatingPoint & Decodable).Type] {
            func decode<Value: BinaryFloatingPoint & Decodable>(_ type: Value.Type) throws {
                #expect(try NativeJSONDecoder(options: JSONOptions()).decode(type, from: Data(text.utf8)) == 0)
            }
            try decode(type)
        }
    }

    /// The scanner stops where it needs more slots, and goes on.
    @Test func textsOfAnyNumberOfValuesDecodeAsWithJSONDecoder() throws {
        let end = #"{"a":[1,{"b":{},"c":[[]]}],"d":"e"},"f",[true,null],{}"#
        for count in 0..<120 {
            let text = "[\(String(repeating: "1,", count: count))\(end)]"
            try compare(Tree.self, Data(text.utf8), .standard)
        }
    }

    @Test(arguments: [16, 17, 63, 64, 65, 66, 100])
    func theFirstOfEqualKeysIsDecodedInObjectsOfAnySize(count: Int) throws {
        let members = (0..<count).map { #""key_\#($0)":\#($0)"# }
        let text = "{\(members.joined(separator: ",")),\"key_3\":-1,\"key_\(count - 1)\":-2}"
        for configuration in JSONConfiguration.allCases { try compareAll(Data(text.utf8), configuration) }
    }

    @Test(.spec(231), arguments: JSONConfiguration.allCases)
    func nullForADictionaryHasTheTextOfJSONDecoder(configuration: JSONConfiguration) throws {
        let (decoder, text) = (configuration.decoder, Data("[null]".utf8))
        let native = NativeJSONDecoder(options: try #require(JSONOptions(decoder)))
        let expected = JSONOutcome { try decoder.decode([[String: Int]].self, from: text) }
        #expect(JSONOutcome { try native.decode([[String: Int]].self, from: text) } == expected)
    }

    @Test(arguments: JSONConfiguration.allCases)
    func anInvalidKeyIsReportedBeforeTheValuesOfItsDictionary(configuration: JSONConfiguration) throws {
        let decoder = configuration.decoder
        let native = NativeJSONDecoder(options: try #require(JSONOptions(decoder)))
        let keys = [#"\q"#, #"\ud800"#, "\u{1}"].map { Data($0.utf8) } + [Data([0xFF])]
        for key in keys {
            let text = Data(#"{"a":"x",""#.utf8) + key + Data(#"":1}"#.utf8)
            let expected = JSONOutcome { try decoder.decode([String: Int].self, from: text) }
            #expect(JSONOutcome { try native.decode([String: Int].self, from: text) } == expected)
            let nested = Data("[".utf8) + text + Data("]".utf8)
            let expectedNested = JSONOutcome { try decoder.decode([Forgiving].self, from: nested) }
            #expect(JSONOutcome { try native.decode([Forgiving].self, from: nested) } == expectedNested)
        }
    }

    /// Such a length has its own slot.
    @Test func aKeyLongerThan16MiBIsDistinct() throws {
        let length = JSONToken.longLength + 1
        let text = Data(#"{"a":1,""#.utf8) + Data(repeating: UInt8(ascii: "x"), count: length) + Data(#"":7}"#.utf8)
        let found = try NativeJSONDecoder(options: JSONOptions()).decode(LongKeys.self, from: text)
        #expect(found == LongKeys(values: [length - 1: nil, length: 7, length + 1: nil]))
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func textsMutatedAtRandomDecodeAsWithJSONDecoder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let texts = Self.documents.map { Array($0.utf8) }
        for round in 0..<2000 {
            let text = Data(JSONMutations.mutated(texts[round % texts.count], &random))
            let configurations = JSONConfiguration.allCases
            let configuration = configurations[round / texts.count % configurations.count]
            switch round % texts.count {
            case 0, 4: try compare(Order.self, text, configuration)
            case 1: try compare(Scalars.self, text, configuration)
            case 2: try compare(Walk.self, text, configuration)
            case 3: try compare(Features.self, text, configuration)
            default: try compare(Tree.self, text, configuration)
            }
        }
    }

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func numbersDecodeToTheLastBitAsWithJSONDecoder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<2000 {
            let text = Data(Self.number(round, &random).utf8)
            try compare(Double.self, text, .standard)
            try compare(Float.self, text, .standard)
            try compare(Int.self, text, .standard)
            try compare(UInt8.self, text, .standard)
            try compare(UInt64.self, text, .standard)
            try compare(Int128.self, text, .standard)
            try compare(Decimal.self, text, .standard)
        }
    }

    private static func number(_ round: Int, _ random: inout SeededGenerator) -> String {
        func digits(_ range: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: range, using: &random)).map { _ in "0123456789".randomElement(using: &random) ?? "0"
                }
            )
        }
        let sign = round % 3 == 0 ? "-" : ""
        let bits = random.next()
        switch round % 7 {
        case 0: return "\(sign)\(Double(bitPattern: bits).magnitude)"
        case 1: return "\(sign)\(Double.random(in: 0...1e6, using: &random))"
        case 2: return "\(sign)\(digits(1...25)).\(digits(1...25))"
        case 3: return "\(sign)\(digits(1...22))e\(["", "-", "+"].randomElement(using: &random) ?? "")\(digits(1...3))"
        case 4: return "\(Int64(bitPattern: bits) >> Int64.random(in: 0..<64, using: &random))"
        // Half-way between two values of Double.
        case 5: return "\(sign)\(bits >> 11 | 1 << 53).5"
        default: return "\(bits >> 20)\([".0", ".5", "e1", ".00e2", "e-1"].randomElement(using: &random) ?? "")"
        }
    }

    @Test func decodersThatAreKeptCanBeUsedOnAnyThreadAtTheirValue() async throws {
        var text = Data(
            #"{"a":{"x":[1,2,3],"y":"text of the value","é":5},"b":[{"c":1.5},null],"padding":"0123456789"}"#.utf8
        )
        let options = JSONOptions()
        let kept = try NativeJSONDecoder(options: options).decode([String: KeptDecoder].self, from: text)
        // The storage is shared until then.
        text.resetBytes(in: text.startIndex..<text.endIndex)
        let expected = Tree.object([
            "x": .array([.integer(1), .integer(2), .integer(3)]), "y": .string("text of the value"), "é": .integer(5),
        ])
        let decoder = try #require(kept["a"])
        try await withThrowingTaskGroup(of: Tree.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<200 { _ = try Tree(from: decoder.value) }
                    return try Tree(from: decoder.value)
                }
            }
            for try await tree in group { #expect(tree == expected) }
        }
        #expect(decoder.value.codingPath.map(\.stringValue) == ["a"])
    }

    @Test func theUserInfoReachesEveryDecoder() throws {
        struct Reader: Decodable {
            let value: Int?
            init(from decoder: any Decoder) throws {
                value = CodingUserInfoKey(rawValue: "key").flatMap { decoder.userInfo[$0] as? Int }
            }
        }
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        let decoder = NativeJSONDecoder(options: JSONOptions(), userInfo: [key: 7])
        #expect(try decoder.decode([Reader].self, from: Data("[1]".utf8)).first?.value == 7)
    }

    @Test func decodersThatOnlyFoundationCanReplaceAreLeftToIt() {
        final class Subclass: JSONDecoder, @unchecked Sendable {}
        let (json5, withoutBraces) = (JSONDecoder(), JSONDecoder())
        json5.allowsJSON5 = true
        withoutBraces.assumesTopLevelDictionary = true
        for decoder in [json5, withoutBraces, Subclass()] { #expect(JSONOptions(decoder) == nil) }
        #expect(JSONOptions(JSONDecoder()) != nil)
    }
}

/// A value whose depth does not matter, since nothing within it is decoded.
private struct EmptyBox: Decodable, Equatable {
    init(from decoder: any Decoder) throws {}
}

/// A decoder that outlives its decoding.
///
/// Unchecked, since `Decoder` doesn't promise to be `Sendable`.
private struct KeptDecoder: Decodable, @unchecked Sendable {
    let value: any Decoder

    init(from decoder: any Decoder) throws {
        value = decoder
    }
}
#endif
