import NetworkClient

struct GetItems: Step {
    let client: NetworkClient

    let title = "GET with a query and headers"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        // snippet.show
        let items = try await client.fetch(
            .get(path: "items")
                .add(query: "taste", value: "fresh & green")
                .add(query: "limit", value: 2)
                .set(header: .language(value: "el, en;q=0.5")),
            as: [Item].self
        )
        // snippet.hide
        try expect("The names", items.item.map(\.name), is: ["Sencha", "Gyokuro"])
        let seen = SeenRequest(items)
        try expect("The target", seen?.target, is: "/items?taste=fresh%20%26%20green&limit=2")
        try expect("Accept-Language", seen?.headers["Accept-Language"], is: "el, en;q=0.5")
        try expect("Authorization", seen?.headers["Authorization"], is: "Bearer demo-token")
        return [.wire(items, headers: "Accept-Language", "Authorization"), .status(items), .values(items.item)]
    }
}
