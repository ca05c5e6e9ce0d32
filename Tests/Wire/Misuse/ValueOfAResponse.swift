// expect: 'value' has been renamed to 'item'
import NetworkClient

func valueOfAResponse(client: NetworkClient) async throws {
    let items: [Int] = try await client.fetch(.get(path: "items"), as: [Int].self).value
    _ = try await client.fetch(.get(path: "items"), as: [Int].self).value.count
    _ = items
}
