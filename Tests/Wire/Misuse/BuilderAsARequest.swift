// expect: request: takes a URLRequest, which a builder becomes by build()
import Foundation
import NetworkClient
import NetworkUtilities

func builderAsARequest(client: NetworkClient, url: URL) async throws {
    _ = try await client.fetch(request: .get(url: url), as: [Int].self).item
    try await client.fetch(request: URLRequest.delete(url: url).add(header: .accept(type: .json)))
}
