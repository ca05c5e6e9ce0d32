import NetworkClient
import NetworkClientTesting
import Testing

@testable import Shop

struct ShopTests {
    @Test func aBusyServerIsAskedAgain() async throws {
        let clock = TestClock(advancesItself: true)
        let server = StubTransport(time: clock)
        server.on(
            .get("/v1/items").query("page", "1"),
            .status(503),
            .json([Item(id: 1, name: "tea")])
        )

        let store = InMemoryCredentialStore(AccessToken("token"))
        let shop = try Shop(store: store, transport: server, time: clock)
        let items = try await shop.items(page: 1)

        #expect(items == [Item(id: 1, name: "tea")])
        #expect(server.requests.map(\.path) == ["/v1/items", "/v1/items"])
        #expect(clock.sleeps.count == 1)
    }

    @Test func anItemThatIsMissingIsNil() async throws {
        let server = StubTransport()
        server.on(.get("/v1/items/7"), .status(404))

        let store = InMemoryCredentialStore(AccessToken("token"))
        let shop = try Shop(store: store, transport: server)

        #expect(try await shop.item(7) == nil)
    }
}
