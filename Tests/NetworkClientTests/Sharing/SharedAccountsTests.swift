import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Shared exchanges of a client with cookies: no caller gets the response of another account.
struct SharedAccountsTests {
    private let store = CookieStore()

    /// Replaces the cookies of the store by those of another account.
    private func signIn(_ account: String?, path: String = "/") throws {
        store.removeAll()
        guard let account else { return }
        store.set(try Cookie(name: "sid", value: account, domain: "127.0.0.1", path: path))
    }

    private func client(_ transport: TransportUnderTest) throws -> NetworkClient {
        try transport.client(configuration: .init(cookies: store))
    }

    /// Begins a shared call, whose value is the body of its response.
    private func start(_ client: NetworkClient, _ url: URL) -> Task<String, any Error> {
        Task {
            let request = URLRequest(url: url).withInstanceCaching()
            let response: NetworkClient.Response<String> = try await client.fetch(request: request)
            return response.item
        }
    }

    /// Responds with the cookie of the request, after the gate was opened.
    private func echo(after gate: Gate) throws -> LoopbackServer {
        try LoopbackServer { request in
            [.wait(gate), .respond(body: request.value(forHeader: "Cookie") ?? "nobody")]
        }
    }

    @Test(
        .spec(118, 166),
        arguments: TransportUnderTest.all,
        [("alice", "bob"), (nil, "bob"), ("alice", nil)] as [(String?, String?)]
    )
    func aSharedFetchComparesTheCookiesOfTheStore(
        transport: TransportUnderTest,
        accounts: (first: String?, second: String?)
    ) async throws {
        let gate = Gate()
        let server = try echo(after: gate)
        let client = try client(transport)
        try signIn(accounts.first)
        let first = start(client, server.url("/me"))
        try await server.waitForHeads(count: 1)
        try signIn(accounts.second)
        let second = start(client, server.url("/me"))
        try await withDeadline("the second exchange") { try await server.waitForHeads(count: 2) }
        gate.open()
        #expect(try await first.value == accounts.first.map { "sid=\($0)" } ?? "nobody")
        #expect(try await second.value == accounts.second.map { "sid=\($0)" } ?? "nobody")
        #expect(server.requestCount == 2)
        #expect(client.sharing.exchangeCount == 0)
    }

    @Test(.spec(115, 166), arguments: TransportUnderTest.all)
    func callsOfOneAccountShareAnExchange(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try echo(after: gate)
        let client = try client(transport)
        try signIn("alice")
        let first = start(client, server.url("/me"))
        try await server.waitForHeads(count: 1)
        // A cookie for another URL makes no difference.
        store.set(try Cookie(name: "theme", value: "dark", domain: "127.0.0.1", path: "/settings"))
        let second = start(client, server.url("/me"))
        while client.sharing.waiterCount < 2 { await Task.yield() }
        gate.open()
        #expect(try await first.value == "sid=alice")
        #expect(try await second.value == "sid=alice")
        #expect(server.requestCount == 1)
    }

    @Test(.spec(166), arguments: TransportUnderTest.all)
    func aCallAfterALoginDoesNotJoinOneThatWasSentBefore(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            guard request.path != "/login" else { return .respond(headers: ["Set-Cookie": "sid=alice; Path=/"]) }
            return [.wait(gate), .respond(body: request.value(forHeader: "Cookie") ?? "nobody")]
        }
        let client = try client(transport)
        let before = start(client, server.url("/me"))
        try await server.waitForHeads(count: 1)
        try await client.fetch(request: URLRequest(url: server.url("/login")))
        let after = start(client, server.url("/me"))
        try await withDeadline("the second exchange") { try await server.waitForHeads(count: 3) }
        gate.open()
        #expect(try await before.value == "nobody")
        #expect(try await after.value == "sid=alice")
    }

    /// The cookies of the second hop are not known when the first one is compared.
    @Test(.spec(166), arguments: TransportUnderTest.all)
    func aCallDoesNotJoinAnExchangeThatWasRedirectedForAnotherAccount(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            guard request.path != "/me" else { return .redirect(to: "/account/me") }
            return [.wait(gate), .respond(body: request.value(forHeader: "Cookie") ?? "nobody")]
        }
        let client = try client(transport)
        try signIn("alice", path: "/account")
        let first = start(client, server.url("/me"))
        try await server.waitForHeads(count: 2)
        try signIn("bob", path: "/account")
        let second = start(client, server.url("/me"))
        try await withDeadline("the second exchange") { try await server.waitForHeads(count: 4) }
        gate.open()
        #expect(try await first.value == "sid=alice")
        #expect(try await second.value == "sid=bob")
        #expect(client.sharing.exchangeCount == 0)
    }

    @Test(.spec(115), arguments: TransportUnderTest.all)
    func aCallWithoutCookiesJoinsAnExchangeThatWasRedirected(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            request.path == "/me" ? .redirect(to: "/account/me") : [.wait(gate), .respond(body: "one")]
        }
        let client = try transport.client()
        let first = start(client, server.url("/me"))
        try await server.waitForHeads(count: 2)
        let second = start(client, server.url("/me"))
        while client.sharing.waiterCount < 2 { await Task.yield() }
        gate.open()
        #expect(try await first.value == "one")
        #expect(try await second.value == "one")
        #expect(server.requestCount == 2)
    }
}
