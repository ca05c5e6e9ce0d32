import NetworkClient

let client = try NetworkClient(baseURL: "https://example.com")
let page = try await client.fetch(.get(path: "/"), as: String.self)
print(page.statusCode, page["Content-Type"] ?? "", page.item.count)
