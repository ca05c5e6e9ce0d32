// expect: a path below the base URL is path:
import Foundation
import NetworkClient

struct TextWithoutALabel {
    let client: NetworkClient

    func items() async throws -> Data { try await client.fetch(.get("/items"), as: Data.self).item }

    func post() throws -> URLRequest { try URLRequest.post("https://example.com/items").noBody().build() }

    func put() throws -> URLRequest { try client.request.put("/items").noBody().build() }
}
