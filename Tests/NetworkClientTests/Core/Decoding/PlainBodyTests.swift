import NetworkTestSupport
import Foundation
import Testing

@testable import JSONDecoding
@testable import NetworkClient

struct PlainBodyTests {
    @Test(arguments: ["", " ", "\r\n\t ", "null", " null\n", "\u{FEFF}", "\u{FEFF} null"])
    func aBodyOfWhiteSpaceOrNullIsNothing(text: String) {
        #expect(PlainBody(Data(text.utf8)).isNothing)
    }

    @Test(arguments: ["0", "\"\"", "Null", "\"null\"", "nul", "null null", "{}", "[null]", "\u{B}", "\u{A0}"])
    func aBodyWithOtherCharactersThanWhiteSpaceAndNullIsNotNothing(text: String) {
        #expect(!PlainBody(Data(text.utf8)).isNothing)
    }

    @Test(arguments: [("", ""), (" \n", ""), ("a", "a"), ("\t a b \r\n", "a b"), ("\u{FEFF} a", "a")])
    func aBodyIsTrimmedOfJSONWhiteSpaceAndAByteOrderMark(text: String, content: String) {
        expect(PlainBody(Data(text.utf8)).trimmed, Data(content.utf8))
        expect(PlainBody(Data("xx\(text)".utf8).dropFirst(2)).trimmed, Data(content.utf8))
    }
}

struct PlainDecodableTests {
    private func decode<Value: PlainDecodable>(
        _ type: Value.Type = Value.self,
        _ text: String,
        contentType: String? = nil
    ) throws -> Value {
        try Value(plain: PlainBody(Data(text.utf8), contentType: contentType))
    }

    @Test(
        .spec(67),
        arguments: [
            "true", "True", "TRUE", "tRuE", "true\n", " \t\r\n true ", "\"true\"", "\"True\"\n", "\u{FEFF}true",
        ]
    )
    func trueInAnyUsualCaseIsDecodedAsABoolean(text: String) throws {
        #expect(try decode(Bool.self, text))
    }

    @Test(arguments: ["false", "False", "FALSE", "false\n", "\"false\"", " \"FALSE\" "])
    func falseInAnyUsualCaseIsDecodedAsABoolean(text: String) throws {
        #expect(try !decode(Bool.self, text))
    }

    @Test(
        .spec(67),
        arguments: [
            "", " ", "maybe", "1", "0", "yes", "null", "true true", "truee", "tru", "\"true", "true\"", "\"\"", "\"",
            "\"\"true\"\"", "\" true \"", "[true]", "<html>", "\u{B}true", "éé",
        ]
    )
    func aBooleanIsNothingElse(text: String) {
        let error = #expect(throws: DecodingError.self) { try decode(Bool.self, text) }
        expect(
            error.map { DecodingErrorText($0, cause: $0.context?.underlyingError).description },
            "The body is neither true nor false."
        )
    }

    @Test(.spec(67)) func invalidBytesAreNotABoolean() {
        #expect(throws: DecodingError.self) { try Bool(plain: PlainBody(Data([0xFF]))) }
        #expect(throws: DecodingError.self) { try Bool(plain: PlainBody(Data([0x54, 0x52, 0x55, 0xC5]))) }
    }

    private static let texts: [(String, String)] = [
        ("Hello", "Hello"), ("\"Hello\"", "Hello"), (" \"Hello\"\r\n", "Hello"), (" Hello\n", " Hello\n"), ("", ""),
        (" ", " "), ("\"\"", ""), ("\"a\\n\\u00e9\\\"\"", "a\né\""), ("\"unfinished", "\"unfinished"), ("\"", "\""),
        ("\"a\" and \"b\"", "\"a\" and \"b\""), ("\"a\", \"b\"", "\"a\", \"b\""), ("\"a\\\"", "\"a\\\""),
        ("\"\\ud800\"", "\"\\ud800\""), ("null", "null"), ("\"null\"", "null"), ("{\"a\":1}", "{\"a\":1}"),
        ("\u{FEFF}Hello", "Hello"), ("\u{FEFF}\"Hello\"", "Hello"), ("'a'", "'a'"), ("12", "12"),
    ]

    @Test(.spec(66), arguments: texts)
    func aStringIsTheContentOfALiteralOrTheTextItself(body: String, text: String) throws {
        expect(try decode(String.self, body), text)
    }

    @Test(.spec(66)) func aStringIsReadInTheCharsetOfTheHead() throws {
        let contentType = "text/plain; charset=iso-8859-1"
        let json = "application/json; charset=iso-8859-1"
        expect(try String(plain: PlainBody(Data([0x22, 0xE9, 0x22]), contentType: json)), "é")
        expect(try String(plain: PlainBody(Data([0xE9]), contentType: contentType)), "é")
    }

    @Test(.spec(66)) func aStringInAnotherCharsetThanTheHeadSaysIsAnError() {
        let error = #expect(throws: DecodingError.self) { try String(plain: PlainBody(Data([0x61, 0xFF]))) }
        expect(
            error.map { DecodingErrorText($0, cause: $0.context?.underlyingError).description },
            "The body is not valid text in its charset."
        )
    }

    @Test func aStringInAnUnknownCharsetIsAnError() {
        let error = #expect(throws: DecodingError.self) {
            try decode(String.self, "a", contentType: "text/plain; charset=klingon")
        }
        expect(
            error.map { DecodingErrorText($0, cause: $0.context?.underlyingError).description },
            "The body is text in a charset that is not supported."
        )
    }

    @Test(.spec(65), arguments: [[], [0x00, 0xFF], Array("\"aGk=\"".utf8), Array("null".utf8)] as [[UInt8]])
    func dataIsTheExactBytes(bytes: [UInt8]) {
        expect(Data(plain: PlainBody(Data(bytes))), Data(bytes))
    }

    @Test func anOptionalIsNilForNullAndElseThePlainType() throws {
        expect(try decode(String?.self, " null\n"), nil)
        expect(try decode(Bool?.self, "null"), nil)
        expect(try decode(Data?.self, "null"), nil)
        expect(try decode(String?.self, "\"null\""), "null")
        expect(try decode(String?.self, ""), "")
        expect(try decode(Data?.self, ""), Data())
        expect(try decode(Bool?.self, "True"), true)
        expect(try decode(String??.self, "Hello"), "Hello")
        #expect(throws: DecodingError.self) { try decode(Bool?.self, "") }
    }
}

struct EmptyResponseTests {
    @Test(
        .spec(73),
        arguments: [Data(), Data([0xFF]), Data("{}".utf8), Data("[1".utf8), Data("null".utf8), Data("<html>".utf8)]
    )
    func anEmptyResponseIsDecodedFromAnyBody(body: Data) throws {
        let decoders: [any DecoderProtocol] = [.default, .default.handlingOptionalResponses]
        for decoder in decoders {
            expect(try decoder.decode(data: body), EmptyResponse())
        }
    }

    @Test func anEmptyResponseIsDecodedFromAnyValueInsideJSON() throws {
        let decoded: [EmptyResponse] = try DefaultDecoder().decode(data: Data(#"[{"a":1},2,"x"]"#.utf8))
        expect(decoded.count, 3)
    }
}
