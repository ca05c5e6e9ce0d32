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

    /// Begins a shared call, whose value is the body of its response.
    private func start(_ client: NetworkClient, _ url: URL) -> Task<String, any Error> {
        Task {
            let request = URLRequest(url: url).withInstanceCaching()
            let response: NetworkClient.Response<String> = try await client.fetch(request: request)
            return response.item
        }
    }

    @Test(.spec(115, 118, 166), arguments: TransportUnderTest.all)
    func aSharedFetchComparesTheCookiesOfTheStore(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            [.wait(gate), .respond(body: request.value(forHeader: "Cookie") ?? "nobody")]
        }
        let client = try transport.client(configuration: .init(cookies: store))
        let accounts: [String?] = ["alice", "bob", nil]
        var calls: [Task<String, any Error>] = []
        for (count, account) in accounts.enumerated() {
            try signIn(account)
            calls.append(start(client, server.url("/me")))
            try await withDeadline("exchange \(count)") { try await server.waitForHeads(count: count + 1) }
            // A cookie for another URL makes no difference.
            store.set(try Cookie(name: "theme", value: "dark", domain: "127.0.0.1", path: "/settings"))
            calls.append(start(client, server.url("/me")))
            while client.sharing.waiterCount < calls.count { await Task.yield() }
        }
        gate.open()
        let expected = ["sid=alice", "sid=bob", "nobody"].flatMap { [$0, $0] }
        for (call, body) in zip(calls, expected) { expect(try await call.value, body) }
        expectAll((server.requestCount, client.sharing.exchangeCount), (3, 0))
    }

    /// The cookies of the second hop are not known when the first one is compared.
    @Test(.spec(115, 166), arguments: TransportUnderTest.all, [true, false])
    func aCallJoinsAnExchangeThatWasRedirectedOnlyIfTheClientHasNoCookies(
        transport: TransportUnderTest,
        hasCookies: Bool
    ) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            guard request.path != "/me" else { return .redirect(to: "/account/me") }
            return [.wait(gate), .respond(body: request.value(forHeader: "Cookie") ?? "nobody")]
        }
        let client = try transport.client(configuration: .init(cookies: hasCookies ? store : nil))
        try signIn("alice", path: "/account")
        let first = start(client, server.url("/me"))
        try await server.waitForHeads(count: 2)
        try signIn("bob", path: "/account")
        let second = start(client, server.url("/me"))
        try await withDeadline("the second exchange") {
            try await server.waitForHeads(count: hasCookies ? 4 : 2)
            while client.sharing.waiterCount < 2 { await Task.yield() }
        }
        gate.open()
        expect(try await first.value, (hasCookies ? "sid=alice" : "nobody"))
        expect(try await second.value, (hasCookies ? "sid=bob" : "nobody"))
        expectAll((server.requestCount, client.sharing.exchangeCount), (hasCookies ? 4 : 2, 0))
    }
}
