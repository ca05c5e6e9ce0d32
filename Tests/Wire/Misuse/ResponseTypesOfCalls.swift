// expect: no error
import Foundation
import NetworkClient
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func fetchFromContext(client: NetworkClient, request: URLRequest) async throws -> NetworkClient.Response<Tea> {
    let first: NetworkClient.Response<Tea> = try await client.fetch(GetAnything())
    let second: Tea = try await client.fetch(request).item
    let third: Tea = try await client.fetch(GetTea()).item
    let fourth: NetworkClient.Response<EmptyResponse> = try await client.fetch(GetAnything())
    try await client.fetch(GetAnything())
    try await client.fetch(request)
    print(first, second, third, fourth, try await client.fetch(GetAnything()))
    return try await client.fetch(GetAnything())
}

func uploadFromContext(client: NetworkClient, request: URLRequest, file: URL) async throws {
    let first: Transfer<NetworkClient.Response<Tea>> = client.upload(GetAnything())
    let second: Transfer<NetworkClient.Response<String>> = try client.upload(.put(path: "tea").bodyFile(at: file))
    let start = {
        let third: Transfer<NetworkClient.Response<String>> = client.upload(request: request, file: file)
        return third
    }
    let fourth = client.upload(request, as: String.self)
    let fifth = client.upload(GetAnything())
    let sixth = client.upload(request: request, file: file)
    let seventh = try client.upload(.put(path: "tea").bodyFile(at: file))
    print(first, second, start(), fourth, fifth, sixth, seventh)
    let eighth: Tea = try await client.upload(GetAnything()).value.item
    print(try await client.upload(GetTea()).value.item.id, eighth)
}
