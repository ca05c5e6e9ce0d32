// expect: no error
import Foundation
import NetworkClient
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the other programs fetch.
struct Tea: Codable, Sendable {
    let id: Int
}

struct GetTea: Endpoint {
    typealias Response = Tea

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest { try builder.get(path: "tea").build() }
}

/// An endpoint that names no type of response.
struct GetAnything: Endpoint {
    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest { try builder.get(path: "any").build() }
}
