// expect: the body of the request itself is sent without a label: upload(request, as: Item.self)
import Foundation
import NetworkClient
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func uploadARequest(client: NetworkClient, request: URLRequest) async throws {
    _ = try await client.upload(request: request, as: String.self).value
    _ = try await client.upload(request: request).value
}
