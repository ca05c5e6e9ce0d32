import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct RequestPathTemplateTests {
    private func text(_ template: String, _ variables: Params) throws -> String {
        try RequestPath.template(template, variables: variables).resolved(against: url("https://h/v1/")).absoluteString
    }

    private struct Filter: Encodable {
        let id: Int
        let page: Int?
        let tags: [String]
    }

    @Test func aTemplateIsExpandedBehindTheBaseURL() throws {
        #expect(
            try text("/users{/id}{?page,limit}", ["id": 42, "page": 2, "limit": 10])
                == "https://h/v1/users/42?page=2&limit=10"
        )
        #expect(try text("users{/id}{?page}", ["id": "a/b ?é"]) == "https://h/v1/users/a%2Fb%20%3F%C3%A9")
        #expect(try text("{/id*}", ["id": [1, 2]]) == "https://h/v1/1/2")
        #expect(try text("/a{;x,y}{#z}", ["x": 1, "y": "", "z": "s"]) == "https://h/v1/a;x=1;y#s")
        #expect(try text("/a?b=c{&d}", ["d": "e&f"]) == "https://h/v1/a?b=c&d=e%26f")
    }

    @Test func aTemplateTakesThePropertiesOfAnEncodable() throws {
        let path = try RequestPath.template(
            "/users{/id}{?page,tags*}",
            variables: Filter(id: 7, page: nil, tags: ["a", "b,c"])
        )
        #expect(try path.resolved(against: url("https://h")).absoluteString == "https://h/users/7?tags=a&tags=b%2Cc")
    }

    @Test func aTemplatePathLeavesOutOptionalExpressions() throws {
        #expect(try text("/users{/id}{?page}", [:]) == "https://h/v1/users")
        #expect(try text("/{?page}", [:]) == "https://h/v1/")
        #expect(try text("/{?page}", ["page": 1]) == "https://h/v1/?page=1")
        #expect(try text("/files/{+path}", ["path": "a/b/"]) == "https://h/v1/files/a/b/")
    }

    @Test(arguments: [
        ("{/id}/users", "/users"), ("{/id}users", "/users"), ("{/id}{?page}/a", "/a"),
    ])
    func aTemplatePathMayBeginWithAnEmptyExpression(template: String, rest: String) throws {
        #expect(try text(template, [:]) == "https://h/v1" + rest)
    }

    @Test(arguments: ["{/id}", "{?page}", "{#part}"])
    func aTemplatePathWithOnlyAnEmptyExpressionIsEmpty(template: String) {
        #expect(throws: RequestPathError.emptyPath) { try text(template, [:]) }
    }

    @Test func aTemplatePathTakesANilValueForNoVariables() throws {
        let path = try RequestPath.template("/users{/id}{?page,tags*}", variables: Filter?.none)
        #expect(try path.resolved(against: url("https://h/v1")).absoluteString == "https://h/v1/users")
    }

    @Test(
        .spec(180),
        arguments: [
            ("/users/{id}", ["id": ""], "{id}"), ("/users/{id}/x", [:], "{id}"), ("/users{/id}", ["id": ""], "{/id}"),
            ("/users{/id,x}", ["id": "", "x": "y"], "{/id,x}"), ("/{+path}", ["path": ""], "{+path}"),
            ("{/id}", ["id": ""], "{/id}"), ("{/id}/posts", ["id": ""], "{/id}"),
            ("{/a,b}", ["b": "x", "a": ""], "{/a,b}"),
            ("{/id}{?page}", ["id": "", "page": "2"], "{/id}"), ("{id}/posts", ["id": ""], "{id}"),
            ("/a/{/id}/b", [:], "{/id}"), ("/a/{;x}/b", [:], "{;x}"), ("{+a}/x", ["a": "/"], "{+a}"),
            ("/{+a}{/b}", ["a": "x/", "b": "y"], "{+a}"),
        ]
    )
    func aTemplateRefusesASegmentThatWouldBeMissing(template: String, variables: [String: String], expression: String) {
        let place = RequestPathError.Place(value: expression, path: template)
        #expect(throws: RequestPathError.emptySegment(place)) { try text(template, variables) }
    }

    @Test(arguments: [
        ("/users/{id}", ["id": ".."], "{id}"), ("/users{/id}/x", ["id": "."], "{/id}"),
        ("/f/{+path}", ["path": "a/../b"], "{+path}"),
        ("/f/{+path}", ["path": "%2e%2E"], "{+path}"), ("/x{.id}", [:], nil),
    ])
    func aTemplateRefusesADotSegment(template: String, variables: [String: String], expression: String?) throws {
        guard let expression else {
            #expect(try text(template, variables) == "https://h/v1/x")
            return
        }
        let place = RequestPathError.Place(value: expression, path: template)
        #expect(throws: RequestPathError.dotSegment(place)) { try text(template, variables) }
    }

    @Test func anInvalidTemplateForAPathThrows() {
        #expect(throws: URITemplateError.self) { try RequestPath.template("/users{/id", variables: ["id": 1]) }
        #expect(throws: URITemplateError.self) { try RequestPath.template("/users{/id}", variables: ["id": Data()]) }
        #expect(throws: RequestPathError.emptyPath) { try text("{?page}", ["page": 1]) }
    }

    @Test func aTemplatePathWithoutItsFirstSegmentThrows() throws {
        for (template, variables) in [("{tenant}/users", [:]), ("{+p}/x", ["p": ""])] as [(String, Params)] {
            #expect(throws: RequestPathError.self) { try text(template, variables) }
        }
        #expect(try text("{/id}/users", [:]) == "https://h/v1/users")
        #expect(throws: RequestPathError.emptyPath) { try text("{/id}{?page}", ["page": 2]) }
        #expect(throws: RequestPathError.emptyPath) { try text("{/id}", [:]) }
    }

    @Test(.spec(180)) func anEmptyValueInFrontNeverLeadsToTheCollection() {
        let api = URLRequest.builder(baseURL: url("https://h/v1"))
        let sentence =
            "The path '{/id}' cannot be used: the value {/id} is empty, and its segment would be missing."
        #expect {
            try api.delete(path: .template("{/id}", variables: ["id": ""]))
        } throws: {
            "\($0)" == sentence
        }
        #expect(throws: RequestPathError.self) {
            try api.delete(path: .template("{/list*}", variables: ["list": ["", "x"]]))
        }
    }

    @Test func oneParsedTemplateExpandsToManyPaths() throws {
        let template = try URITemplate("/users{/id}")
        let paths = try (1...2).map { try RequestPath.template(template, variables: ["id": $0]) }
        #expect(try paths.map { try $0.resolved(against: url("https://h")).path } == ["/users/1", "/users/2"])
        #expect(
            try RequestPath.template(template, variables: Filter(id: 3, page: nil, tags: []))
                .resolved(against: url("https://h")).path == "/users/3"
        )
    }
}
