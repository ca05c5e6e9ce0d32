@testable import NetworkUtilities

struct URITemplateTests {
    /// The variables of RFC 6570 §3.2, whose associative array has an order.
    private struct Variables: Encodable {
        struct Keys: Encodable { let semi = ";", dot = ".", comma = "," }

        let count = ["one", "two", "three"]
        let dom = ["example", "com"]
        let dub = "me/too", hello = "Hello World!", half = "50%", `var` = "value", who = "fred"
        let base = "http://example.com/home/"
        let path = "/foo/bar"
        let list = ["red", "green", "blue"]
        let keys = Keys()
        let v = "6", x = "1024", y = "768", empty = ""
        let empty_keys: [String: String] = [:]
        let undef: String? = nil
    }

    private func expand(_ template: String, _ variables: Params) throws -> String {
        try URITemplate(template).expand(variables)
    }

    @Test func theExamplesOfRFC6570AreExpanded() throws {
        for (template, expansion) in URITemplateExamples.all {
            expect(try URITemplate(template).expand(Variables()), expansion, template)
        }
    }

    @Test func anInvalidTemplateIsExplained() {
        let rows = [
            "{/id*": "opens a brace that is not closed.", "a}b": "closes a brace that was not opened.",
            "{}": "names no variable.", "{?}": "contains an invalid variable name.",
            "{!x}": "has an operator that RFC 6570 reserves.", "{x**}": "has an invalid modifier.",
            "{x:0}": "has a prefix that is not a number from 1 to 9999.",
        ]
        for (text, problem) in rows {
            let error = #expect(throws: URITemplateError.self) { try URITemplate(text) }
            let part = text == "a}b" ? "a}" : text
            expect(error?.description, "The URI template cannot be read: \"\(part)\" \(problem)")
        }
        for text in [
            "{/?id}", "{var:prefix}", "{hello:2*}", "{??hello}", "{with space}", "{ x}", "{x }", "{=p}", "{$v}",
            "{|v*}", "{*k?}", "{?e=default,v}", "{v}{-prefix|/-/|v}", "{?q=color?}", "{#h+}", "{;k:1*}", "{~t}",
            "{d-g}", "{x:01}", "{x:10000}", "{x:}", "{x.}", "{.x..y}", "{%2x}", "{x,}", "{é}", "{{x}}", "{x\u{0}}",
            "{\u{0}x}", "{x:99999999999999999999}",
        ] {
            #expect(throws: URITemplateError.self, "\(text)") { try URITemplate(text) }
        }
    }

    @Test func aTemplateIsExpandedWithADictionaryWhoseMembersAreSorted() throws {
        let all: Params = [
            "id": "a/b", "page": 2, "tags": ["x", "y z"], "limit": Int?.none as Any, "on": true,
            "since": Date(timeIntervalSince1970: 0), "unknown": Data(),
        ]
        let nothing: Params = ["a": [Int](), "b": [String: Int](), "c": [nil, nil] as [Int?], "d": NSNull()]
        let sorted: Params = ["k": ["b": 1, "a": 2]]
        let optional: Params = ["k": ["b": 1, "a": Int?.none as Any]]
        let rows: [(String, Params, String)] = [
            (
                "/users{/id}{?page,tags*,since,limit,on}", all,
                "/users/a%2Fb?page=2&tags=x&tags=y%20z&since=1970-01-01T00%3A00%3A00Z&on=true"
            ),
            ("{?k*}", sorted, "?a=2&b=1"), ("{k}", optional, "b,1"),
            ("x{a}{+b}{#c}{.d}{/a}{;b}{?c}{&d}", nothing, "x"),
            ("/é a%20b%2|\"<\u{0}\r\n", ["x": 1], "/%C3%A9%20a%20b%252%7C%22%3C%00%0D%0A"),
        ]
        for (template, variables, expansion) in rows { expect(try expand(template, variables), expansion) }
        let template = try URITemplate("x{count}{/v}{;x}{?y}{&hello}{#who}")
        expect(try template.expand(Variables?.none), "x")
        expect(try template.expand(Int?.none), "x")
        expect(try URITemplate("{?v}").expand(Variables?.some(Variables())), "?v=6")
    }

    @Test func aTemplateWritesAnEmptyMemberByItsOperator() throws {
        let single = [
            "{/k*}": "/a=", "{;k*}": ";a", "{?k*}": "?a=", "{&k*}": "&a=", "{k*}": "a=", "{+k*}": "a=", "{#k*}": "#a=",
            "{.k*}": ".a=", "{/k}": "/a,", "{;k}": ";k=a,", "{?k}": "?k=a,",
        ]
        for (template, expansion) in single { expect(try expand(template, ["k": ["a": ""]]), expansion) }
        let two = ["{/k*}": "/a=/b=1", "{;k*}": ";a;b=1", "{?k*}": "?a=&b=1", "{&k*}": "&a=&b=1"]
        for (template, expansion) in two { expect(try expand(template, ["k": ["a": "", "b": "1"]]), expansion) }
    }

    @Test func aTemplateRefusesValuesWithoutATextNestedPartsAndPrefixesOfLists() throws {
        let bytes = "'v' contains bytes, which have no text form; convert them first, for example to Base64."
        let nested = """
            'v' contains a nested array or object, but a variable can only be a single value, or an array or object of \
            single values; pass the nested values as separate variables.
            """
        let prefix = "'v' has more than one part, so it can't be cut to a prefix."
        let scalar = "the value is not an object, so its parts have no names."
        let rows: [(String, Params, String)] = [
            ("{v}", ["v": Data()], bytes), ("{v}", ["v": [[1]]], nested), ("{v}", ["v": ["a": ["b": 1]]], nested),
            ("{v:2}", ["v": [1]], prefix), ("{v:2}", ["v": ["a": 1]], prefix),
        ]
        for (template, variables, problem) in rows {
            let error = #expect(throws: URITemplateError.self) { try expand(template, variables) }
            expect(error?.description, "The URI template cannot be expanded: \(problem)")
        }
        let error = #expect(throws: URITemplateError.self) { try URITemplate("{v}").expand(3) }
        expect(error?.description, "The URI template cannot be expanded: \(scalar)")
    }

    @Test(arguments: [
        ("{v:1}", "éa", "%C3%A9"), ("{v:2}", "e\u{301}a", "e%CC%81"), ("{v:1}", "👍🏽", "%F0%9F%91%8D"),
        ("{v:3}", "", ""), ("{v:9999}", "ab", "ab"), ("{+v:2}", "%41b", "%41b"), ("{v:2}", "%41b", "%254"),
        ("{+v:1}", "%4", "%25"),
    ])
    func aTemplateCutsAPrefixBetweenCharacters(template: String, value: String, expansion: String) throws {
        expect(try expand(template, ["v": value]), expansion)
    }

    @Test func aTemplateIsDescribedByItsTextAndListsItsVariables() throws {
        let template = try URITemplate("/a{/b,c*}{?d:3,b}{#e}")
        expect("\(template)", "/a{/b,c*}{?d:3,b}{#e}")
        expect(template, try URITemplate("/a{/b,c*}{?d:3,b}{#e}"))
        expect(template.variableNames, ["b", "c", "d", "e"])
        expect(try URITemplate("/a").variableNames, [])
    }
}
