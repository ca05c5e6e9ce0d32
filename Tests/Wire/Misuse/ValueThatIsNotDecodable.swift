// expect: a response is decoded as a type that is Decodable and Sendable
import Foundation
import NetworkClient
import NetworkUtilities

func valueThatIsNotDecodable(client: NetworkClient) async throws {
    _ = try await client.fetch(.get(path: "/items/1"), as: URLRequest.self).item
}
