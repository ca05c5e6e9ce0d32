import NetworkClient

struct Item: Codable, Equatable, Sendable {
    let id: Int
    let name: String
}

struct NewItem: Codable, Sendable {
    let name: String
}

struct Shop: Sendable {
    let client: NetworkClient

    init(transport: (any Transport)? = nil) throws {
        client = try NetworkClient(
            baseURL: "https://api.example.com/v1",
            transport: transport
        )
    }

    func items(page: Int) async throws -> [Item] {
        let response = try await client.fetch(
            .get(path: "items")
                .add(query: "page", value: page)
                .set(header: .language(value: "en")),
            as: [Item].self
        )
        return response.item
    }

    func add(_ item: NewItem) async throws -> Item {
        try await client.fetch(
            .post(path: "items").bodyJson(of: item),
            as: Item.self
        ).item
    }

    func item(_ id: Int) async throws -> Item? {
        do {
            return try await client.fetch(
                .get(path: "items/\(id)"),
                as: Item.self
            ).item
        } catch HTTPStatus.notFound {
            return nil
        }
    }
}
