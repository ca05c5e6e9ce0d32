import NetworkClient
import NetworkUtilities

import Foundation

/// A call with a body, whose request is written with the builder.
struct Rename: Endpoint {
    typealias Response = Item
    let id: Int
    let name: String

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try builder.put(path: "/items/\(id)").bodyJson(of: Item(id: id, name: name)).build()
    }
}
