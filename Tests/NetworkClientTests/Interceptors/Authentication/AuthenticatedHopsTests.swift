import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Authentication × redirects, transfers, retries: the credential belongs to a hop.
struct AuthenticatedHopsTests {
    private func session(_ refreshed: Recorder<Int> = Recorder()) -> TokenSession {
        TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in
            refreshed.record(1)
            return AccessToken("new")
        }
    }

    /// A server that redirects `/orders` to `/orders/1`, where it accepts the token `new`, or nothing.
    private func server(_ status: Int, acceptsNew: Bool = true) throws -> LoopbackServer {
        try LoopbackServer { request in
            if request.path == "/orders" { return .redirect(to: "/orders/1", status: status) }
            let isValid = acceptsNew && request.value(forHeader: "Authorization") == "Bearer new"
            return isValid ? .respond(body: "yes") : .respond(status: 401, body: "no")
        }
    }

    @Test(
        .spec(105, 198),
        arguments: TransportUnderTest.all,
        [(301, true), (302, true), (303, true), (307, true), (303, false)]
    )
    func aRefusedTargetOfARedirectIsSentAgainOnceAndThePOSTIsNot(
        transport: TransportUnderTest,
        example: (status: Int, acceptsNew: Bool)
    ) async throws {
        let (server, refreshed) = (try server(example.status, acceptsNew: example.acceptsNew), Recorder<Int>())
        let interceptor = AuthenticationInterceptor(.bearer(session(refreshed)), origins: [server.url])
        let client = try transport.client(interceptors: [.retry(), interceptor])
        let request = URLRequest.post(url: server.url("/orders")).bodyText("tea").build()
        let options = CallOptions(acceptedStatuses: .successful.and(401))
        let response: NetworkClient.Response<String> = try await client.fetch(request: request, options: options)
        expectAll((response.item, refreshed.count), (example.acceptsNew ? "yes" : "no", 1))
        let next = (example.status == 307 ? "POST" : "GET") + " /orders/1"
        expect(server.requests.map { "\($0.method) \($0.path)" }, ["POST /orders", next, next])
        let sent = server.requests.map { $0.value(forHeader: "Authorization") }
        expect(sent, ["Bearer old", "Bearer old", "Bearer new"])
        let kinds: [CallJourney.Kind] = [.attempt, .redirect, .response, .decision, .decision, .attempt, .response]
        expect(response.journey.steps.map(\.kind), kinds)
    }

    /// The origins of the interceptor, and the base URL of the client.
    @Test(.spec(286), arguments: [true, false])
    func aRefusalForWantOfACredentialNamesTheOrigin(isConfined: Bool) async throws {
        let origin = url("http://localhost:23000")
        let client = NetworkClient(
            transport: StubTransport(otherwise: .status(401)),
            interceptors: [.authentication(.bearer("t"), origins: isConfined ? nil : [origin])],
            configuration: .init(baseURL: isConfined ? origin : nil)
        )
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: URLRequest(url: url("http://127.0.0.1:23000/items?page=1")))
        }
        expect(
            "\(error, default: "none")",
            "HTTP 401 Unauthorized from 'http://127.0.0.1:23000/items', which the call does not accept; it had no "
                + "credential, which is for 'http://localhost:23000' only."
        )
    }

    @Test(.spec(286)) func aRefusalBehindARedirectSaysThatTheCredentialWasLeftBehind() async throws {
        let transport = StubTransport(otherwise: .status(401))
        let elsewhere = HeaderField.custom(name: "Location", value: "https://b/items")
        transport.on(.get("/a"), .status(302).setting(header: elsewhere))
        let client = NetworkClient(
            transport: transport,
            interceptors: [.authentication(.bearer("t"))],
            configuration: .init(baseURL: url("https://a"))
        )
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(.get(path: "a")) }
        let reason = "it had no credential, which no redirect takes to another origin"
        #expect("\(error, default: "none")".hasSuffix("; \(reason)."))
    }

    @Test func aRefusedCredentialIsNotSaidToBeMissing() async throws {
        let client = NetworkClient(
            transport: StubTransport(otherwise: .status(401)),
            interceptors: [
                .authentication(.bearer("a"), origins: [url("https://a")]),
                .authentication(.bearer("b"), origins: [url("https://b")]),
            ]
        )
        var own = URLRequest(url: url("https://c/"))
        own.set(header: .authorization(.bearer("c")))
        for request in [URLRequest(url: url("https://b/")), own] {
            let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
            let place = request.url?.absoluteString ?? ""
            expect(
                "\(error, default: "none")",
                "HTTP 401 Unauthorized from '\(place)', which the call does not accept."
            )
        }
    }

    @Test(.spec(101, 198)) func aRedirectThatComesBackToTheOriginHasNoCredentialAnyMore() async throws {
        let sent = Recorder<String?>()
        let transport = ClosureTransport { request in
            sent.record(request.value(forHTTPHeaderField: "Authorization"))
            let place = request.url?.absoluteString ?? ""
            let next = ["https://a/1": "https://a/2", "https://a/2": "https://b/3", "https://b/3": "https://a/4"][place]
            return (Data(), .made(next == nil ? 200 : 302, url: place, headers: next.map { ["Location": $0] } ?? [:]))
        }
        let origins = [url("https://a"), url("https://b")]
        let client = NetworkClient(
            transport: transport,
            interceptors: [.authentication(.bearer("t"), origins: origins)]
        )
        let reasons = [
            ("https://a/1", " after a redirect to 'https://b'"),
            ("http://a/?b=c", " for 'http://a', which is not one of the authentication's origins"),
        ]
        for (place, reason) in reasons {
            let journey = try await client.fetch(request: URLRequest(url: url(place))).journey
            let decision = "no credential\(reason)"
            expect(journey.steps.filter { $0.kind == .decision }.map(\.detail), [decision])
        }
        expect(sent.values, ["Bearer t", "Bearer t", nil, nil, nil])
    }

    @Test(.spec(95)) func anInterceptorThatChangesTheOriginTakesNoCredentialAlong() async throws {
        let rewrites = ClosureInterceptor(runsInCallersTask: true) { request, next in
            var request = request
            request.url = url("https://other/")
            return try await next(request)
        }
        let authentication = AuthenticationInterceptor(.bearer("t"), origins: [TokenServer.origin])
        let scene = ResilienceScene([authentication, rewrites], statuses: [200])
        try await scene.fetch()
        expect(scene.sent.values.map { $0.value(forHTTPHeaderField: "Authorization") }, [nil])
    }

    @Test(.spec(198), arguments: TransportUnderTest.all)
    func aRefusedStreamAndARefusedDownloadAreSentAgainOnce(transport: TransportUnderTest) async throws {
        let folder = try TemporaryDirectory()
        let server = try server(303)
        let streaming = try transport.client(
            interceptors: [.authentication(.bearer(session()), origins: [server.url])]
        )
        let response = try await streaming.stream(URLRequest(url: server.url("/orders")))
        expect(try await response.item.text(), "yes")
        let downloading = try transport.client(
            interceptors: [.authentication(.bearer(session()), origins: [server.url])]
        )
        let file = folder.url.appendingPathComponent("file")
        _ = try await downloading.download(URLRequest(url: server.url("/orders")), to: file).value
        expect(try String(contentsOf: file, encoding: .utf8), "yes")
        expect(
            server.requests.map(\.path),
            ["/orders", "/orders/1", "/orders/1", "/orders", "/orders/1", "/orders/1"]
        )
    }

    @Test(.spec(102, 198)) func eachOfTwoAuthenticatorsReplacesItsOwnCredentialOnceForEachAttempt() async throws {
        let sent = Recorder<String>()
        let transport = ClosureTransport { request in
            let fields = ["Authorization", "X-Key"].map { request.value(forHTTPHeaderField: $0) ?? "-" }
            sent.record(fields.joined(separator: " "))
            let place = request.url?.absoluteString ?? ""
            return (Data(), .made(fields == ["Bearer new", "new"] ? 200 : 401, url: place))
        }
        let origins = [url("https://a")]
        let client = NetworkClient(
            transport: transport,
            interceptors: [
                .authentication(.bearer(session()), origins: origins),
                .authentication(.apiKey(session(), header: "X-Key"), origins: origins),
            ]
        )
        let response = try await client.fetch(request: URLRequest(url: url("https://a/")))
        expect(sent.values, ["Bearer old old", "Bearer old new", "Bearer new new"])
        expect(response.journey.attempts, 3)
    }

    @Test(.spec(96, 198)) func theCookieOfARefusalIsSentWithTheNewCredential() async throws {
        let sent = Recorder<String?>()
        let transport = ClosureTransport { request in
            sent.record(request.value(forHTTPHeaderField: "Cookie"))
            let isValid = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            let place = request.url?.absoluteString ?? ""
            return (Data(), .made(isValid ? 200 : 401, url: place, headers: ["Set-Cookie": "a=1"]))
        }
        let client = NetworkClient(
            transport: transport,
            interceptors: [.authentication(.bearer(session()), origins: [url("https://a")])],
            configuration: .init(cookies: CookieStore())
        )
        try await client.fetch(request: URLRequest(url: url("https://a/")))
        expect(sent.values, [nil, "a=1"])
    }

    /// The client removes what its interceptors add for another origin, the first attempt of a failover had its own,
    /// and an interceptor inside leads the request elsewhere.
    @Test(.spec(281), arguments: ["added", "failover", "inside"])
    func aRequiredCredentialIsThatOfTheRequestThatIsSent(way: String) async throws {
        let transport = StubTransport(otherwise: .status(503))
        let failover = ClosureInterceptor { request, next in
            _ = try? await next(URLRequest(url: url("https://a/x")))
            return try await next(request)
        }
        let home = ClosureInterceptor { _, next in try await next(URLRequest(url: url("https://a/x"))) }
        let away = ClosureInterceptor { _, next in try await next(URLRequest(url: url("https://b/x"))) }
        let authentication: any InterceptorProtocol = .authentication(.bearer("t"))
        let ways: [String: [any InterceptorProtocol]] = [
            "added": [.headers([.authorization(.bearer("added"))]), authentication],
            "failover": [failover, authentication], "inside": [home, authentication, away],
        ]
        let client = NetworkClient(
            transport: transport,
            interceptors: ways[way] ?? [],
            configuration: .init(baseURL: url("https://a"))
        )
        let error = await #expect(throws: AuthenticationError.self) {
            try await client.fetch(
                request: URLRequest(url: url("https://b/x")),
                options: CallOptions(authentication: .required)
            )
        }
        expect(error?.reason, .foreignOrigin)
        expect(transport.requests.map(\.url.host), way == "failover" ? ["a"] : [])
    }

    /// The first call loads the token, the second one finds it loaded.
    @Test(.spec(118, 198), arguments: TransportUnderTest.all)
    func callsThatShareAnExchangeShareTheNewCredentialToo(transport: TransportUnderTest) async throws {
        let (arrived, gate, refreshed) = (Gate(), Gate(), Recorder<Int>())
        let server = try LoopbackServer { request in
            guard request.value(forHeader: "Authorization") == "Bearer new" else {
                return [.open(arrived), .wait(gate), .respond(status: 401)]
            }
            return .respond(body: "7")
        }
        let client = try transport.client(
            interceptors: [.authentication(.bearer(session(refreshed)), origins: [server.url])]
        )
        let request = URLRequest(url: server.url).withInstanceCaching()
        let first = Task { try await client.fetch(request: request).statusCode }
        try await arrived.wait()
        let second = Task { try await client.fetch(request: request).statusCode }
        try await withDeadline { while client.sharing.waiterCount < 2 { await Task.yield() } }
        gate.open()
        for call in [first, second] { expect(try await call.value, 200) }
        expectAll((server.requestCount, refreshed.count), (2, 1))
    }

    @Test(.spec(108, 200), arguments: [nil, AccessToken("b")])
    func aRetryThatWaitsDuringAChangeOfPersonIsNotSentAsTheOther(next: AccessToken?) async throws {
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("a"))) { _ in AccessToken("a2") }
        let authentication = AuthenticationInterceptor(.bearer(session), origins: [TokenServer.origin])
        let scene = RetryScene([.response(503)], .counting(2), inside: [authentication], clock: TestClock())
        let call = Task { try await scene.fetch() }
        try await withDeadline { try await scene.clock.waitForSleepers() }
        try await session.setToken(next)
        scene.clock.advance(by: 1)
        await #expect { try await withDeadline { try await call.value } } throws: {
            ($0 as? AuthenticationError)?.reason == .signedOut
        }
        expect(scene.sent.values.map { $0.value(forHTTPHeaderField: "Authorization") }, ["Bearer a"])
    }

    @Test(.spec(32, 200)) func withAnOptionalCredentialAStoreThatFailsLeavesPublicRequestsAlone() async throws {
        struct Broken: CredentialStore {
            func load() async throws -> AccessToken? { throw QueueFullError(place: nil, limit: 1) }
            func save(_ token: AccessToken) async throws {}
            func remove() async throws {}
        }
        let (server, session) = (TokenServer(accepting: nil), TokenSession(store: Broken()))
        let client = server.client([
            .authentication(.bearer(session), origins: [TokenServer.origin], requirement: .optional)
        ])
        let journey = try await client.fetch(request: TokenServer.request()).journey
        expect(server.tokens(), [nil])
        expect(journey.description, contains: "no credential, since its store failed")
    }
}
