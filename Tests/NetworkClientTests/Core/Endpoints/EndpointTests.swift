import Foundation
import NetworkClient
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

private struct User: Codable, Equatable, Sendable {
    var id: Int
}

private struct UserEndpoint: Endpoint, Equatable {
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
        expect(try await client.fetch(.user(id: 1)).item, User(id: 1))
        expect(try await client.send(.user(id: 1)).statusCode, 200)
        let sent = base.hasSuffix("/") ? "\(base)users/1" : "\(base)/users/1"
        expect(transport.requests.map(\.url.absoluteString), [sent, sent])
    }

    @Test func anEndpointWithoutABaseURLFails() async throws {
        let client = NetworkClient(transport: transport)
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.send(.user(id: 1)) }
        guard case .invalidUrl(let url) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        expect(url, "/users/1")
    }

    /// The endpoints of a server as cases of one type, whose responses have several types.
    private enum ShopEndpoint: Endpoint {
        case user(Int)
        case photo(Int)
        case deletion(Int)

        func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
            switch self {
            case .user(let id): try builder.get(path: "/users/\(id)").build()
            case .photo(let id): try builder.get(path: "/photos/\(id)").build()
            case .deletion(let id): try builder.delete(path: "/users/\(id)").build()
            }
        }
    }

    private var client: NetworkClient {
        NetworkClient(transport: transport, configuration: .init(baseURL: url("https://api.example.com/v1")))
    }

    @Test(.spec(148)) func theCasesOfAnEnumAreEndpointsAndTheCallerChoosesTheTypeOfTheResponse() async throws {
        transport.on(.get("/v1/users/*"), .json(User(id: 1)))
        transport.on(.get("/v1/photos/*"), .data(Data([1, 2, 3])))
        transport.on(.delete("/v1/users/*"), .status(204))
        expect(try await client.fetch(ShopEndpoint.user(1), as: User.self).item, User(id: 1))
        expect(try await client.fetch(ShopEndpoint.photo(2), as: Data.self).item, Data([1, 2, 3]))
        expect(try await client.send(ShopEndpoint.deletion(3)).status, .noContent)
        expect(transport.requests.map(\.path), ["/v1/users/1", "/v1/photos/2", "/v1/users/3"])
    }

    @Test(.spec(148)) func theContextChoosesTheTypeOfTheResponseIfTheEndpointNamesNone() async throws {
        transport.on(.any, .json(User(id: 1)))
        let fetched: NetworkClient.Response<User> = try await client.fetch(ShopEndpoint.user(1))
        let uploaded: User = try await client.upload(ShopEndpoint.user(1)).value.item
        let request = URLRequest.get(url: url("https://api.example.com/v1/users/1")).build()
        let sent: User = try await client.fetch(request).item
        let retyped = try await client.upload(request, as: User.self).value.item
        let built: User = try await client.upload(.get(path: "/users/1")).value.item
        let status: NetworkClient.Response<EmptyResponse> = try await client.fetch(ShopEndpoint.user(1))
        expect([fetched.item, uploaded, sent, retyped, built], Array(repeating: User(id: 1), count: 5))
        expect(status.status, .ok)
    }

    @Test func theBytesOrTheStatusOfAnyEndpointCanBeHadWithoutDecoding() async throws {
        transport.on(.any, .text("no JSON"))
        expect(try await client.fetch(.user(id: 1), as: Data.self).item, Data("no JSON".utf8))
        expect(try await client.fetch(.user(id: 1), as: EmptyResponse.self).statusCode, 200)
        await #expect(throws: NetworkClient.Error.self) { try await client.send(.user(id: 1)) }
    }

    private enum Addition: DecodableByStatus {
        case created(User)
        case known

        static let statusCases: [StatusCase<Addition>] = [.on(201, created), .on(409, .known)]
    }

    @Test(.spec(81, 148)) func theStatusesOfAnEndpointAreAcceptedWhateverItIsDecodedAs() async throws {
        struct Creation: Endpoint {
            typealias Response = Addition

            func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
                try builder.get(path: "users").build()
            }
        }
        transport.on(.any, .text("there is one", status: 409))
        expect(try await client.fetch(Creation(), as: String.self).item, "there is one")
        expect(try await client.fetch(Creation(), as: EmptyResponse.self).statusCode, 409)
    }

    @Test(.spec(19)) func aValueInAPathStaysOneSegment() async throws {
        struct Search: Endpoint {
            typealias Response = Data
            let text: String

            func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
                try builder.get(path: "/search/\(text)/all").build()
            }
        }
        transport.on(.any, .status(200))
        let client = client
        for text in ["a/b", "50%", "é"] { try await client.send(Search(text: text)) }
        let base = "https://api.example.com/v1/search"
        expect(
            transport.requests.map(\.url.absoluteString),
            [
                "\(base)/a%2Fb/all", "\(base)/50%25/all", "\(base)/%C3%A9/all",
            ]
        )
        await #expect(throws: RequestPathError.self) { try await client.send(Search(text: "..")) }
        expect(transport.requests.count, 3)
    }

    @Test func theProgressOfTheResponseOfAnEndpointIsReported() async throws {
        transport.on(.any, .json(User(id: 1)))
        let progress = Recorder<TransferProgress>()
        let response = try await client.fetch(.user(id: 1), options: CallOptions { $0.progress = progress.record })
        expect(response.item, User(id: 1))
        expect(progress.values.last?.completed, 8)
    }

    @Test(arguments: TransportUnderTest.all)
    func anEndpointWithABodyIsSentOnEveryTransport(transport: TransportUnderTest) async throws {
        struct Creation: Endpoint {
            typealias Response = User
            let user: User

            func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
                try builder.post(path: "users").bodyJson(of: user).add(query: "notify", value: true).build()
            }
        }
        let server = try LoopbackServer(routes: ["/v1/users": .json(#"{"id":7}"#)])
        let client = try transport.client(configuration: .init(baseURL: server.url("/v1")))
        expect(try await client.fetch(Creation(user: User(id: 7))).item, User(id: 7))
        let received = try #require(server.requests.first)
        expect(received.target, "/v1/users?notify=true")
        expect(received.body, Data(#"{"id":7}"#.utf8))
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
        await #expect(throws: Checked.TooSmall.self) { try await client.fetch(Checked()).item }
        #expect(reports.count == 1 && reports.values.first?.error is Checked.TooSmall)
        expectAll((reports.values.first?.response?.statusCode, transport.requests.count), (200, 1))
        expect(try await client.fetch(Checked()).item, 2)
        #expect(reports.count == 2 && reports.values.last?.error == nil)
    }
}
