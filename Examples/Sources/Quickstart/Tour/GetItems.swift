import Foundation
import NetworkClient
import NetworkUtilities

struct GetItems: Step {
    let client: NetworkClient
    let server: URL

    let title = "GET with a query and headers"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        // snippet.show
        let request = try URLRequest.builder(baseURL: server)
            .get(path: "/items")
            .add(query: "taste", value: "fresh & green")
            .add(query: "limit", value: "2")
            .set(header: .accept(type: .json))
            .set(header: .language(value: "el, en;q=0.5"))
            .build()

        let response: NetworkClient.Response<Reply<[Item]>> = try await client.fetch(request: request)
        // snippet.hide
        let items = response.item.value
        let seen = response.item.seen
        try expect("The names", items.map(\.name), is: ["Sencha", "Gyokuro"])
        try expect("The target", seen.target, is: "/items?taste=fresh%20%26%20green&limit=2")
        try expect("Authorization", seen.headers["Authorization"], is: "Bearer demo-token")
        try expect("Accept", seen.headers["Accept"], is: "application/json")
        return [
            .wire(seen, headers: "Accept", "Accept-Language", "Authorization"),
            .status(response),
            .values(items),
        ]
    }
}
