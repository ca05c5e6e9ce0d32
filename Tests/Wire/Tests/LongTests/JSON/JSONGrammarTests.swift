#if os(Linux)
@testable import JSONDecoding
@testable import NetworkClient

/// Texts that the grammar of RFC 8259 allows and forbids, after the cases of JSONTestSuite (Nicolas Seriot, "Parsing
/// JSON is a Minefield"), each alone, in an array and in an object.
struct JSONGrammarTests {
    private static let validNumbers = [
        "0", "-0", "7", "-1", "123", "0e1", "0e+1", "0E0", "20e1", "1E22", "1E-2", "1E+2", "123e45", "123.456e78",
        "1e-2", "1e+2", "123.456789", "-1.0e+28", "0.1", "-0.000000000000000000000000000000000000000000000000000001",
    ]
    private static let invalidNumbers = [
        "+1", "++1234", "+Inf", "-01", "-1.0.", "-2.", "-NaN", ".-1", ".2e-3", "0.1.2", "0.3e+", "0.3e", "0.e1", "0E+",
        "0E", "0e+", "0e", "1.0e+", "1.0e-", "1.0e", "1 000.0", "1eE2", "2.e+3", "2.e-3", "2.e3", "9.e+", "Inf", "NaN",
        "\u{FF11}", "1+2", "0x1", "0x42", "Infinity", "0e+-1", "-123.123foo", "-Infinity", "-foo", "- 1", "-012",
        "-.123", "-1x", "1ea", "1.", ".123", "1.2a-3", "1.8011670033376514H-308", "012", "-", "--1", "1e1.5", "1_000",
    ]
    private static let validStrings = [
        "", "asd", " ", #"\u0060\u012a\u12AB"#, #"\uD801\udc37"#, #"\ud83d\ude39\ud83d\udc8d"#,
        #"\"\\\/\b\f\n\r\t"#, #"\\u0000"#, #"\""#, "a/*b*/c/*d//e", #"\\a"#, #"\\n"#, #"\u0012"#, #"\uFFFF"#,
        #"\uDBFF\uDFFF"#, #"new\u00A0line"#, "\u{10FFFF}", "\u{FFFF}", #"\u0000"#, #"\u002c"#, "π", "\u{1BFFF}",
        #"\uD834\uDd1e"#, #"\u0821"#, "\u{2028}", "\u{2029}", #"\u0061\u30af\u30EA\u30b9"#, #"new\u000Aline"#,
        "\u{7F}", #"\uA66D"#, #"\u005C"#, "⍂㈴⍂", #"\uDBFF\uDFFE"#, #"\u200B"#, #"\u2064"#, #"\uFDD0"#, #"\uFFFE"#,
        #"\u0022"#, "€𝄞", "a\u{7F}a",
    ]
    private static let invalidStrings = [
        #"\uD800\"#, #"\uD800\u"#, #"\uD800\u1"#, #"\uD800\u1x"#, "\\\u{0}", #"\x00"#, #"\\\"#, "\\\t", #"\🌀"#, #"\"#,
        #"\u00A"#, #"\uD834\uDd"#, #"\uD800\uD800\x"#, #"\a"#, #"\uqqqq"#, "a\u{0}a", "new\nline", "\t", #"\UA66D"#,
        "\u{1F}", #"\u 041"#, #"\u+041"#,
    ]
    private static let validTexts = [
        "[[]   ]", "[false]", #"[null, 1, "1", {}]"#, "[1\n]", " [1]", "[1,null,null,null,2]", "[2] ",
        #"{"asd":"sdf", "dfg":"fgh"}"#, #"{"a":"b","a":"c"}"#, #"{"a":"b","a":"b"}"#, "{}", #"{"":0}"#,
        #"{"foo\u0000bar": 42}"#, #"{ "min": -1.0e+28, "max": 1.0e+28 }"#, #"{"a":[]}"#, "{\n\"a\": \"b\"\n}", "null",
        "true", " [] ", "\t\r\n 1", #"[{"a":[[{"b":{}}]]}]"#,
    ]
    private static let invalidTexts = [
        "[1 true]", #"["": 1]"#, "[,1]", "[1,,2]", #"["x",,]"#, #"["x"]]"#, #"["x""#, "[x", "[3[4]]", "[1:2]", "[,]",
        "[   , 1]", "[\"a\",\n4\n,1,", "[1,,]", "[*]", "[1,", "[{}", "[fals]", "[nul]", "[tru]", "[truex]",
        #"["x", truth]"#, #"{[: "x"}"#, #"{"x", null}"#, #"{"x"::"b"}"#, "{🇨🇭}", #"{"a":"a" 123}"#, "{key: 'value'}",
        #"{"a" b}"#, #"{:"b"}"#, #"{"a" "b"}"#, #"{"a":"#, #"{"a""#, "{1:1}", "{9999E9999:1}", "{null:null,null:null}",
        #"{"id":0,,,,,}"#, "{'a':0}", #"{"a":"b"}/**/"#, #"{"a":"b"}//"#, #"{"a":"b"}/"#, #"{"a":"b",,"c":"d"}"#,
        #"{a: "b"}"#, #"{"a":"a"#, #"{ "foo" : "bar", "a" }"#, #"{"a":"b"}#"#, "", " ", "[é]", #"[\u0020"asd"]"#,
        #"[\n]"#, "\"", "['single quote']", "abc", #"["\"#, #"""x"#, "[\u{2060}]", "<.>", "[<null>]", "[1]x", "[1]]",
        #"["asd]"#, "aå", "[True]", "1]", #"{"x": true,"#, "[][]", "]", "[", "[\u{0}]", "2@", "{}}", #"{"":"#,
        #"{"a":/*comment*/"b"}"#, #"{"a": true} "x""#, "['", "[{", "{", "{]", "{,", "{[", "{'a'", #"["\{["\{"#, "*",
        "[ false, nul", "[ true, fals", "[ false, tru", "å", "[\u{C}]", "\u{FEFF}", "}",
    ]
    /// Bytes that are no UTF-8.
    private static let invalidBytes: [[UInt8]] = [
        [0xE5], [0xFF], [0xE9], [0x81], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0xBF, 0xBF, 0xBF], [0xE0, 0xFF],
        [0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF], [0xE6, 0x97, 0xA5, 0xD1, 0x88, 0xFA],
    ]

    private static func texts(_ values: [String], _ strings: [String], _ whole: [String]) -> [Data] {
        let values = values + strings.map { "\"\($0)\"" }
        let keys = strings.map { "{\"\($0)\":1}" }
        let nested = values.flatMap { value in
            ["\(value)", "[\(value)]", " [ \(value) , \(value)]", "{\"a\":\(value)}", "{\"a\":\(value),\"b\":1}"]
        }
        return (nested + keys + whole).map { Data($0.utf8) }
    }

    private func outcomes(_ text: Data) throws -> (native: JSONOutcome<Tree>, foundation: JSONOutcome<Tree>) {
        let native = NativeJSONDecoder(options: JSONOptions())
        return (
            JSONOutcome { try native.decode(Tree.self, from: text) },
            JSONOutcome { try JSONDecoder().decode(Tree.self, from: text) }
        )
    }

    @Test(.spec(216)) func whatTheGrammarAllowsIsDecoded() throws {
        for text in Self.texts(Self.validNumbers, Self.validStrings, Self.validTexts) {
            let (native, foundation) = try outcomes(text)
            #expect(!native.isFailure, "\(String(decoding: text, as: UTF8.self))")
            // JSONDecoder refuses some of the zeros with an exponent.
            #expect(native == foundation || foundation.isFailure, "\(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test(.spec(216)) func whatTheGrammarForbidsIsNot() throws {
        var texts = Self.texts(Self.invalidNumbers, Self.invalidStrings, Self.invalidTexts)
        let frames = [("", ""), ("[", "]"), ("[\"", "\"]"), ("{\"", "\":1}"), ("[1", "]"), ("[1e", "]"), ("{}", "")]
        for bytes in Self.invalidBytes {
            for (begin, end) in frames {
                texts.append(Data(begin.utf8) + Data(bytes) + Data(end.utf8))
            }
        }
        for text in texts {
            let (native, foundation) = try outcomes(text)
            #expect(native.isFailure, "\(String(decoding: text, as: UTF8.self)): \(native)")
            #expect(native == foundation, "\(String(decoding: text, as: UTF8.self)): \(native), \(foundation)")
        }
    }

    /// What RFC 8259 leaves to the reader: numbers beyond a range, lone surrogates, other encodings, byte order marks;
    /// and a comma at the end, which only `JSONDecoder` allows.
    @Test(.spec(216)) func whatTheGrammarLeavesOpenIsDecodedAsByJSONDecoder() throws {
        let texts = [
            "[123.456e-789]", "[0.4e00669999999999999999999999999999999999999999999969999999006]", "[-1e+9999]",
            "[1.5e+9999]", "[-123123e100000]", "[123e-10000000]", "[-123123123123123123123123123123]",
            "[100000000000000000000]", "[-237462374673276894279832749832423479823246327846]", #"{"\uDFAA":0}"#,
            #"["\uDADA"]"#, #"["\uD888\u1234"]"#, #"["\uD800\n"]"#, #"["\uDd1ea"]"#, #"["\uD800\uD800\n"]"#,
            #"["\ud800abc"]"#, "1\u{0}", #"["\uDd1e\uD834"]"#, "\u{FEFF}{}", "[1,]", #"{"id":0,}"#, "[\"\",]", "[[],]",
        ].map { Data($0.utf8) }
        let others: [[UInt8]] = [
            [0xFF, 0xFE, 0x5B, 0, 0x22, 0, 0xE9, 0, 0x22, 0, 0x5D, 0], [0, 0x5B, 0, 0x22, 0, 0xE9, 0, 0x22, 0, 0x5D],
            [0x5B, 0, 0x22, 0, 0xE9, 0, 0x22, 0, 0x5D, 0],
        ]
        for text in texts + others.map({ Data($0) }) {
            let (native, foundation) = try outcomes(text)
            #expect(native == foundation, "\(String(decoding: text, as: UTF8.self)): \(native), \(foundation)")
        }
    }
}
#endif
