import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct RedactedJSONTests {
    private func pretty(_ json: String, _ redaction: LogRedaction = .sensitive, limit: Int = .max) -> String? {
        RedactedJSON.render(Array(json.utf8), redaction: redaction, isPretty: true, limit: limit)
            .map { String(decoding: $0.text, as: UTF8.self) }
    }

    private func compact(_ json: String, _ redaction: LogRedaction = .sensitive) -> String? {
        RedactedJSON.render(Array(json.utf8), redaction: redaction, isPretty: false)
            .map { String(decoding: $0.text, as: UTF8.self) }
    }

    @Test func prettyJSONHasALineForEachValue() {
        let json = #"{"b":[1,{"c":null}],"a":{},"e":[],"n":1.10e+5,"s":"é\n"}"#
        let text = """
            {
              "b": [
                1,
                {
                  "c": null
                }
              ],
              "a": {},
              "e": [],
              "n": 1.10e+5,
              "s": "é\\n"
            }
            """
        expect(pretty(json), text)
        expect(pretty(text), text)
    }

    @Test(arguments: ["1", "-1.5", "true", "null", #""text""#, "[]", "{}", " [ 1 , 2 ] "])
    func compactJSONKeepsEveryByte(json: String) {
        expect(compact(json), json)
        #expect(pretty(json) != nil)
    }

    @Test(.spec(151)) func secretsInJSONAreHiddenAtAnyDepth() {
        let json = #"{ "a": [ { "Password": "s3cr3t" } ], "token": { "x": [1, "]"] }, "key": 12, "name": "Ada" }"#
        let masked = #"{ "a": [ { "Password": "***" } ], "token": "***", "key": "***", "name": "Ada" }"#
        expect(compact(json), masked)
    }

    @Test(
        .spec(151),
        arguments: [
            (#"{"name":"password","value":"s3cr3t","id":1}"#, #"{"name":"password","value":"***","id":1}"#),
            (#"[{"Name":"X-Auth-Key","x":{},"Value":["s3cr3t"]}]"#, #"[{"Name":"X-Auth-Key","x":{},"Value":"***"}]"#),
            (#"{"value":"s3cr3t","a":[1,{"b":2}],"name":"pin"}"#, #"{"value":"***","a":[1,{"b":2}],"name":"pin"}"#),
            (#"{"key":"token","value":12}"#, #"{"key":"***","value":"***"}"#),
            (#"{"value":{"raw":"s3cr3t"},"key":"token"}"#, #"{"value":"***","key":"***"}"#),
            (#"[{"value":["s3cr3t",[]],"name":"pin","id":1}]"#, #"[{"value":"***","name":"pin","id":1}]"#),
            (#"{"value":{"value":"s3cr3t","name":"pin"},"name":"pin"}"#, #"{"value":"***","name":"pin"}"#),
            (
                #"{"value":[{"value":[1],"name":"pin"}],"name":"a"}"#,
                #"{"value":[{"value":"***","name":"pin"}],"name":"a"}"#
            ),
            (#"{"value":"s3cr3t","name":"Ada","key":"pin"}"#, #"{"value":"***","name":"Ada","key":"***"}"#),
            (#"{"value":["s3cr3t"],"Value":"s3cr3t","name":"pin"}"#, #"{"value":"***","Value":"***","name":"pin"}"#),
            (#"{"value":{"name":"pin"},"name":"Ada"}"#, nil), (#"{"value":[{}],"values":{"name":"pin"}}"#, nil),
            (#"{"name":"Ada","value":"x","values":[{"name":"y","value":2}]}"#, nil),
            (#"{"name":{"name":"pin"},"value":"x"}"#, nil), (#"["name","pin","value","x"]"#, nil),
            (#"{"name":"pin","a":{"value":"x"}}"#, nil),
        ] as [(String, String?)]
    )
    func theValueOfAnEntryWithASecretNameIsHidden(json: String, masked: String?) {
        expect(compact(json), masked ?? json)
        expect(compact(json, .sensitive.showing(["value", "key"])), json)
        expect(compact(json, .showingEverything), json)
    }

    @Test(.spec(151)) func aNumberOfTokensIsShownAndNoToken() {
        let counts = #"{"total_tokens":5,"promptTokenCount":6,"#
        let json = counts + #""tokens":["s3cr3t"],"max_tokens":"s3cr3t","token":7,"name":"x_tokens","value":9}"#
        let hidden = #""tokens":"***","max_tokens":"***","token":"***","name":"x_tokens","value":"***"}"#
        expect(compact(json), counts + hidden)
        expect(compact(#"{"otp_tokens":5}"#), #"{"otp_tokens":"***"}"#)
        expect(compact(#"{"total_tokens":5}"#, .sensitive.masking(["total_tokens"])), #"{"total_tokens":"***"}"#)
    }

    @Test func prettyJSONShowsAHiddenValueOnOneLine() {
        #expect(
            pretty(#"{"value":{"raw":["s3cr3t"]},"name":"pin"}"#) == """
                {
                  "value": "***",
                  "name": "pin"
                }
                """
        )
    }

    @Test(arguments: [
        (#"{"value":"s3cr3t","a":[{"value":"s3cr3t","b":"#, #"{"value":"***","a":[{"value":"***","b":"#),
        (#"{"value":["s3cr3t"],"a":"#, #"{"value":"***","a":"#),
        (#"{"a":{"value":["s3cr3t","#, #"{"a":{"value":"***""#),
        (#"[{"value":{"raw":[{"name":"pin","value":"s3cr3t"},"s3cr3t"]"#, #"[{"value":"***""#),
        (#"{"name":"Ada","value":["shown","#, #"{"name":"Ada","value":["shown","#),
    ])
    func theValueOfAnEntryThatWasCutBeforeItsNameIsHidden(json: String, masked: String) {
        let result = RedactedJSON.render(Array(json.utf8), redaction: .sensitive, isPretty: false, isCut: true)
        expect(result.map { String(decoding: $0.text, as: UTF8.self) }, masked)
    }

    @Test func aHiddenValueTakesNoMoreOfTheLimitThanItsMask() throws {
        let json = #"{"value":["a long secret"],"name":"pin","id":1}"#
        let result = try #require(
            RedactedJSON.render(Array(json.utf8), redaction: .sensitive, isPretty: false, limit: 35)
        )
        expect(String(decoding: result.text, as: UTF8.self), #"{"value":"***","name":"pin","id":1}"#)
        expect(result.consumed, json.utf8.count)
    }

    @Test func theValueOfAnEntryWhoseNameIsBeyondTheLimitIsHidden() throws {
        let json = #"{"value":["s3cr3t","x"],"name":"pin"}"#
        let result = try #require(
            RedactedJSON.render(Array(json.utf8), redaction: .sensitive, isPretty: false, limit: 20)
        )
        expect(String(decoding: result.text, as: UTF8.self), #"{"value":"***""#)
    }

    @Test(arguments: [#"pass\u0077ord"#, #"\u0070assword"#, #"pass\/word"#])
    func escapedNamesInJSONAreFound(name: String) {
        expect(compact("{\"\(name)\":\"s3cr3t\"}"), "{\"\(name)\":\"***\"}")
    }

    @Test func secretsWithinAJSONStringAreFound() {
        let json = #"{"next":"https://a.example/?code=s3cr3t&a=1","body":"{\"token\":\"s3cr3t\"}","b":"Bearer s3 x"}"#
        let masked = #"{"next":"https://a.example/?code=***&a=1","body":"{\"token\":\"***\"}","b":"Bearer *** x"}"#
        expect(compact(json), masked)
        expect(compact(json, .showingEverything), json)
    }

    @Test(arguments: [
        (#"{"a":"https:\/\/u:s3cr3t@h\/x","b":"\/"}"#, #"{"a":"https://***@h/x","b":"\/"}"#),
        (
            #"{"a":"{\"b\":\"{\\\"t\\\\u006fken\\\":\\\"s3cr3t\\\"}\"}"}"#,
            #"{"a":"{\"b\":\"{\\\"t\\\\u006fken\\\":\\\"***\\\"}\"}"}"#
        ),
        (#"{"a":"{\"pin\":{\"b\":\"s3cr3t\"},\"c\":1}"}"#, #"{"a":"{\"pin\":\"***\",\"c\":1}"}"#),
        (#"{"a":"\u0062earer s3cr3t \ud83d\ude00\n"}"#, #"{"a":"bearer *** \#u{1F600}\n"}"#),
        (#"{"https://u:s3cr3t@h":1}"#, #"{"https://***@h":1}"#),
        (#"{"a":"\/\u00e9\ud83d\b"}"#, #"{"a":"\/\u00e9\ud83d\b"}"#),
    ])
    func escapesInJSONAreReadBeforeSecretsAreSearched(json: String, masked: String) {
        expect(compact(json), masked)
    }

    @Test(.longComputation) func jsonInStringsWithinStringsIsMasked() {
        var text = #"{"token":"s3cr3t"}"#
        for _ in 0..<12 { text = #"{"a":\#(String(decoding: JSONString.quoted(text), as: UTF8.self))}"# }
        expect(compact(text)?.contains("s3cr3t"), false)
    }

    @Test(.spec(151)) func onlyAllowedFieldsOfJSONAreShown() {
        let json = #"{"id":7,"user":{"name":"Ada","id":8},"tags":["a",["b"]],"ids":[1,{"id":2,"x":3}]}"#
        let masked =
            #"{"id":7,"user":{"name":"***","id":8},"tags":["***",["***"]],"ids":[1,{"id":2,"x":"***"}]}"#
        expect(compact(json, .allowing(["id", "ids"])), masked)
        expect(compact(#""Ada""#, .allowing(["id"])), #""***""#)
    }

    @Test(arguments: ["", "]", "}", "tru", "nul", "abc", "\"", "\"\\", "\"a\nb\"", "1 2", "{}x", "\u{0}", "[\"a\"] {"])
    func textThatIsNoJSONIsNotMaskedAsJSON(text: String) {
        expect(pretty(text), nil)
        expect(compact(text), nil)
    }

    @Test(arguments: [
        ("{", "{"), ("[", "["), (#"{"a""#, #"{"a""#), (#"{"a":1"#, #"{"a":1"#), (#"{"a":1,"#, #"{"a":1,"#),
        ("[1,]", "[1,"),
        ("{,}", "{"), ("[1 2]", "[1 "), ("[}", "["), (#"{"a" 1}"#, #"{"a" "#), ("{1:2}", "{"),
        (#"{"token":[}"#, #"{"token":"***""#),
        (#"{"token":""#, #"{"token":"#), (#"["\"]"#, "["), (#"{"a":1,"token":s3cr3t}"#, #"{"a":1,"token":"#),
        (#"{"value":"s3cr3t",x"#, #"{"value":"***","#),
    ])
    func invalidJSONIsMaskedUpToItsError(text: String, masked: String) throws {
        let result = try #require(RedactedJSON.render(Array(text.utf8), redaction: .sensitive, isPretty: false))
        expect(String(decoding: result.text, as: UTF8.self), masked)
        expect(result.isValid, false)
    }

    @Test func maskedJSONStopsAtItsLimitBetweenCharacters() throws {
        let result = try #require(
            RedactedJSON.render(Array(#"{"a":"ééé"}"#.utf8), redaction: .sensitive, isPretty: false, limit: 9)
        )
        expect(String(decoding: result.text, as: UTF8.self), #"{"a":"é"#)
        expect(result.consumed, 8)
    }

    @Test func jsonThatWasCutAnywhereIsMasked() {
        let json = Array(#"{"a":[true,-1.5e3,"b\"c"],"token":{"x":"y"}} "#.utf8)
        for length in 0..<json.count {
            let cut = Array(json[..<length])
            #expect(RedactedJSON.render(cut, redaction: .sensitive, isPretty: true, isCut: true) != nil)
        }
    }

    @Test func noBytesTrapInJSON() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("{}[]\",:\\truefalsnu0-. \n\u{80}token".utf8)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet.randomElement() ?? 0 }
            for isPretty in [true, false] {
                let limit = Int.random(in: 0...30)
                let result = RedactedJSON.render(
                    bytes,
                    redaction: .sensitive,
                    isPretty: isPretty,
                    limit: limit,
                    isCut: true
                )
                #expect(result.map { $0.text.count <= limit && $0.consumed <= bytes.count } ?? true)
            }
        }
    }
}
