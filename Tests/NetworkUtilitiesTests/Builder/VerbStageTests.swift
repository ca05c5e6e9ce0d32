import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct VerbStageTests {
    private let items = url("https://api.example.com/items")

    @Test(.spec(17)) func eachMethodIsSpelledAsInTheStandard() {
        let start = URLRequest.build()
        let bodiless = [
            start.get(url: items), start.head(url: items), start.delete(url: items), start.options(url: items),
            start.trace(url: items), start.connect(url: items),
        ]
        #expect(bodiless.map { $0.build().httpMethod } == ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"])
        let carrying = [start.post(url: items), start.put(url: items), start.patch(url: items)]
        #expect(carrying.map { $0.noBody().build().httpMethod } == ["POST", "PUT", "PATCH"])
    }

    @Test func urlRequestBeginsTheOtherMethodsDirectly() throws {
        #expect(URLRequest.head(url: items).build().httpMethod == "HEAD")
        #expect(URLRequest.options(url: items).add(query: "a", value: "1").build().httpMethod == "OPTIONS")
        #expect(URLRequest.trace(url: items).build().httpMethod == "TRACE")
        #expect(URLRequest.connect(url: items).build().httpMethod == "CONNECT")
        #expect(URLRequest.method(.delete, url: items).bodyText("a").build().httpMethod == "DELETE")
        #expect(try URLRequest.method(HTTPMethod("PROPFIND"), url: items).noBody().build().httpMethod == "PROPFIND")
    }

    @Test func urlRequestBeginsTheCommonMethodsDirectly() {
        #expect(URLRequest.get(url: items).build().httpMethod == "GET")
        #expect(URLRequest.delete(url: items).build().httpMethod == "DELETE")
        #expect(URLRequest.post(url: items).noBody().build().httpMethod == "POST")
        #expect(URLRequest.put(url: items).noBody().build().httpMethod == "PUT")
        #expect(URLRequest.patch(url: items).noBody().build().httpMethod == "PATCH")
    }

    @Test(.spec(17), arguments: ["QUERY", "PROPFIND", "M-SEARCH", "patch"])
    func aMethodCanBeAnyToken(token: String) throws {
        let request = try URLRequest.build().method(HTTPMethod(token), url: items).noBody().build()
        #expect(request.httpMethod == token)
    }

    @Test(.spec(17, 46)) func aDELETERequestCanCarryABody() throws {
        let request = try URLRequest.build().method(.delete, url: items).bodyJson(of: ["id": 1]).build()
        #expect(request.httpMethod == "DELETE")
        #expect(request.httpBody == Data(#"{"id":1}"#.utf8))
    }

    private let api = URLRequest.builder(baseURL: url("https://api.example.com/v1"))

    @Test(.spec(19)) func aPathIsAppendedToTheBaseURLOfTheBuilder() throws {
        let id = "a/b"
        let request = try api.get(path: "/users/\(id)/posts").add(query: "page", value: "1").build()
        #expect(request.url?.absoluteString == "https://api.example.com/v1/users/a%2Fb/posts?page=1")
    }

    @Test(.spec(17, 19)) func eachMethodWithAPathOpensItsStage() throws {
        let bodiless = [
            try api.get(path: "/a"), try api.head(path: "/a"), try api.delete(path: "/a"), try api.options(path: "/a"),
            try api.trace(path: "/a"),
        ]
        #expect(bodiless.map { $0.build().httpMethod } == ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"])
        let carrying = [
            try api.post(path: "/a"), try api.put(path: "/a"), try api.patch(path: "/a"),
            try api.method(HTTPMethod("QUERY"), path: "/a"),
        ]
        #expect(carrying.map { $0.noBody().build().httpMethod } == ["POST", "PUT", "PATCH", "QUERY"])
        #expect(carrying.allSatisfy { $0.noBody().build().url?.absoluteString == "https://api.example.com/v1/a" })
    }

    @Test(.spec(8, 19)) func queryItemsInAPathStayUnchanged() throws {
        let request = try api.get(path: "/a?sig=a%2Bb#f").add(query: "x", value: "1").build()
        #expect(request.url?.absoluteString == "https://api.example.com/v1/a?sig=a%2Bb&x=1#f")
    }

    @Test(.spec(12, 19)) func aBuilderWithABaseURLBeginsManyRequests() throws {
        let requests = try (1...3).map { try api.get(path: "/users/\($0)").build() }
        #expect(requests.map { $0.url?.lastPathComponent } == ["1", "2", "3"])
    }

    @Test(.spec(19)) func anInvalidPathThrowsBeforeARequestIsBuilt() {
        let place = RequestPathError.Place(value: "{1}", path: "/users/{1}")
        #expect(throws: RequestPathError.emptySegment(place)) { try api.delete(path: "/users/\("")") }
        #expect(throws: RequestPathError.dotSegment(place)) { try api.post(path: "/users/\("..")") }
    }

    @Test func aBuilderWithABaseURLUsesItsOptions() throws {
        let options = URLRequestBuilderOptions(encoder: DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase))
        struct Body: Encodable { let firstName = "Ada" }
        let request = try URLRequest.builder(baseURL: url("https://h"), options: options)
            .post(path: "/a").bodyJson(of: Body()).build()
        #expect(request.httpBody == Data(#"{"first_name":"Ada"}"#.utf8))
    }
}
