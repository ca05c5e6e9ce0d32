import Foundation
import NetworkClient
import NetworkClientTesting
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

    func user(_ id: Int) async throws -> User { try await client.fetch(UserEndpoint(id: id)).item }
}

struct NetworkClientProtocolTests {
    private let transport = StubTransport()

    @Test func codeThatDependsOnTheProtocolRunsWithAClientAndWithAMock() async throws {
        transport.on(.get("/users/1"), .json(User(id: 1)))
        let client = NetworkClient(transport: transport, configuration: .init(baseURL: url("https://api.example.com")))
        expect(try await UserStore(client: client).user(1), User(id: 1))
        expect(try await UserStore(client: MockClient()).user(2), User(id: 2))
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
        let user = try await client.fetch(.get(path: "users/brillcp"), as: User.self)
        let same = try await client.fetch(.get(path: "/users/\("brillcp")"), as: User.self)
        expect(user.item, same.item)
        expect(Set(transport.requests.map(\.url.absoluteString)), ["https://api.github.com/users/brillcp"])
        await #expect(throws: RequestPathError.self) {
            try await client.fetch(.get(path: "/users/\("")"), as: User.self)
        }
    }

    /// A client that passes everything on, as one that counts calls does.
    private struct Forwarding: NetworkClientProtocol {
        let client: NetworkClient

        var request: URLRequest.PathBuilder { client.request }
        var underlyingClient: NetworkClient? { client }

        func send<E: Endpoint>(_ endpoint: E) async throws -> NetworkClient.Response<E.Value> {
            try await client.send(endpoint)
        }

        func stream<E: Endpoint>(
            _ endpoint: E,
            options: CallOptions
        ) async throws -> NetworkClient.Response<ResponseBody> {
            try await client.stream(endpoint, options: options)
        }
    }

    @Test func theEventsOfAWrapperHaveTheDecoderAndTheCallsOfItsClient() async throws {
        struct Name: Decodable, Equatable, Sendable { let firstName: String }
        let clock = TestClock()
        transport.on(.get("/feed"), .events([ServerSentEvent(data: #"{"first_name": "a"}"#)]))
        let client = NetworkClient(
            transport: transport,
            decoder: DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase),
            configuration: .init(baseURL: url("https://h"), time: clock)
        )
        var names = try Forwarding(client: client).events(.get(path: "feed")).values(of: Name.self).makeAsyncIterator()
        expect(try await names.next(), Name(firstName: "a"))
        // The stream has ended, and waits on the clock of the client to connect again.
        let waiting = Task {
            try await clock.waitForSleepers()
            client.cancelAll()
        }
        await #expect(throws: CancellationError.self) { try await names.next() }
        try await waiting.value
    }

    @Test(.spec(279)) func anEndpointAndARequestAreFetchedLikeABuilder() async throws {
        transport.on(.any, .json(User(id: 1)))
        let client = try NetworkClient(baseURL: "https://h", transport: transport, interceptors: [.retry])
        let request = URLRequest(url: url("https://h/users/1"))
        expect(try await client.fetch(UserEndpoint(id: 1)).item, User(id: 1))
        expect(try await client.fetch(request, as: User.self).item, User(id: 1))
        expect(try await client.fetch(request).statusCode, 200)
        expect(try await client.upload(request.decoded(as: User.self)).value.item, User(id: 1))
        expect(try await client.stream(request).item.data().count, 8)
    }

    @Test(.spec(127)) func everyClientReportsTheProgressThatTheOptionsAskFor() async throws {
        transport.on(.any, .json(User(id: 1)))
        let client = NetworkClient(transport: transport)
        let request = URLRequest(url: url("https://h/users/1"))
        for wrapped in [client, Forwarding(client: client)] as [any NetworkClientProtocol] {
            let seen = Recorder<Int>()
            let options = CallOptions(progress: { seen.record($0.completed) })
            expect(try await wrapped.fetch(request, as: User.self, options: options).item, User(id: 1))
            expect(try await wrapped.upload(request, options: options).value.statusCode, 200)
            expect(seen.values, [0, 8, 0, 8])
        }
    }

    @Test func transfersAndEventsGoThroughTheProtocol() async throws {
        transport.on(.any, .json(User(id: 1)))
        transport.on(.get("/feed"), .events([ServerSentEvent(data: "a")]))
        let base = try NetworkClient(baseURL: "https://h", transport: transport)
        let file = try TemporaryDirectory()
        for client in [base, Forwarding(client: base)] as [any NetworkClientProtocol] {
            expect(try await client.stream(.get(path: "a")).item.data().count, 8)
            expect(try await client.upload(.put(path: "a").bodyText("b"), as: User.self).value.item, User(id: 1))
            expect(try await client.upload(.put(path: "a").bodyText("b")).value.statusCode, 200)
            expect(try await client.fetch(UserEndpoint(id: 1), options: CallOptions(idleTimeout: 3)).item, User(id: 1))
            expect(transport.requests.last?.urlRequest.timeoutInterval, 3)
            var events = try client.events(.get(path: "feed"), reconnecting: .never).makeAsyncIterator()
            expect(try await events.next()?.data, "a")
            client.cancelAll()
        }
        let download = try base.download(.get(path: "a"), to: file.url.appendingPathComponent("f"))
        expect(try await download.value.item?.lastPathComponent, "f")
    }

    @Test func aMockFailsWhereItHasNothing() async throws {
        let mock = MockClient()
        let text = "the client, a MockClient, has no"
        let stream = await #expect(throws: NetworkClient.Error.self) { try await mock.stream(UserEndpoint(id: 1)) }
        expect(stream?.description.contains("\(text) streams"), true)
        let events = await #expect(throws: NetworkClient.Error.self) {
            for try await _ in mock.events(UserEndpoint(id: 1), reconnecting: .never) {}
        }
        expect(events?.description.contains("\(text) streams"), true)
        let download = mock.download(URLRequest(url: url("https://h/")), to: url("file:///tmp/x"))
        let error = await #expect(throws: NetworkClient.Error.self) { try await download.value }
        expect(error?.description.contains("\(text) downloads"), true)
        expect(try await mock.upload(UserEndpoint(id: 2)).value.item, User(id: 2))
        mock.cancelAll()
    }
}
