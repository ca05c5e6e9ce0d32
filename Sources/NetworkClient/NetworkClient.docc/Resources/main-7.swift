import NetworkClient
import NetworkClientTesting

let server = StubTransport()
server.on(
    .get("/v1/items"),
    .json([Item(id: 1, name: "tea")])
        .setting(header: .cacheControl(value: "max-age=60"))
)

let store = InMemoryCredentialStore(AccessToken("valid"))
let shop = try Shop(store: store, transport: server)
for _ in 1...2 { print(try await shop.items(page: 1).map(\.name)) }
for request in server.requests { print(request) }
