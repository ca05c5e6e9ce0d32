// expect: progress is an option: options: CallOptions(progress: { progress in … })
import Foundation
import NetworkClient
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func fetchWithProgress(client: NetworkClient, request: URLRequest) async throws {
    _ = try await client.fetch(.get(path: "items"), as: Data.self) { progress in print(progress) }
    _ = try await client.fetch(.get(path: "items")) { print($0) }
    _ = try await client.fetch(request) { progress in print(progress) }
    _ = try await client.fetch(request, as: Data.self, progress: { print($0) })
}
