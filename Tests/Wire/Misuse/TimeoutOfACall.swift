// expect: limits are options, in seconds: CallOptions(idleTimeout: 5)
import Foundation
import NetworkClient
import NetworkUtilities

func timeoutOfACall(client: NetworkClient) async throws {
    _ = try await client.fetch(.get(path: "/items"), as: [Int].self, timeout: 5).item
    try await client.fetch(.get(path: "/items"), timeout: 5)
}
