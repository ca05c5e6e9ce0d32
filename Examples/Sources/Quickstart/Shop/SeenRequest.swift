/// A request as it arrived at the server.
struct SeenRequest: Codable, Hashable, Sendable {
    let method: String
    let target: String
    let headers: [String: String]
    let body: String
}
