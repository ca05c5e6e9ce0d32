/// The data of the queries in the tests.
struct Viewer: Codable, Equatable, Sendable {
    struct Post: Codable, Equatable, Sendable {
        var title: String?
    }

    var name: String
    var posts: [Post]?
}
