import Foundation
import NetworkClient
import NetworkTestSupport
import NetworkUtilities
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

extension Endpoint where Self == UserEndpoint {
    fileprivate static func user(id: Int) -> UserEndpoint { UserEndpoint(id: id) }
}

struct EndpointTests {
    private let transport = StubTransport()

    @Test(.spec(147), arguments: ["https://a.example", "https://b.example/v1/"])
    func anEndpointIsSentBelowTheBaseURLOfEachClient(base: String) async throws {
        transport.on(.any, .json(User(id: 1)))
        let client = NetworkClient(transport: transport, configuration: .init(baseURL: url(base)))
        #expect(try await client.value(of: .user(id: 1)) == User(id: 1))
        #expect(try await client.send(.user(id: 1)).statusCode == 200)
        let sent = base.hasSuffix("/") ? "\(base)users/1" : "\(base)/users/1"
        #expect(transport.requests.map(\.url.absoluteString) == [sent, sent])
    }

    @Test func anEndpointWithoutABaseURLFails() async throws {
        let client = NetworkClient(transport: transport)
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.send(.user(id: 1)) }
        guard case .invalidUrl(let url) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(url == "/users/1")
    }
}
