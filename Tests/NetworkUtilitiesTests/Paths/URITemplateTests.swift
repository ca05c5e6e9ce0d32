import Foundation
import Testing

@testable import NetworkUtilities

struct URITemplateTests {
    /// The variables of RFC 6570 §3.2, whose associative array has an order.
    private struct Variables: Encodable {
        struct Keys: Encodable {
            let semi = ";"
            let dot = "."
            let comma = ","
        }

        let count = ["one", "two", "three"]
        let dom = ["example", "com"]
        let dub = "me/too"
        let hello = "Hello World!"
        let half = "50%"
        let `var` = "value"
        let who = "fred"
        let base = "http://example.com/home/"
        let path = "/foo/bar"
        let list = ["red", "green", "blue"]
        let keys = Keys()
        let v = "6"
        let x = "1024"
        let y = "768"
        let empty = ""
        let empty_keys: [String: String] = [:]
        let undef: String? = nil
    }

    @Test(arguments: URITemplateExamples.all.indices)
    func theExamplesOfRFC6570AreExpanded(index: Int) throws {
        let example = URITemplateExamples.all[index]
        #expect(try URITemplate(example.template).expand(Variables()) == example.expansion)
    }

    @Test func aTemplateListsItsVariables() throws {
        #expect(try URITemplate("/a{/b,c*}{?d:3,b}{#e}").variableNames == ["b", "c", "d", "e"])
        #expect(try URITemplate("/a").variableNames.isEmpty)
    }

    @Test(arguments: [
        ("{/id*", "The URI template cannot be read: \"{/id*\" opens a brace that is not closed."),
        ("a}b", "The URI template cannot be read: \"a}\" closes a brace that was not opened."),
        ("{}", "The URI template cannot be read: \"{}\" names no variable."),
        ("{?}", "The URI template cannot be read: \"{?}\" contains an invalid variable name."),
        ("{!x}", "The URI template cannot be read: \"{!x}\" has an operator that RFC 6570 reserves."),
        ("{x:0}", "The URI template cannot be read: \"{x:0}\" has a prefix that is not a number from 1 to 9999."),
        ("{x**}", "The URI template cannot be read: \"{x**}\" has an invalid modifier."),
    ])
    func anInvalidTemplateIsExplained(text: String, sentence: String) {
        #expect { try URITemplate(text) } throws: { "\($0)" == sentence }
    }

    @Test(arguments: [
        "{/?id}", "{var:prefix}", "{hello:2*}", "{??hello}", "{with space}", "{ x}", "{x }", "{=p}", "{$v}", "{|v*}",
        "{*k?}", "{?e=default,v}", "{v}{-prefix|/-/|v}", "{?q=color?}", "{#h+}", "{;k:1*}", "{~t}", "{d-g}", "{x:01}",
        "{x:10000}", "{x:}", "{x.}", "{.x..y}", "{%2x}", "{x,}", "{é}", "{{x}}", "{x\u{0}}", "{\u{0}x}",
        "{x:99999999999999999999}",
    ])
    func aTemplateOutsideTheGrammarIsRefused(text: String) {
        #expect(throws: URITemplateError.self) { try URITemplate(text) }
    }

    @Test func aTemplateTakesADictionary() throws {
        let template = try URITemplate("/users{/id}{?page,tags*,since,limit,on}")
        let text = try template.expand([
            "id": "a/b", "page": 2, "tags": ["x", "y z"], "limit": Int?.none as Any, "on": true,
            "since": Date(timeIntervalSince1970: 0), "unknown": 1,
        ])
        #expect(text == "/users/a%2Fb?page=2&tags=x&tags=y%20z&since=1970-01-01T00%3A00%3A00Z&on=true")
    }

    @Test func aTemplateSortsTheMembersOfADictionary() throws {
        #expect(try URITemplate("{?k*}").expand(["k": ["b": 1, "a": 2]]) == "?a=2&b=1")
        #expect(try URITemplate("{k}").expand(["k": ["b": 1, "a": Int?.none as Any]] as Params) == "b,1")
    }

    @Test(arguments: [
        ("{/k*}", "/a="), ("{;k*}", ";a"), ("{?k*}", "?a="), ("{&k*}", "&a="), ("{k*}", "a="), ("{+k*}", "a="),
        ("{#k*}", "#a="), ("{.k*}", ".a="), ("{/k}", "/a,"), ("{;k}", ";k=a,"), ("{?k}", "?k=a,"),
    ])
    func aTemplateWritesAnEmptyMember(template: String, expansion: String) throws {
        #expect(try URITemplate(template).expand(["k": ["a": ""]]) == expansion)
    }

    @Test(arguments: [
        ("{/k*}", "/a=/b=1"), ("{;k*}", ";a;b=1"), ("{?k*}", "?a=&b=1"), ("{&k*}", "&a=&b=1"),
    ])
    func aTemplateWritesAnEmptyMemberBeforeAnother(template: String, expansion: String) throws {
        #expect(try URITemplate(template).expand(["k": ["a": "", "b": "1"]]) == expansion)
    }

    @Test func aTemplateTakesANilValueForNoVariables() throws {
        let template = try URITemplate("x{count}{/v}{;x}{?y}{&hello}{#who}")
        #expect(try template.expand(Variables?.none) == "x")
        #expect(try template.expand(Int?.none) == "x")
        #expect(try URITemplate("{?v}").expand(Variables?.some(Variables())) == "?v=6")
    }

    @Test func aTemplateLeavesOutUndefinedVariables() throws {
        let nothing: Params = ["a": [Int](), "b": [String: Int](), "c": [nil, nil] as [Int?], "d": NSNull()]
        #expect(try URITemplate("x{a}{+b}{#c}{.d}{/a}{;b}{?c}{&d}").expand(nothing) == "x")
    }

    @Test func aTemplateRefusesAValueWithoutAText() throws {
        let sentence =
            "The URI template cannot be expanded: 'v' contains bytes, which have no text form; "
            + "convert them first, for example to Base64."
        #expect { try URITemplate("{v}").expand(["v": Data()]) } throws: { "\($0)" == sentence }
    }

    @Test func aTemplateIgnoresVariablesThatItDoesNotName() throws {
        #expect(try URITemplate("/{id}").expand(["id": 1, "blob": Data()]) == "/1")
    }

    @Test func aTemplateRefusesNestedPartsAndPrefixesOfLists() throws {
        let nested = "The URI template cannot be expanded: 'v' holds an array or an object within another."
        #expect { try URITemplate("{v}").expand(["v": [[1]]]) } throws: { "\($0)" == nested }
        #expect { try URITemplate("{v}").expand(["v": ["a": ["b": 1]]]) } throws: { "\($0)" == nested }
        let prefix = "The URI template cannot be expanded: 'v' has more than one part, so it can't be cut to a prefix."
        #expect { try URITemplate("{v:2}").expand(["v": [1]]) } throws: { "\($0)" == prefix }
        #expect { try URITemplate("{v:2}").expand(["v": ["a": 1]]) } throws: { "\($0)" == prefix }
        let scalar = "The URI template cannot be expanded: the value is not an object, so its parts have no names."
        #expect { try URITemplate("{v}").expand(3) } throws: { "\($0)" == scalar }
    }

    @Test(arguments: [
        ("{v:1}", "éa", "%C3%A9"), ("{v:2}", "e\u{301}a", "e%CC%81"), ("{v:1}", "👍🏽", "%F0%9F%91%8D"),
        ("{v:3}", "", ""), ("{v:9999}", "ab", "ab"),
        ("{+v:2}", "%41b", "%41b"), ("{v:2}", "%41b", "%254"), ("{+v:1}", "%4", "%25"),
    ])
    func aTemplateCutsAPrefixBetweenCharacters(template: String, value: String, expansion: String) throws {
        #expect(try URITemplate(template).expand(["v": value]) == expansion)
    }

    @Test func aTemplateEscapesInvalidCharactersOfItsLiterals() throws {
        #expect(try URITemplate("/é a%20b%2|\"<\u{0}\r\n").expand(["x": 1]) == "/%C3%A9%20a%20b%252%7C%22%3C%00%0D%0A")
    }

    @Test func aTemplateIsDescribedByItsText() throws {
        let template = try URITemplate("/users{/id}")
        #expect("\(template)" == "/users{/id}")
        #expect(template == (try URITemplate("/users{/id}")))
    }
}
