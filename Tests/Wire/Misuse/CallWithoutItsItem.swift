// expect: a call returns the whole response, whose value is its item
import Foundation
import NetworkClient
import NetworkUtilities

func callWithoutItsItem(client: NetworkClient) async throws {
    let items: [Int] = try await client.fetch(.get(path: "/items"))
    _ = items
}
