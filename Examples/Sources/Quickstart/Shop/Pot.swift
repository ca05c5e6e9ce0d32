/// A pot of tea: each request for one that reaches the shop has another made, with the next number.
struct Pot: Codable, Hashable, Sendable {
    let number: Int
}
