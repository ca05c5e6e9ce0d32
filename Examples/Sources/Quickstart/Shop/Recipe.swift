/// What `POST /recipes` made of a form with a title and a file.
struct Recipe: Codable, Hashable, Sendable {
    let title: String
    let file: String
    let type: String
    let text: String
}
