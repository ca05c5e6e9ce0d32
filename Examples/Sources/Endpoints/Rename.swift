import NetworkClient
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#else
import Foundation
#endif

/// A call with a body, whose request is written with the builder.
struct Rename: Endpoint {
    typealias Response = Item
    let id: Int
    let name: String

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try builder.put(path: "/items/\(id)").bodyJson(of: Item(id: id, name: name)).build()
    }
}
