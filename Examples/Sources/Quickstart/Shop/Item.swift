/// Something that the shop sells.
struct Item: Codable, Hashable, Sendable {
    let id: Int
    let name: String
    let taste: String
}
