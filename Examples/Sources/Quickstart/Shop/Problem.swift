/// The body of the shop's errors.
struct Problem: Codable, Hashable, Sendable {
    let code: String
    let id: Int
}
