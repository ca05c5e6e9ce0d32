/// The shop's answer to an ``Order``.
struct Receipt: Codable, Hashable, Sendable {
    let number: Int
    let item: String
    let grams: Int
}
