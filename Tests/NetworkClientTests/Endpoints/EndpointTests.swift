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

    private struct Upload: Endpoint {
        let value: Double

        func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
            try builder.post(path: "/numbers").bodyJson(of: ["value": value]).build()
        }
    }

    @Test(.spec(36)) func aBodyThatCannotBeEncodedIsAnEncodingErrorOfTheClient() async {
        let client = NetworkClient(transport: transport, configuration: .init(baseURL: url("https://h")))
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.send(Upload(value: .infinity)) }
        let reason = BodyEncodingError.json(path: "value", reason: "is a number that is not finite")
        guard case .encodingError(reason) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(transport.requests.isEmpty)
    }

    private struct Checked: Endpoint {
        typealias Response = User
        struct TooSmall: Error {}

        func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
            try builder.get(path: "/users").build()
        }

        func value(from response: NetworkClient.Response<User>) async throws -> Int {
            guard response.item.id > 1 else { throw TooSmall() }
            return response.item.id
        }
    }

    @Test(.spec(82, 92)) func anErrorOfTheTransformIsReportedOnceAndNeverRetried() async throws {
        let reports = Recorder<CallReport>()
        transport.on(.any, .json(User(id: 1)), .json(User(id: 2)))
        let client = NetworkClient(
            transport: transport,
            interceptors: [.retry()],
            configuration: .init(baseURL: url("https://h"), observer: { reports.record($0) })
        )
        await #expect(throws: Checked.TooSmall.self) { try await client.value(of: Checked()) }
        #expect(reports.count == 1 && reports.values.first?.error is Checked.TooSmall)
        #expect(reports.values.first?.response?.statusCode == 200 && transport.requests.count == 1)
        #expect(try await client.value(of: Checked()) == 2)
        #expect(reports.count == 2 && reports.values.last?.error == nil)
    }
}
