/// What the shop sells.
struct Item: Codable, Sendable {
    let id: Int
    let name: String
}
