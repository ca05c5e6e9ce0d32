import NetworkClient
import NetworkClientTesting

let server = StubTransport()
server.on(.get("/v1/items"), .json([Item(id: 1, name: "tea")]))
server.on(
    .post("/v1/items").json(["name": "coffee"]),
    .json(Item(id: 2, name: "coffee"), status: 201)
)

let shop = try Shop(transport: server)
print(try await shop.items(page: 1).map(\.name))
print(try await shop.add(NewItem(name: "coffee")).id)
