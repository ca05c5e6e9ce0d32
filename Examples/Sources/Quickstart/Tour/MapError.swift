import Foundation
import NetworkClient
import NetworkUtilities

struct MapError: Step {
    let client: NetworkClient
    let server: URL

    let title = "The server's error as a custom error"
    let code = ItemNotFound.code + Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        // snippet.show
        let id = 99
        let request = try URLRequest.builder(baseURL: server).get(path: "/items/\(id)").build()

        var missing: ItemNotFound?
        do {
            try await client.fetch(request: request)
        } catch let error as ItemNotFound {
            missing = error
        }
        // snippet.hide
        try expect("What is caught", missing, is: ItemNotFound(id: 99))
        return [
            Fact("wire", "GET /items/99, response 404"),
            Fact("caught", missing.map { "\($0)" } ?? ""),
        ]
    }
}
