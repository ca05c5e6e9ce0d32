// expect: what a request carries is given in steps
import NetworkClient
import NetworkUtilities

func verbWithItsQuery(client: NetworkClient) async throws {
    _ = try await client.fetch(.get(path: "items", query: ["page": 1]), as: [Int].self).item
    _ = try await client.fetch(.get(path: "items", headers: ["Accept": "application/json"]), as: [Int].self).item
    _ = try await client.fetch(.post(path: "items", body: ["name": "a"]), as: Int.self).item
}
