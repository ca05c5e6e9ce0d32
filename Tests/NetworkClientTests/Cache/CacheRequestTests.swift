import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// For which requests a stored response is.
struct CacheRequestTests {
    private let place = url("https://h/a")

    /// Returns a response with these fields, written as in `ETag: "1"`.
    private func response(_ body: String, status: Int = 200, _ fields: String...) -> StubTransport.Response {
        fields.reduce(.text(body, status: status)) { response, line in
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            return response.adding(header: .custom(name: String(parts[0]), value: value))
        }
    }

    private func client(
        _ transport: StubTransport,
        _ cache: ResponseCache = ResponseCache()
    ) -> NetworkClient {
        NetworkClient(transport: transport, logging: .off, configuration: .init { $0.cache = cache })
    }

    private func fetch(
        _ client: NetworkClient,
        _ fields: [String: String] = [:]
    ) async throws -> NetworkClient.Response<String> {
        var request = URLRequest(url: place)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return try await client.fetch(request: request)
    }

    /// A gateway has one token, and names the user in a field that `Vary` does not name.
    @Test(.spec(291), arguments: [("private, max-age=60", nil), ("max-age=60", "Bearer SERVICE")])
    func theResponseOfOneUserIsNotAnothers(row: (control: String, credential: String?)) async throws {
        let transport = StubTransport()
        transport.on(.get("/a")) { request in
            .text(request.headers["X-On-Behalf-Of"] ?? "")
                .adding(header: .custom(name: "Cache-Control", value: row.control))
                .adding(header: .custom(name: "ETag", value: "\"1\""))
        }
        let client = client(transport)
        func item(of user: String, _ others: [String: String] = [:]) async throws -> (String, CacheStatus?) {
            var fields = others.merging(["X-On-Behalf-Of": user]) { first, _ in first }
            fields["Authorization"] = row.credential
            let response = try await fetch(client, fields)
            return (response.item, response.cacheStatus)
        }
        for user in ["alice", "bob"] { #expect(try await item(of: user) == (user, .network)) }
        let choosingNothing = ["Accept": "text/plain", "User-Agent": "b", "traceparent": "1", "X-Request-ID": "2"]
        #expect(try await item(of: "alice", choosingNothing) == ("alice", .fresh))
        // No tag of another user's response is offered, since it may be the same.
        expect(transport.requests.map { $0.headers["If-None-Match"] }, [nil, nil])
    }

    @Test(.spec(291)) func aConfirmationDoesNotGiveTheResponseToOtherUsers() async throws {
        let transport = StubTransport()
        let first = response("alice", "Cache-Control: private, max-age=0", "ETag: \"1\"")
        let confirmed = response("", status: 304, "Cache-Control: public, max-age=60", "ETag: \"1\"")
        transport.on(.get("/a"), first, confirmed, response("bob"))
        let client = client(transport)
        for status in [CacheStatus.network, .revalidated, .fresh] {
            let response = try await fetch(client, ["X-On-Behalf-Of": "alice"])
            #expect(response.item == "alice" && response.cacheStatus == status)
        }
        expect(try await fetch(client, ["X-On-Behalf-Of": "bob"]).item, "bob")
    }

    /// A fresh one is for everybody; a stale one was confirmed to that user only.
    @Test(.spec(291)) func aStaleResponseForAllStandsForAnErrorOnlyForTheUserWhoGotIt() async throws {
        let transport = StubTransport()
        let stored = response("alice", "Cache-Control: public, max-age=0, stale-if-error=60")
        transport.on(.get("/a"), stored, .status(503))
        let client = client(transport)
        func fetched(by user: String) async throws -> NetworkClient.Response<String> {
            try await fetch(client, ["Authorization": "Bearer SERVICE", "X-On-Behalf-Of": user])
        }
        expect(try await fetched(by: "alice").cacheStatus, .network)
        await #expect(throws: NetworkClient.Error.self) { try await fetched(by: "bob") }
        expect(try await fetched(by: "alice").cacheStatus, .staleOnError)
    }

    @Test(.spec(296)) func aVaryThatNamesNoFieldMatchesNothing() async throws {
        let transport = StubTransport()
        let vary = "Vary: Accept-Language Origin"
        transport.on(.get("/a"), response("de", "Cache-Control: max-age=60", vary), response("fr"))
        let client = client(transport)
        expect(try await fetch(client, ["Accept-Language": "de"]).item, "de")
        expect(try await fetch(client, ["Accept-Language": "fr"]).item, "fr")
    }

    @Test(.spec(296)) func aCookieIsNotHandedToAnotherCaller() async throws {
        let transport = StubTransport()
        transport.on(.get("/a"), response("tea", "Cache-Control: max-age=60", "Set-Cookie: sid=1"))
        let client = client(transport, ResponseCache(separatesCookies: false))
        expect(try await fetch(client, ["Cookie": "a=1"])["Set-Cookie"], "sid=1")
        let second = try await fetch(client, ["Cookie": "a=2"])
        #expect(second.cacheStatus == .fresh && second["Set-Cookie"] == nil)
    }

    @Test(.spec(295)) func urlsThatAreEqualHaveOneKey() {
        let rows: [(String, String)] = [
            ("HTTP://Example.com:80/%7euser/a?b=%2f", "http://example.com/~user/a?b=%2F"),
            ("https://h:443", "https://h/"), ("https://h:/a", "https://h/a"), ("http://h:443/a", "http://h:443/a"),
            ("https://h/%C3%a9", "https://h/%C3%A9"), ("https://h:8443/a", "https://h:8443/a"),
            ("http://[::1]/a", "http://[::1]/a"), ("https://h/A?B", "https://h/A?B"), ("https://h?a", "https://h/?a"),
        ]
        for (text, key) in rows { expect(URL(string: text).map { CacheRequest.key(of: $0).key }, key) }
    }
}
