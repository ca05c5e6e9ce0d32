import Foundation
import NetworkClientMacros
import NetworkTestSupport
import Testing

/// The requests of NetworkKit's README, and others with values of all types, on the wire.
struct NetworkKitTests {
    private typealias Kit = NetworkKit

    private static let user = Kit.User(name: "John Doe", email: "john@example.com")
    private static let created = Kit.CreateUserRequest.Body(name: "John Doe", email: "john@example.com")
    private static let adult = Kit.JSONBody.CreateUserRequest.Body(name: "John Doe", email: "john@example.com", age: 30)
    private static let upload = Kit.UploadRequest(
        fileData: Data([0xFF, 0xD8]),
        fileName: "photo.jpg",
        description: "Sea"
    )

    static let readme = [
        Twins(
            "GET /users/123?includePosts=true",
            Kit.GetUserRequest(id: "123", includePosts: true),
            Routed.GetUser(id: "123", includePosts: true)
        ),
        Twins(
            "GET /users?page=1&limit=20",
            Kit.GetUsersRequest(page: 1, limit: 20),
            Routed.GetUsers(page: 1, limit: 20)
        ),
        Twins("POST /users", Kit.CreateUserRequest(body: created), Routed.CreateUser(body: created)),
        Twins("PUT /users/123", Kit.UpdateUserRequest(id: "123", body: user), Routed.UpdateUser(id: "123", body: user)),
        Twins("DELETE /users/123", Kit.DeleteUserRequest(id: "123"), Routed.DeleteUser(id: "123")),
        Twins(
            "PATCH /users/123",
            Kit.PatchUserRequest(id: "123", body: Kit.UserPatch(name: "Updated Name")),
            Routed.PatchUser(id: "123", body: Kit.UserPatch(name: "Updated Name"))
        ),
        Twins("HEAD /users/123", Kit.CheckUserRequest(id: "123"), Routed.CheckUser(id: "123")),
        Twins("OPTIONS /users", Kit.OptionsUserRequest(), Routed.OptionsUser()),
        Twins("TRACE /debug", Kit.TraceRequest(), Routed.Debug()),
        Twins(
            "GET /users/123/posts/456",
            Kit.GetPostRequest(id: "123", postId: "456"),
            Routed.GetPost(id: "123", postId: "456")
        ),
        Twins(
            "GET /search?query=swift&page=1&limit=20",
            Kit.SearchRequest(query: "swift", page: 1, limit: 20),
            Routed.Search(query: "swift", page: 1, limit: 20)
        ),
        Twins("GET /search?q=swift", Kit.NamedQuery.SearchRequest(query: "swift"), Routed.NamedSearch(query: "swift")),
        Twins("POST /users", Kit.JSONBody.CreateUserRequest(body: adult), Routed.CreateUser(body: adult)),
        Twins("POST /upload", Kit.UploadDataRequest(body: Data([1, 2])), Routed.UploadData(body: Data([1, 2]))),
        Twins("POST /upload", upload, Routed.Upload(body: upload.body)),
        Twins(
            "POST /custom",
            Kit.CustomRequest(body: Kit.CustomBody(content: "Hello, World!")),
            Routed.Custom(body: Kit.CustomBody(content: "Hello, World!"))
        ),
        Twins("GET /me", Kit.GetMeRequest(), Routed.GetMe()),
    ]

    @Test(.spec(276), arguments: readme + Values.all)
    func aMacroSendsTheBytesOfTheRoutedEndpointWithTheSameValues(_ twins: Twins) async throws {
        let server = try LoopbackServer { _ in .respond(status: 204) }
        let client = NetworkClient(configuration: .init(baseURL: server.url))
        _ = try await client.fetch(twins.endpoint, as: EmptyResponse.self)
        _ = try await client.fetch(twins.routed, as: EmptyResponse.self)
        let (request, routed) = (try await server.request(at: 0), try await server.request(at: 1))
        #expect("\(request.method) \(request.target)" == twins.line)
        // A request has its fields in a dictionary, whose order is not that of another one.
        #expect(request.headText.sortedLines == routed.headText.sortedLines)
        #expect(request.body == routed.body)
    }

    /// URLSession and libcurl send CONNECT to proxies only.
    @Test(.spec(276)) func aMacroDescribesCONNECTAsTheRoutedEndpointDoes() throws {
        let base = URLRequest.builder(baseURL: url("https://h"))
        let request = try Kit.ConnectProxyRequest(host: "example.com", port: 80).request(from: base)
        #expect(request == (try Routed.ConnectProxy(host: "example.com", port: 80).request(from: base)))
        #expect(request.httpMethod == "CONNECT")
        #expect(request.url?.absoluteString == "https://h/proxy?host=example.com&port=80")
    }

    @Test func theTypeOfTheResponseIsNamedByTheMacroByTheStructOrByTheCall() async throws {
        let server = try LoopbackServer { _ in .json(#"{"name":"John","email":"j@example.com"}"#) }
        let client = NetworkClient(
            interceptors: [Kit.AuthMiddleware(token: "t"), Kit.RetryInterceptor()],
            configuration: .init(baseURL: server.url)
        )
        #expect(try await client.fetch(Named(id: 1)).item.name == "John")
        #expect(try await client.fetch(Nested(id: 1)).item == "j@example.com")
        #expect(try await Kit.fetchUser(client).email == "j@example.com")
        #expect(try await server.request(at: 2).headers.values(for: "Authorization") == ["Bearer t"])
    }
}

extension String {
    fileprivate var sortedLines: [String] { components(separatedBy: "\r\n").sorted() }
}

@Get("/users/:id", of: NetworkKit.User.self)
private struct Named {
    @Path var id: Int
}

@Get("/users/:id")
private struct Nested {
    struct Response: Decodable { let email: String }
    @Path var id: Int

    func value(from response: NetworkClient.Response<Response>) async throws -> String { response.item.email }
}
