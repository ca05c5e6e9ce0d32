import NetworkClient
import NetworkClientTesting

let server = StubTransport()
server.on(.get("/v1/items").query("page", "1"), .json([Item(id: 1, name: "tea")]))
server.on(.get("/v1/items").query("page", "2"), .failure(.connectionRefused))
server.on(.get("/v1/items/7"), .status(404))

let shop = try Shop(transport: server)
do {
    print(try await shop.item(7)?.name ?? "no item 7")
    print(try await shop.items(page: 2))
} catch let error as NetworkClient.Error
    where error.isTimeout || error.isConnectionFailure
{
    print("Try again later. \(error)")
}
