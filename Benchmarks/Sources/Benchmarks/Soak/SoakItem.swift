/// What the soak's server answers with, and what is posted to it.
struct SoakItem: Codable, Sendable {
    let number: Int
    var padding = ""
}
