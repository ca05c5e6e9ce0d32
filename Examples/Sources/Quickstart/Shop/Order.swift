/// What a customer wants: the body of `POST /orders`.
struct Order: Codable, Hashable, Sendable {
    let itemID: Int
    let grams: Int
    let giftWrapped: Bool
}
