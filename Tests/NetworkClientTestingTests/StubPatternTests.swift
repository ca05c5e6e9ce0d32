import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient
@testable import NetworkClientTesting

/// Which requests a pattern matches.
struct StubPatternTests {
    private func request(
        _ text: String,
        _ method: HTTPMethod = .get,
        _ fields: [String: String] = [:],
        body: String = ""
    ) throws -> StubTransport.Request {
        var request = URLRequest(url: url(text))
        request.method = method
        request.allHTTPHeaderFields = fields
        return try StubTransport.Request(request, body: Data(body.utf8))
    }

    @Test(
        arguments: [
            ("/users/1", "https://h/users/1?page=1#f", true), ("users/1", "https://h/users/1", true),
            ("/users/1", "https://h/users/1/", false), ("/users/1", "https://h/users/12", false),
            ("/users/*", "https://h/users/1", true), ("/users/*", "https://h/users/1/posts", false),
            ("/users/*/posts", "https://h/users/a%2Fb/posts", true), ("/users/*", "https://h/users", false),
            ("/a%2Fb", "https://h/a%2Fb", true), ("/a/b", "https://h/a%2Fb", false),
            ("/", "https://h", true), ("/", "https://h/", true), ("/", "https://h?a=1", true),
            ("/a?b=1&c=2", "https://h/a?b=1&c=2#f", true), ("/a?b=1&c=2", "https://h/a?c=2&b=1", false),
            ("/a?b=1", "https://h/a", false), ("/@me", "https://u:p@h/@me", true),
            ("https://h/a", "https://H:443/a", true), ("https://h/a", "http://h/a", false),
            ("https://h:8443/*", "https://h:8443/a", true), ("https://h:8443/*", "https://h/a", false),
            ("https://h", "https://h/", true), ("https://h", "https://h/a", false),
            ("/in?next=https://a.b/x", "https://h/in?next=https://a.b/x", true),
            ("/proxy/https://x/y", "https://h/proxy/https://x/y", true),
        ] as [(String, String, Bool)]
    )
    func aPathIsComparedBySegments(pattern: String, url: String, isMatch: Bool) throws {
        expect(StubTransport.Pattern.get(pattern).matches(try request(url)), isMatch)
        expect(StubTransport.Pattern.path(pattern).matches(try request(url, .delete)), isMatch)
    }

    @Test func eachMethodHasItsPattern() throws {
        let patterns: [(HTTPMethod, StubTransport.Pattern)] = [
            (.get, .get("/a")), (.head, .head("/a")), (.post, .post("/a")), (.put, .put("/a")), (.patch, .patch("/a")),
            (.delete, .delete("/a")), (.options, .method(.options)), (.query, .method(.query, "/a")),
        ]
        for (method, _) in patterns {
            let request = try request("https://h/a", method)
            expect(patterns.filter { $0.1.matches(request) }.map(\.0), [method])
        }
        #expect(StubTransport.Pattern.any.matches(try request("https://h", .trace)))
    }

    @Test func theConditionsOfAPatternAllHaveToHold() throws {
        let pattern = StubTransport.Pattern.post("/a").query("q", "é").header("accept", "x/y").body(Data("abc".utf8))
        let url = "https://h/a?p=1&q=%C3%A9"
        #expect(pattern.matches(try request(url, .post, ["Accept": "x/y"], body: "abc")))
        expect(
            pattern.differences(from: try request("https://h/a?q=e", .post, ["Accept": "x"], body: "abd")),
            ["query q is e", "field accept is x", "the body differs at byte 2"]
        )
        expect(
            pattern.differences(from: try request("https://h/a?q=e", .post, [:], body: "ab")),
            ["query q is e", "there is no field accept", "the body has 2 bytes"]
        )
        expect(pattern.description, "POST /a with query q=é, field accept: x/y, body of 3 bytes")
    }

    @Test func aQueryItemOrAFieldMayHaveAnyValue() throws {
        let pattern = StubTransport.Pattern.any.query("q").header("X-A")
        #expect(pattern.matches(try request("https://h?q", .get, ["x-a": ""])))
        #expect(!pattern.matches(try request("https://h?q=1")))
        #expect(!pattern.matches(try request("https://h?p=1", .get, ["x-a": "1"])))
        expect(pattern.description, "any request with query q, field X-A")
    }

    @Test(
        arguments: [
            (#"{ "b": [1, null], "a": "x" }"#, nil), (#"{"a":"x","b":[1.0,null]}"#, nil),
            (#"{"a":"x","b":[null,1]}"#, "the body is different JSON"), (#"{"a":"x""#, "the body is not JSON"),
            ("", "the body is not JSON"),
        ] as [(String, String?)]
    )
    func aJSONBodyIsComparedByItsMeaning(body: String, difference: String?) throws {
        struct Value: Encodable {
            let a = "x"
            let b: [Int?] = [1, nil]
        }
        let pattern = StubTransport.Pattern.any.json(Value())
        expect(
            pattern.differences(from: try request("https://h", .post, body: body)),
            [difference].compactMap { $0 }
        )
    }

    @Test func aJSONBodyIsThatOfTheEncoderOfTheClient() throws {
        struct Value: Encodable { let userName = "x" }
        let snake = DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase)
        let sent = try request("https://h", .post, body: #"{"user_name":"x"}"#)
        #expect(StubTransport.Pattern.any.json(Value(), encoder: snake).matches(sent))
        #expect(!StubTransport.Pattern.any.json(Value()).matches(sent))
    }

    @Test func aValueWithoutJSONMatchesNothing() throws {
        let pattern = StubTransport.Pattern.any.json(Double.nan)
        let differences = pattern.differences(from: try request("https://h", body: "x"))
        expect(differences, ["the stub's value cannot be encoded as JSON"])
    }

    @Test func aConditionOfTheUserIsNamedInItsWords() throws {
        let pattern = StubTransport.Pattern.get("/a").satisfying("has a short path") { $0.path.count < 3 }
        #expect(pattern.matches(try request("https://h/a")))
        expect(pattern.description, #"GET /a with "has a short path""#)
        let differences = pattern.differences(from: try request("http://h/abc"))
        expect(differences, ["the path is /abc", "the condition 'has a short path' is not met"])
    }

    @Test func theOriginAndTheQueryAreNamedIfTheyDiffer() throws {
        let pattern = StubTransport.Pattern.get("https://h/a?token=x&b=1")
        expect(pattern.description, "GET https://h/a?token=***&b=1")
        expect(
            pattern.differences(from: try request("http://h/a?token=y&b=2")),
            ["the origin is http://h:80", "the query is token=***&b=2"]
        )
        expect(pattern.differences(from: try request("https://h/a")), ["there is no query"])
    }
}
