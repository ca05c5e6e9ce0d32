import NetworkClient

/// The costs of requests that a macro describes, beside the same ones by the builder and as routed endpoints.
///
/// `Costs COUNT KIND` makes requests of one kind only, for a tool that counts instructions from outside.
@main
struct Costs {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let count = arguments.first.flatMap { Int($0) } ?? 100_000
        let builder = URLRequest.builder(baseURL: try URL(http: "https://api.example.com/v1"))
        let kinds: [(name: String, make: (Int) throws -> Void)] = [
            ("get-builder", { try make($0) { try ByBuilder(id: $0).request(from: builder) } }),
            ("get-macro", { try make($0) { try ByMacro(id: $0).request(from: builder) } }),
            ("get-routed", { try make($0) { try Routed(id: $0).request(from: builder) } }),
            ("post-builder", { try make($0) { try SentByBuilder(id: $0, body: .tea).request(from: builder) } }),
            ("post-macro", { try make($0) { try SentByMacro(id: $0, body: .tea).request(from: builder) } }),
            ("post-routed", { try make($0) { try SentRouted(id: $0, body: .tea).request(from: builder) } }),
        ]
        for kind in kinds where arguments.count < 2 || arguments.contains(kind.name) {
            try kind.make(100)
            let clock = ContinuousClock()
            // Of several rounds the fastest, which other processes have disturbed least.
            let times = try (0..<5).map { _ in try clock.measure { try kind.make(count) } }
            print(kind.name, times.min().map { $0 / count } ?? .zero)
        }
    }

    @inline(never)
    private static func make(_ count: Int, _ request: (Int) throws -> URLRequest) rethrows {
        for number in 0..<count { keep(try request(number)) }
    }

    @inline(never)
    private static func keep(_ request: URLRequest) { withExtendedLifetime(request) {} }
}

struct Post: Encodable, Sendable {
    let title: String
    static let tea = Post(title: "tea")
}

struct ByBuilder: Endpoint {
    let id: Int
    var page: Int? = 2
    var text = "tea"
    var acceptLanguage = "el"

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try builder.get(path: "/users/\(id)/posts").add(query: "page", value: page).add(query: "q", value: text)
            .headers { try HeaderField(name: "Accept-Language", value: acceptLanguage) }.build()
    }
}

struct SentByBuilder: Endpoint {
    let id: Int
    let body: Post

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try builder.post(path: "/users/\(id)/posts").bodyJson(of: body).build()
    }
}

struct Routed: RoutedEndpoint {
    static let route: Route = .get("/users/:id/posts")
    @Path var id: Int
    @Query var page: Int? = 2
    @Query("q") var text = "tea"
    @Header var acceptLanguage = "el"
}

struct SentRouted: RoutedEndpoint {
    static let route: Route = .post("/users/:id/posts")
    @Path var id: Int
    let body: Post
}
