// expect: a call is fetch with a request
import NetworkClient

func verbOfTheClient(client: NetworkClient) async throws {
    _ = try await client.get("items")
    _ = try await client.post("items", ["name": "tea"])
}
