import NetworkClient
import NetworkClientTesting

let server = StubTransport()
server.on(.get("/v1/items"), .json([Item(id: 1, name: "tea")]))

let shop = try Shop(transport: server)
print(try await shop.items(page: 1).map(\.name))
print(server.requests)
