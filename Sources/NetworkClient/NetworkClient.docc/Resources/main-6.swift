import NetworkClient
import NetworkClientTesting

let server = StubTransport()
server.on(.get("/v1/items"), .status(401))
server.on(
    .get("/v1/items").header("Authorization", "Bearer new"),
    .status(503),
    .json([Item(id: 1, name: "tea")])
)
server.on(.post("/v1/token"), .json(Grant(token: "new")))

let store = InMemoryCredentialStore(AccessToken("old", refreshToken: "secret"))
let shop = try Shop(store: store, transport: server)
print(try await shop.items(page: 1).map(\.name))
for request in server.requests { print(request) }
