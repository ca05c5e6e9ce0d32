// expect: a call is fetch with a request
import Foundation
import NetworkClient
import NetworkUtilities

func callsAsOtherLibrariesSpellThem(client: NetworkClient) async throws {
    let items: [Int] = try await client.get("/items", query: ["page": 1])
    let sent: [Int] = try await client.send(.get(path: "/items")).value
    let item: Int = try await client.post(path: "/items", json: ["name": "tea"]).item
    _ = (items, sent, item)
}
