// expect: a call returns the whole response, whose value is its item
import Foundation
import NetworkClient
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func fetchTeas(client: NetworkClient) async throws -> Tea {
    let tea: Tea = try await client.fetch(GetTea())
    let any: Tea = try await client.fetch(GetAnything())
    print(tea, any)
    return try await client.fetch(GetAnything(), as: Tea.self)
}
