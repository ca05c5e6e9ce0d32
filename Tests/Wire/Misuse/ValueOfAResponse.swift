// expect: 'value' has been renamed to 'item'
import Foundation
import NetworkClient
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func useValue(client: NetworkClient) async throws {
    let list = try await client.fetch(.get(path: "items"), as: [Tea].self).value
    print(list.count)
    let typed: [Tea] = try await client.fetch(.get(path: "items"), as: [Tea].self).value
    print(typed, try await client.fetch(GetTea()).value.id)
    let response = try await client.fetch(GetTea())
    print(response.value, [response].map(\.value))
    if response.value.id == 1 { return }
    _ = response.value(forHeaderKey: "ETag")
}
