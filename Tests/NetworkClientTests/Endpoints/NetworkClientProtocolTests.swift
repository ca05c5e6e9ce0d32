import Foundation
import NetworkClient
import NetworkTestSupport
import NetworkUtilities
import Testing

private struct User: Codable, Equatable, Sendable {
    var id: Int
}

private struct UserEndpoint: Endpoint {
    typealias Response = User
    let id: Int

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try builder.get(path: "/users/\(id)").build()
    }
}

/// A mock that knows the users and no other endpoint.
private struct MockClient: NetworkClientProtocol {
    func send<E: Endpoint>(_ endpoint: E) async throws -> NetworkClient.Response<E.Value> {
        let user = (endpoint as? UserEndpoint).map { User(id: $0.id) }
        guard let value = user as? E.Value else { throw URLError(.resourceUnavailable) }
        return NetworkClient.Response(item: value, httpResponse: .made())
    }
}

/// Code of an app that depends on the protocol.
private struct UserStore {
    let client: any NetworkClientProtocol

    func user(_ id: Int) async throws -> User { try await client.value(of: UserEndpoint(id: id)) }
}

struct NetworkClientProtocolTests {
    private let transport = StubTransport()

    @Test func codeThatDependsOnTheProtocolRunsWithAClientAndWithAMock() async throws {
        transport.on(.get("/users/1"), .json(User(id: 1)))
        let client = NetworkClient(transport: transport, configuration: .init(baseURL: url("https://api.example.com")))
        #expect(try await UserStore(client: client).user(1) == User(id: 1))
        #expect(try await UserStore(client: MockClient()).user(2) == User(id: 2))
        expect(transport.requests.count, 1)
    }

    @Test func aRequestIsFetchedThroughTheProtocol() async throws {
        transport.on(.any, .json(User(id: 1)))
        let client: any NetworkClientProtocol = NetworkClient(transport: transport)
        let request = URLRequest(url: url("https://api.example.com/users/1"))
        let response: NetworkClient.Response<User> = try await client.fetch(request: request)
        expect(response.item, User(id: 1))
        await #expect(throws: URLError.self) {
            let _: NetworkClient.Response<User> = try await MockClient().fetch(request: request)
        }
    }

    @Test(.spec(19, 140), arguments: ["https://api.github.com", "https://api.github.com/"])
    func aPathIsFetchedBelowTheBaseURL(base: String) async throws {
        transport.on(.any, .json(User(id: 1)))
        let client = NetworkClient(transport: transport, configuration: .init(baseURL: url(base)))
        let user: NetworkClient.Response<User> = try await client.get(path: "users/brillcp")
        let same: NetworkClient.Response<User> = try await client.get(path: "/users/\("brillcp")")
        expect(user.item, same.item)
        expect(Set(transport.requests.map(\.url.absoluteString)), ["https://api.github.com/users/brillcp"])
        await #expect(throws: RequestPathError.self) {
            let _: NetworkClient.Response<User> = try await client.get(path: "/users/\("")")
        }
    }

    @Test func clientsAreEqualOnlyToThemselves() {
        let (one, other) = (NetworkClient(transport: transport), NetworkClient(transport: transport))
        #expect(one == one && one != other)
        expect(Set([one, other, one]).count, 2)
    }
}
