import Foundation
import NetworkClient
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

private struct UserEndpoint: Endpoint {
    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try builder.get(path: "/users/1").build()
    }
}

/// An endpoint that is sent without a token.
private struct LoginEndpoint: Endpoint {
    struct Response: Decodable, Sendable { let token: String }

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try builder.post(path: "login").bodyJson(of: ["user": "a", "password": "b"]).build()
    }
}

/// An endpoint that asks for the token.
private struct ProfileEndpoint: Endpoint {
    var options: CallOptions { CallOptions(authentication: .required) }

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try builder.get(path: "profile").build()
    }
}

struct NetworkClientEnvironmentTests {
    private let transport = StubTransport(otherwise: .status(200))

    @Test(.spec(143, 147)) func oneEndpointIsSentToSeveralEnvironments() async throws {
        let environments = [
            NetworkClient.Environment(baseURL: url("https://a.example.com")),
            try .init(baseURL: "https://b.example.com/v1/"),
            try .init(host: "c.example.com", path: "v1"),
            try .init(scheme: "http", host: "::1", port: 8080, path: "/v1"),
        ]
        for environment in environments {
            try await NetworkClient(environment: environment, transport: transport).send(UserEndpoint())
        }
        expect(
            transport.requests.map(\.url.absoluteString),
            [
                "https://a.example.com/users/1", "https://b.example.com/v1/users/1",
                "https://c.example.com/v1/users/1", "http://[::1]:8080/v1/users/1",
            ]
        )
    }

    @Test(.spec(145), arguments: ["", "::", "api.example.com", "https://", "ftp://h/"])
    func aBaseURLThatIsNotAnHTTPURLIsAnError(text: String) {
        #expect(throws: HTTPURLError.self) { try NetworkClient.Environment(baseURL: text) }
    }

    private func environment() throws -> NetworkClient.Environment {
        try NetworkClient.Environment(
            baseURL: "https://api.example.com",
            headers: [.language(value: "el"), .custom(name: "X-Stage", value: "1")],
            authentication: .bearer("secret")
        )
    }

    @Test func everyRequestHasTheFieldsAndTheCredentialOfTheEnvironment() async throws {
        transport.on(.any, .status(503), .status(200))
        let clock = TestClock(advancesItself: true)
        let client = NetworkClient(
            environment: try environment(),
            transport: transport,
            interceptors: [.retry()],
            configuration: .init(baseURL: url("https://ignored.example.com"), time: clock)
        )
        let request = try client.request.get(path: "/users/1").set(header: .language(value: "en")).build()
        try await client.fetch(request: request)
        expect(client.configuration.baseURL, url("https://api.example.com"))
        expect(transport.requests.map { $0[header: "Authorization"] }, ["Bearer secret", "Bearer secret"])
        expect(transport.requests.map { $0[header: "Accept-Language"] }, ["en", "en"])
        expect(transport.requests.map { $0[header: "X-Stage"] }, ["1", "1"])
    }

    @Test(.spec(280), arguments: TransportUnderTest.all)
    func aLoginIsSentWithoutATokenAndEndpointsThatAskForOneHaveIt(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            guard request.path != "/login" else { return .json(#"{"token":"t1"}"#) }
            return .respond(status: request.value(forHeader: "Authorization") == "Bearer t2" ? 200 : 401)
        }
        let session = TokenSession { _ in AccessToken("t2") }
        let environment = NetworkClient.Environment(
            baseURL: server.url,
            authentication: .bearer(session),
            requirement: .none
        )
        let client = NetworkClient(environment: environment, transport: try transport.transport())
        let error = await #expect(throws: AuthenticationError.self) { try await client.fetch(ProfileEndpoint()) }
        expect(error?.reason, .missingCredential)
        let grant = try await client.fetch(LoginEndpoint()).item
        try await session.setToken(AccessToken(grant.token))
        try await client.fetch(ProfileEndpoint())
        try await client.fetch(.get(path: "status"), options: CallOptions(acceptedStatuses: .all))
        try await withDeadline { try await server.waitForRequests(count: 4) }
        let requests = server.requests
        expect(requests.map(\.path), ["/login", "/profile", "/profile", "/status"])
        expect(requests.map { $0.value(forHeader: "Authorization") }, [nil, "Bearer t1", "Bearer t2", nil])
    }

    @Test(
        .spec(144),
        arguments: [
            "https://api.example.com.evil.com/x", "http://api.example.com/x", "https://api.example.com:444/x",
            "https://evil.com/x",
        ]
    )
    func theCredentialOfAnEnvironmentDoesNotLeaveItsOrigin(foreign: String) async throws {
        let client = NetworkClient(environment: try environment(), transport: transport)
        try await client.fetch(request: URLRequest(url: url(foreign)))
        expect(transport.requests.map { $0[header: "Authorization"] }, [nil])
    }

    @Test(.spec(94)) func theTextOfAnEnvironmentShowsNoSecret() throws {
        var environment = try environment()
        environment.baseURL = url("https://user:secret@api.example.com/v1")
        environment.headers = [.custom(name: "X-API-Key", value: "secret")]
        var dumped = ""
        dump(environment, to: &dumped)
        for text in ["\(environment)", String(reflecting: environment), dumped] {
            #expect(!text.contains("secret") && text.contains("api.example.com"))
        }
    }
}

struct NetworkClientCreationTests {
    @Test(.spec(143, 145)) func aClientIsCreatedFromItsBaseURL() async throws {
        let transport = StubTransport(otherwise: .status(200))
        let limited = NetworkClient.Configuration { $0.bodyLimit = 3 }
        let clients = [
            try NetworkClient(baseURL: "https://h/v1", transport: transport, interceptors: [.standardResilience]),
            try NetworkClient(baseURL: "https://h/v1/", transport: transport, interceptors: [.retry(3)]),
            NetworkClient(baseURL: url("https://h/v1"), transport: transport, configuration: limited),
        ]
        for client in clients { try await client.fetch(.get(path: "/items")) }
        expect(transport.requests.map(\.url.absoluteString), Array(repeating: "https://h/v1/items", count: 3))
        expect(clients[2].configuration.bodyLimit, 3)
        #expect(throws: HTTPURLError.self) { try NetworkClient(baseURL: "example.com") }
    }
}
