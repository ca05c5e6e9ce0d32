/// An item of the shop.
struct Item: Codable, Sendable {
    let id: Int
    let name: String
}
