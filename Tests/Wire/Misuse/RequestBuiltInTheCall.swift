// expect: leave out build(), or label a request that was built before: fetch(request: request, as: Item.self)
import Foundation
import NetworkClient
import NetworkUtilities

func requestBuiltInTheCall(client: NetworkClient, request: URLRequest) async throws {
    _ = try await client.fetch(.get(path: "items").build(), as: [Int].self)
    _ = try await client.fetch(request, as: [Int].self)
    _ = try await client.fetch(request)
    _ = try await client.stream(request)
    _ = try await client.download(request, to: URL(fileURLWithPath: "/a")).value
}
