// expect: a text is given with http: in place of url:
// expect: a call is fetch with a request
import Foundation
import NetworkClient

struct TextWithoutALabel {
    let client: NetworkClient

    func items() async throws -> Data { try await client.fetch(.get("/items"), as: Data.self).item }

    func post() throws -> URLRequest { try URLRequest.post("https://example.com/items").noBody().build() }

    func delete() async throws { try await client.fetch(.delete("/items/1")) }

    func call() async throws { try await client.fetch("https://example.com/items") }
}
