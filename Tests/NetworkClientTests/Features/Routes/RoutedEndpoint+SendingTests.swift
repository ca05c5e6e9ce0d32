import Foundation
import NetworkClient
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

/// Routed endpoints through a client.
struct RoutedEndpointSendingTests {
    private struct Post: Codable, Equatable, Sendable {
        let id: Int
    }

    private struct GetPost: RoutedEndpoint {
        typealias Response = Post
        static let route: Route = .get("/posts/:id")
        @Path var id: Int
        @Query var token: String? = nil
    }

    private struct CreatePost: RoutedEndpoint {
        typealias Response = Post
        static let route: Route = .put("/users/:user/posts")
        @Path var user: String
        @Query var notify: Bool
        @Header var ifMatch: String
        let body: Post
    }

    private let transport = StubTransport()

    private func client(_ interceptors: [any InterceptorProtocol] = [], time: TestClock? = nil) -> NetworkClient {
        var configuration = NetworkClient.Configuration(baseURL: url("https://h/v1"))
        if let time { configuration.time = time }
        return NetworkClient(transport: transport, interceptors: interceptors, configuration: configuration)
    }

    @Test(.spec(141, 147), arguments: ["https://a.example", "https://b.example/v1/"])
    func oneRoutedEndpointIsSentBelowTheBaseURLOfEachClient(base: String) async throws {
        transport.on(.any, .json(Post(id: 1)))
        let client = NetworkClient(transport: transport, configuration: .init(baseURL: url(base)))
        expect(try await client.fetch(GetPost(id: 1)).item, Post(id: 1))
        expect(transport.requests.map(\.path), [base.hasSuffix("/") ? "/v1/posts/1" : "/posts/1"])
    }

    @Test(.spec(141)) func nothingIsSentIfARouteCannotBeUsed() async throws {
        struct Missing: RoutedEndpoint { static let route: Route = .get("/posts/:id") }
        struct Empty: RoutedEndpoint {
            static let route: Route = .get("/posts/:id/x")
            @Path var id = ""
        }
        transport.on(.any, .json(Post(id: 1)))
        await #expect(throws: RouteError.self) { try await client().send(Missing()) }
        await #expect(throws: RequestPathError.self) { try await client().send(Empty()) }
        #expect(transport.requests.isEmpty)
    }

    @Test(.spec(110)) func eachAttemptSendsTheSameRequest() async throws {
        transport.on(.any, .status(503), .json(Post(id: 2)))
        let time = TestClock()
        let client = client([.retry()], time: time)
        async let value = client.fetch(CreatePost(user: "a/b", notify: true, ifMatch: "\"v\"", body: Post(id: 2))).item
        try await transport.waitForRequests(count: 1)
        try await time.waitForSleepers()
        time.advance(by: 60)
        expect(try await value, Post(id: 2))
        expect(transport.requests.count, 2)
        for request in transport.requests {
            expect(request.url.absoluteString, "https://h/v1/users/a%2Fb/posts?notify=true")
            expect(request[header: "If-Match"], "\"v\"")
            expect(request.body, Data(#"{"id":2}"#.utf8))
        }
    }

    @Test(.spec(141, 142), arguments: TransportUnderTest.all)
    func aRoutedEndpointReachesAServerAsDescribed(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .json(#"{"id":3}"#) }
        let client = NetworkClient(
            transport: try transport.transport(),
            configuration: .init(baseURL: server.url("/v1"))
        )
        let endpoint = CreatePost(user: "é b", notify: false, ifMatch: "\"v\"", body: Post(id: 3))
        expect(try await client.fetch(endpoint).item, Post(id: 3))
        let request = try #require(server.requests.first)
        expect(request.method, "PUT")
        expect(request.target, "/v1/users/%C3%A9%20b/posts?notify=false")
        expect(request.headers.values(for: "If-Match"), ["\"v\""])
        expect(request.headers.values(for: "Content-Type"), ["application/json"])
    }
}
