import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct VerbStageTests {
    private let items = url("https://api.example.com/items")

    @Test(.spec(17)) func spellsEachMethodAsTheStandardDoes() {
        let start = URLRequest.build()
        let bodiless = [
            start.get(url: items), start.head(url: items), start.delete(url: items), start.options(url: items),
            start.trace(url: items), start.connect(url: items),
        ]
        #expect(bodiless.map { $0.build().httpMethod } == ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"])
        let carrying = [start.post(url: items), start.put(url: items), start.patch(url: items)]
        #expect(carrying.map { $0.noBody().build().httpMethod } == ["POST", "PUT", "PATCH"])
    }

    @Test func theRequestItselfOffersHEADAndOPTIONS() {
        let place = url("https://api.example.com/items")
        #expect(URLRequest.head(url: place).build().httpMethod == "HEAD")
        #expect(URLRequest.options(url: place).add(query: "a", value: "1").build().httpMethod == "OPTIONS")
    }

    @Test func offersTheCommonMethodsOnTheRequestItself() {
        #expect(URLRequest.get(url: items).build().httpMethod == "GET")
        #expect(URLRequest.delete(url: items).build().httpMethod == "DELETE")
        #expect(URLRequest.post(url: items).noBody().build().httpMethod == "POST")
        #expect(URLRequest.put(url: items).noBody().build().httpMethod == "PUT")
        #expect(URLRequest.patch(url: items).noBody().build().httpMethod == "PATCH")
    }

    @Test(.spec(17), arguments: ["QUERY", "PROPFIND", "M-SEARCH", "patch"])
    func takesAnyToken(token: String) throws {
        let request = try URLRequest.build().method(HTTPMethod(token), url: items).noBody().build()
        #expect(request.httpMethod == token)
    }

    @Test(.spec(17, 46)) func carriesABodyWithDELETE() throws {
        let request = try URLRequest.build().method(.delete, url: items).bodyJson(of: ["id": 1]).build()
        #expect(request.httpMethod == "DELETE")
        #expect(request.httpBody == Data(#"{"id":1}"#.utf8))
    }
}
