// expect: query and body are steps
import Foundation
import NetworkClient
import NetworkUtilities

func queryAndBodyAsArguments(client: NetworkClient) async throws {
    let items: [Int] = try await client.fetch(.get(path: "/items", query: ["page": 1])).item
    try await client.fetch(.post(path: "/items", body: items))
}
