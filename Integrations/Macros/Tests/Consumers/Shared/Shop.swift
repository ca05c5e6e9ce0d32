public import NetworkClientMacros

// Endpoints in a module with other settings than the library's, to be compiled only.

final class Shop {
    let client: NetworkClient
    private(set) var items: [Item] = []

    init(client: NetworkClient) {
        self.client = client
    }

    @MainActor
    func reload() async throws {
        items = try await client.fetch(ItemsOfShop(shop: 1, text: "tea")).item
        items.append(try await client.fetch(AddItem(shop: 1, tags: [], body: .init(name: "tea"))).item)
    }
}

/// A model, which must not belong to an actor.
public nonisolated struct Item: Codable, Sendable {
    /// The number.
    public var id: Int
}

/// Searches a shop.
@Get("/shops/:shop/items", of: [Item].self)
public struct ItemsOfShop {
    @Path var shop: Int
    @Query("q") var text: String
    @Query var since: Date?
    @Header var acceptLanguage = "el"
    let headers: [String: String?] = ["Client-Version": "2"]

    /// Creates a search.
    public init(shop: Int, text: String) {
        self.shop = shop
        self.text = text
    }
}

@Post("/shops/:shop/items")
struct AddItem {
    struct Body: Encodable {
        let name: String
    }

    struct Response: Decodable {
        let id: Int
    }

    @Path var shop: Int
    @Query var tags: [String]
    let body: Body
    var headers: [HeaderField] { [.language(value: "el")] }
    var options: CallOptions { CallOptions(idleTimeout: 5) }

    func value(from response: NetworkClient.Response<Response>) async throws -> Item { Item(id: response.item.id) }
}
