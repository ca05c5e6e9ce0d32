@testable import NetworkUtilities

struct RequestPathTemplateTests {
    private func text(_ template: String, _ variables: Params) throws -> String {
        try text(.template(template, variables: variables))
    }

    private func text(_ path: RequestPath) throws -> String {
        try path.resolved(against: url("https://h/v1/")).absoluteString
    }

    private struct Filter: Encodable {
        let id: Int
        var page: Int?
        var tags: [String] = []
    }

    @Test func aTemplateIsExpandedBehindTheBaseURLWithoutItsEmptyExpressions() throws {
        let rows: [(String, Params, String)] = [
            ("/users{/id}{?page,limit}", ["id": 42, "page": 2, "limit": 10], "/users/42?page=2&limit=10"),
            ("users{/id}{?page}", ["id": "a/b ?é"], "/users/a%2Fb%20%3F%C3%A9"), ("{/id*}", ["id": [1, 2]], "/1/2"),
            ("/a{;x,y}{#z}", ["x": 1, "y": "", "z": "s"], "/a;x=1;y#s"), ("/a?b=c{&d}", ["d": "e&f"], "/a?b=c&d=e%26f"),
            ("/users{/id}{?page}", [:], "/users"), ("/{?page}", [:], "/"), ("/{?page}", ["page": 1], "/?page=1"),
            ("/files/{+path}", ["path": "a/b/"], "/files/a/b/"), ("{/id}/users", [:], "/users"),
            ("{/id}users", [:], "/users"), ("{/id}{?page}/a", [:], "/a"), ("/x{.id}", [:], "/x"),
        ]
        for (template, variables, rest) in rows { expect(try text(template, variables), "https://h/v1" + rest) }
    }

    @Test func aTemplateTakesThePropertiesOfAnEncodableAndIsParsedOnce() throws {
        let template = try URITemplate("/users{/id}{?page,tags*}")
        let paths = [
            try RequestPath.template("\(template)", variables: Filter(id: 7, tags: ["a", "b,c"])),
            try RequestPath.template("\(template)", variables: Filter?.none),
            try RequestPath.template(template, variables: ["id": 1]),
            try RequestPath.template(template, variables: Filter(id: 3)),
        ]
        let expected = ["/users/7?tags=a&tags=b%2Cc", "/users", "/users/1", "/users/3"]
        expect(try paths.map(text), expected.map { "https://h/v1" + $0 })
    }

    @Test(.spec(180)) func aTemplateRefusesASegmentThatWouldBeMissing() {
        let rows: [(String, [String: String], String)] = [
            ("/users/{id}", ["id": ""], "{id}"), ("/users/{id}/x", [:], "{id}"), ("/users{/id}", ["id": ""], "{/id}"),
            ("/users{/id,x}", ["id": "", "x": "y"], "{/id,x}"), ("/{+path}", ["path": ""], "{+path}"),
            ("{/id}", ["id": ""], "{/id}"), ("{/id}/posts", ["id": ""], "{/id}"),
            ("{/a,b}", ["b": "x", "a": ""], "{/a,b}"), ("{tenant}/users", [:], "{tenant}"),
            ("{/id}{?page}", ["id": "", "page": "2"], "{/id}"), ("{id}/posts", ["id": ""], "{id}"),
            ("/a/{/id}/b", [:], "{/id}"), ("/a/{;x}/b", [:], "{;x}"), ("{+a}/x", ["a": "/"], "{+a}"),
            ("{+p}/x", ["p": ""], "{+p}"), ("/{+a}{/b}", ["a": "x/", "b": "y"], "{+a}"),
        ]
        for (template, variables, expression) in rows {
            let place = RequestPathError.Place(value: expression, path: template)
            #expect(throws: RequestPathError.emptySegment(place)) { try text(template, variables) }
        }
        // An empty value in front never leads to the collection.
        let api = URLRequest.builder(baseURL: url("https://h/v1"))
        let place = RequestPathError.Place(value: "{/id}", path: "{/id}")
        #expect(throws: RequestPathError.emptySegment(place)) {
            try api.delete(path: .template("{/id}", variables: ["id": ""]))
        }
        let sentence = "The path '{/id}' cannot be used: the value {/id} is empty, and its segment would be missing."
        expect("\(RequestPathError.emptySegment(place))", sentence)
        #expect(throws: RequestPathError.self) { try text("{/list*}", ["list": ["", "x"]]) }
    }

    @Test func aTemplateThatIsInvalidOrFormsADotSegmentOrNoPathIsRefused() {
        let dots: [(String, [String: String], String)] = [
            ("/users/{id}", ["id": ".."], "{id}"), ("/users{/id}/x", ["id": "."], "{/id}"),
            ("/f/{+path}", ["path": "a/../b"], "{+path}"), ("/f/{+path}", ["path": "%2e%2E"], "{+path}"),
        ]
        for (template, variables, expression) in dots {
            let place = RequestPathError.Place(value: expression, path: template)
            #expect(throws: RequestPathError.dotSegment(place)) { try text(template, variables) }
        }
        let empty: [(String, Params)] = [
            ("{/id}", [:]), ("{?page}", [:]), ("{#part}", [:]), ("{?page}", ["page": 1]), ("{/id}{?page}", ["page": 2]),
        ]
        for (template, variables) in empty {
            #expect(throws: RequestPathError.emptyPath) { try text(template, variables) }
        }
        #expect(throws: URITemplateError.self) { try RequestPath.template("/users{/id", variables: ["id": 1]) }
        #expect(throws: URITemplateError.self) { try RequestPath.template("/users{/id}", variables: ["id": Data()]) }
    }
}
