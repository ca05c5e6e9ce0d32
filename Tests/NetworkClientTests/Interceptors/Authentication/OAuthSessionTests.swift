import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Sessions whose tokens an OAuth 2 server issues.
struct OAuthSessionTests {
    private func failure(_ client: NetworkClient) async -> AuthenticationError? {
        await #expect(throws: AuthenticationError.self) { _ = try await client.status(TokenServer.request()) }
    }

    @Test func aThousandCallersWaitForOneTokenRequestAndOtherOriginsGetNoToken() async throws {
        let (server, gate) = (OAuthServer(), Gate())
        server.accept("t1")
        server.transport.on(.post("/token")) { _ in
            try await gate.wait()
            return OAuthServer.token("t1", expiresIn: 3_600)
        }
        let scheme = AuthenticationScheme.oauth(
            tokenURL: OAuthServer.tokenURL,
            grant: OAuthServer.credentials,
            client: server.tokenClient
        )
        let client = server.client([.authentication(scheme, origins: [TokenServer.origin])])
        let calls = (1...1_000).map { number in Task { try await client.status(TokenServer.request("/\(number)")) } }
        _ = try await server.transport.waitForRequests(matching: .post("/token"), count: 1)
        gate.open()
        for call in calls { expect(try await withDeadline { try await call.value }, 200) }
        #expect(server.forms.count == 1 && server.credentials.allSatisfy { $0 == "Bearer t1" })
        expect(try await client.status(URLRequest(url: url("https://other.example/x"))), 401)
        expect(server.credentials.last, .some(nil))
        expect("\(scheme)", lacks: "t1", "app")
    }

    @Test(arguments: [30.0, 100]) func aTokenIsRenewedBeforeItsEndAgainAndAgainOnATestClock(leeway: Double) async throws
    {
        let clock = TestClock()
        let server = OAuthServer(time: clock)
        let tokens = (1...4).map { OAuthServer.token("t\($0)", expiresIn: 3_600) }
        server.transport.on(.post("/token"), tokens[0], tokens[1], tokens[2], tokens[3])
        server.transport.on(.method(.get), .status(200))
        let store = InMemoryCredentialStore()
        let session = server.session(OAuthServer.credentials, store: store, policy: .init(leeway: leeway))
        let client = server.client(session)
        expect(try await client.status(TokenServer.request()), 200)
        for round in 1...3 {
            // The tests may be slow: 10 s are far from both limits.
            clock.advance(by: 3_600 - leeway - 10)
            expect(try await client.status(TokenServer.request()), 200)
            expect(server.forms.count, round)
            clock.advance(by: 15)
            expect(try await client.status(TokenServer.request()), 200)
            expect(server.credentials.last, "Bearer t\(round)")
            // The store may have the token before its refresh has ended, during which no other one begins.
            try await withDeadline("the next token") {
                while store.load()?.value != "t\(round + 1)" {
                    _ = try await client.status(TokenServer.request())
                    await Task.yield()
                }
            }
        }
        expect(server.forms.count, 4)
    }

    @Test func afterInvalidGrantNothingIsSentUntilThereIsAnotherToken() async throws {
        let server = OAuthServer()
        server.accept("t2")
        server.transport.on(.post("/token"), OAuthServer.refusal("invalid_grant"), OAuthServer.token("t2"))
        let session = server.session()
        let client = server.client(session)
        for _ in 1...10 {
            let error = await failure(client)
            expectAll((error?.reason, error?.response?.statusCode), (.refreshFailed, 401))
            expect((error?.underlying as? OAuthError)?.code, .invalidGrant)
            expect(
                error?.description,
                "The request to 'https://api.example.com/' cannot be authenticated: "
                    + "the credential could not be refreshed (invalid_grant)."
            )
        }
        expect(server.forms.count, 1)
        try await session.setToken(AccessToken("t1", refreshToken: "r1"))
        expect(try await client.status(TokenServer.request()), 200)
        #expect(server.forms.count == 2 && server.forms[1].contains("refresh_token=r1"))
    }

    @Test func aTokenOfThePastEndsWithInvalidGrantInTheSameWay() async throws {
        let server = OAuthServer()
        server.transport.on(.post("/token"), OAuthServer.refusal("invalid_grant"))
        let store = InMemoryCredentialStore(AccessToken("t0", refreshToken: "r0", expiry: .distantPast))
        let client = server.client(server.session(store: store))
        for _ in 1...10 { expect((await failure(client)?.underlying as? OAuthError)?.code, .invalidGrant) }
        expectAll((server.forms.count, server.credentials), (1, []))
    }

    @Test func aTokenWhoseRenewalIsRefusedIsUsedToItsEnd() async throws {
        let clock = TestClock()
        let server = OAuthServer(time: clock)
        server.transport.on(.post("/token"), OAuthServer.refusal("invalid_grant"))
        server.transport.on(.method(.get)) { .status($0.path == "/refused" ? 401 : 200) }
        let end = Date().addingTimeInterval(100)
        let store = InMemoryCredentialStore(AccessToken("t0", refreshToken: "r0", expiry: end))
        let client = server.client(server.session(store: store))
        expect(try await client.status(TokenServer.request()), 200)
        clock.advance(by: 80)
        expect(try await client.status(TokenServer.request()), 200)
        // Ends after the renewal, which it waits for.
        let error = await #expect(throws: AuthenticationError.self) {
            try await client.status(TokenServer.request("/refused"))
        }
        expect((error?.underlying as? OAuthError)?.code, .invalidGrant)
        for _ in 1...10 { expect(try await client.status(TokenServer.request()), 200) }
        clock.advance(by: 80)
        for _ in 1...10 { expect((await failure(client)?.underlying as? OAuthError)?.code, .invalidGrant) }
        expectAll((server.forms.count, server.credentials.count), (1, 13))
    }

    @Test(arguments: [StubTransport.Response.status(503), .failure(.timedOut), .failure(.connectionLost)])
    func aTemporaryFailureOrALostAnswerIsFollowedByTheSameRefreshToken(failed: StubTransport.Response) async throws {
        let (server, store) = (OAuthServer(), InMemoryCredentialStore(OAuthServer.old))
        server.accept("t1")
        server.transport.on(.post("/token"), failed, OAuthServer.token("t1", refreshToken: "r1"))
        let client = server.client(server.session(store: store))
        expect(await failure(client)?.reason, .refreshFailed)
        expect(store.load(), OAuthServer.old)
        expect(try await client.status(TokenServer.request()), 200)
        #expect(server.forms.allSatisfy { $0.contains("refresh_token=r0") } && server.forms.count == 2)
        expect(store.load(), AccessToken("t1", refreshToken: "r1"))
    }

    @Test func aLostAnswerOfAServerThatReplacesRefreshTokensFailsLoudly() async throws {
        let server = OAuthServer()
        server.accept("t1")
        let refusal = OAuthServer.refusal("invalid_grant")
        server.transport.on(.post("/token"), .failure(.connectionLost), refusal)
        let client = server.client(server.session())
        expect((await failure(client)?.underlying is OAuthError), false)
        for _ in 1...3 { expect((await failure(client)?.underlying as? OAuthError)?.code, .invalidGrant) }
        expect(server.forms.count, 2)
    }

    @Test func aSignOutDropsTheAnswerOfARefreshInFlight() async throws {
        let (server, store, gate) = (OAuthServer(), InMemoryCredentialStore(OAuthServer.old), Gate())
        server.accept("t1")
        server.transport.on(.post("/token")) { _ in
            await Task.detached { try? await gate.wait() }.value
            return OAuthServer.token("t1", refreshToken: "r1")
        }
        let session = server.session(store: store)
        let client = server.client(session)
        let call = Task { try await client.status(TokenServer.request()) }
        _ = try await server.transport.waitForRequests(matching: .post("/token"), count: 1)
        try await session.signOut()
        let error = await #expect(throws: AuthenticationError.self) { try await withDeadline { try await call.value } }
        expect(error?.reason, .signedOut)
        gate.open()
        expect(await failure(client)?.reason, .missingCredential)
        expectAll((store.load(), server.credentials), (nil, ["Bearer t0"]))
    }

    @Test func afterASignOutAServiceAsksForANewToken() async throws {
        let server = OAuthServer()
        server.transport.on(.method(.get), .status(200))
        let refusal = OAuthServer.refusal("invalid_grant")
        server.transport.on(.post("/token"), refusal, OAuthServer.token("t1"), OAuthServer.token("t2"))
        let session = server.session(OAuthServer.credentials, store: InMemoryCredentialStore())
        let client = server.client(session)
        for _ in 1...2 { expect((await failure(client)?.underlying as? OAuthError)?.code, .invalidGrant) }
        for _ in 1...2 {
            try await session.signOut()
            expect(try await client.status(TokenServer.request()), 200)
        }
        expect(server.credentials, ["Bearer t1", "Bearer t2"])
        expect(server.forms.count, 3)
    }

    @Test func cancelAllEndsTheCallsThatWaitButNotTheTokenRequest() async throws {
        let (server, gate) = (OAuthServer(), Gate())
        server.accept("t1")
        server.transport.on(.post("/token")) { _ in
            try await gate.wait()
            return OAuthServer.token("t1")
        }
        let session = server.session(OAuthServer.credentials, store: InMemoryCredentialStore())
        let client = server.client(session)
        let call = Task { try await client.status(TokenServer.request()) }
        _ = try await server.transport.waitForRequests(matching: .post("/token"), count: 1)
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        gate.open()
        expect(try await client.status(TokenServer.request()), 200)
        expect(server.forms.count, 1)
    }

    /// More than the window of the session allows, with one response of each kind.
    @Test(.spec(235)) func anEventStreamGoesOnAfterAnyTemporaryFailureOfTheTokenEndpoint() async throws {
        let clock = TestClock(advancesItself: true)
        let server = OAuthServer(time: clock)
        let asking = StubTransport.Response.status(429).setting(header: .custom(name: "Retry-After", value: "50"))
        server.transport.on(
            .post("/token"),
            .status(503),
            .failure(.timedOut),
            asking,
            .status(500),
            .status(502),
            .status(504),
            .status(408),
            OAuthServer.token("t1")
        )
        server.transport.on(.get("/feed"), .events([ServerSentEvent(data: "a")]), .status(204))
        let session = server.session(OAuthServer.credentials, store: InMemoryCredentialStore())
        var reconnection = Reconnection.standard
        reconnection.jitter = .none
        let feed = URLRequest(url: url("https://api.example.com/feed"))
        let stream = server.client(session).events(feed, reconnecting: reconnection)
        var data: [String] = []
        for try await event in stream { data.append(event.data) }
        expect(data, ["a"])
        expectAll((server.forms.count, Array(clock.sleeps.prefix(3))), (8, [1, 2, 50]))
    }

    @Test(.spec(235)) func anEventStreamEndsWhenTheRefreshTokenIsRefused() async throws {
        let server = OAuthServer(time: TestClock(advancesItself: true))
        server.transport.on(.post("/token"), OAuthServer.refusal("invalid_grant"))
        server.accept("t1")
        let feed = URLRequest(url: url("https://api.example.com/feed"))
        var events = server.client(server.session()).events(feed).makeAsyncIterator()
        let error = await #expect(throws: AuthenticationError.self) { try await events.next() }
        expect((error?.underlying as? OAuthError)?.code, .invalidGrant)
        expect(server.forms.count, 1)
    }

    @Test func aRetryRepeatsATokenRequestThatWasLost() async throws {
        let server = OAuthServer(time: TestClock(advancesItself: true))
        server.accept("t1")
        server.transport.on(.post("/token"), .failure(.connectionLost), OAuthServer.token("t1"))
        let client = server.client(
            server.session(OAuthServer.credentials, store: InMemoryCredentialStore()),
            after: [.retry()]
        )
        expect(try await client.status(TokenServer.request()), 200)
        expectAll((server.forms.count, server.credentials), (2, ["Bearer t1"]))
    }

    @Test func aFreshTokenThatIsRefusedIsReplacedOnce() async throws {
        let server = OAuthServer()
        server.accept("none")
        server.transport.on(.post("/token"), OAuthServer.token("t1", refreshToken: "unused"), OAuthServer.token("t2"))
        let session = server.session(OAuthServer.credentials, store: InMemoryCredentialStore())
        expect(try await server.client(session).status(TokenServer.request()), 401)
        expect(server.credentials, ["Bearer t1", "Bearer t2"])
        expect(Set(server.forms), ["grant_type=client_credentials"])
    }

    @Test func processesWithOneFileAskForOneToken() async throws {
        let (server, folder) = (OAuthServer(), try TemporaryDirectory())
        server.accept("t1")
        server.transport.on(.post("/token"), OAuthServer.token("t1", expiresIn: 3_600))
        for _ in 1...2 {
            let store = FileCredentialStore(file: folder.url.appendingPathComponent("token.json"))
            let session = server.session(OAuthServer.credentials, store: store)
            expect(try await server.client(session).status(TokenServer.request()), 200)
        }
        expect(server.forms.count, 1)
    }

    @Test(arguments: TransportUnderTest.all, [302, 307])
    func theSecretsFollowNoRedirect(transport: TransportUnderTest, status: Int) async throws {
        let thief = try LoopbackServer { _ in .json("{\"access_token\":\"t\"}") }
        let server = try LoopbackServer { _ in .redirect(to: thief.url("/x").absoluteString, status: status) }
        let client = try transport.client(interceptors: [])
        for secretInBody in [false, true] {
            let grant = OAuthGrant.clientCredentials(id: "app", secret: "seCret", secretInBody: secretInBody)
            let error = await #expect(throws: NetworkClient.Error.self) {
                _ = try await grant.token(from: server.url("/token"), client: client)
            }
            let place = server.url("/token").absoluteString
            let sentence = "The request to '\(place)' failed: a token request must not be redirected."
            expect(error?.description, sentence)
        }
        expectAll((thief.requestCount, server.requestCount), (0, 2))
        expect(try await server.request(at: 0).value(forHeader: "Authorization"), "Basic YXBwOnNlQ3JldA==")
        expect(
            try await server.request(at: 1).bodyText,
            "grant_type=client_credentials&client_id=app&client_secret=seCret"
        )
    }
}
