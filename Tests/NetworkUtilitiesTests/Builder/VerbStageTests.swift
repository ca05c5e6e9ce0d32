@testable import NetworkUtilities

struct VerbStageTests {
    private let items = url("https://api.example.com/items")
    private let api = URLRequest.builder(baseURL: url("https://api.example.com/v1"))

    @Test(.spec(17)) func eachMethodIsSpelledAsInTheStandardHoweverItIsBegun() throws {
        let start = URLRequest.build()
        let bodiless = [
            [start.get(url: items), URLRequest.get(url: items), try api.get(path: "/a")],
            [start.head(url: items), URLRequest.head(url: items), try api.head(path: "/a")],
            [start.delete(url: items), URLRequest.delete(url: items), try api.delete(path: "/a")],
            [start.options(url: items), URLRequest.options(url: items), try api.options(path: "/a")],
            [start.trace(url: items), URLRequest.trace(url: items), try api.trace(path: "/a")],
            [start.connect(url: items), URLRequest.connect(url: items)],
        ]
        let query = try HTTPMethod("QUERY")
        let carrying = [
            [start.post(url: items), URLRequest.post(url: items), try api.post(path: "/a")],
            [start.put(url: items), URLRequest.put(url: items), try api.put(path: "/a")],
            [start.patch(url: items), URLRequest.patch(url: items), try api.patch(path: "/a")],
            [start.method(query, url: items), URLRequest.method(query, url: items), try api.method(query, path: "/a")],
        ].map { $0.map { $0.noBody() } }
        let addresses = [items.absoluteString, items.absoluteString, "https://api.example.com/v1/a"]
        let methods = ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT", "POST", "PUT", "PATCH", "QUERY"]
        for (method, stages) in zip(methods, bodiless + carrying) {
            let requests = stages.map { $0.build() }
            expect(requests.map(\.httpMethod), requests.map { _ in method })
            expect(requests.map(\.address), Array(addresses.prefix(requests.count)))
        }
    }

    @Test(.spec(17, 46), arguments: ["QUERY", "PROPFIND", "M-SEARCH", "patch", "DELETE", "x"])
    func aMethodCanBeAnyTokenAndHaveABody(token: String) throws {
        let start = URLRequest.build().method(try HTTPMethod(token), url: items)
        let requests = [start.noBody().build(), try start.bodyJson(of: ["id": 1]).add(query: "a", value: "b").build()]
        expect(requests.map(\.httpMethod), [token, token])
        expect(requests.map(\.bodyText), [nil, #"{"id":1}"#])
        expect(requests[1].query, "a=b")
    }

    @Test(.spec(8, 12, 19)) func aBuilderWithABaseURLBeginsRequestsWithPaths() throws {
        let id = "a/b"
        let page = try api.get(path: "/users/\(id)/posts").add(query: "page", value: "1").build()
        expect(page.address, "https://api.example.com/v1/users/a%2Fb/posts?page=1")
        let signed = try api.get(path: "/a?sig=a%2Bb#f").add(query: "x", value: "1").build()
        expect(signed.address, "https://api.example.com/v1/a?sig=a%2Bb&x=1#f")
        let place = RequestPathError.Place(value: "{1}", path: "/users/{1}")
        #expect(throws: RequestPathError.emptySegment(place)) { try api.delete(path: "/users/\("")") }
        #expect(throws: RequestPathError.dotSegment(place)) { try api.post(path: "/users/\("..")") }
    }
}
