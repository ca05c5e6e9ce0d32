import NetworkClient

let client = NetworkClient()
let page = try await client.fetch(
    .get(http: "https://example.com"),
    as: String.self
)
print(page.statusCode, page["Content-Type"] ?? "", page.item.count)
