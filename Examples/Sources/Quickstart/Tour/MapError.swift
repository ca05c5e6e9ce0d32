import NetworkClient

struct MapError: Step {
    let client: NetworkClient

    let title = "The server's error as a custom error"
    let code = ItemNotFound.code + Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        var missing: ItemNotFound?
        // snippet.show
        do {
            try await client.fetch(.get(path: "items/99"))
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
