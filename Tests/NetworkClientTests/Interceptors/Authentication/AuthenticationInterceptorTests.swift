import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Which requests get a credential, and which responses replace it.
struct AuthenticationInterceptorTests {
    private typealias Requirement = AuthenticationInterceptor.Requirement

    private static let api = url("https://api.example.com/v1")

    /// The header fields that a scheme adds to a request.
    private func fields(_ scheme: AuthenticationScheme) async throws -> [String: String] {
        let sent = Recorder<[String: String]>()
        let transport = ClosureTransport { request in
            sent.record(request.allHTTPHeaderFields ?? [:])
            return (Data(), .made())
        }
        let client = NetworkClient(transport: transport, interceptors: [.authentication(scheme, origins: [Self.api])])
        try await client.fetch(request: TokenServer.request())
        return try #require(sent.values.first)
    }

    private func options(_ requirement: Requirement) -> CallOptions {
        var options = CallOptions()
        options.authentication = requirement
        return options
    }

    private func refreshing(_ token: String, to next: String = "new", _ refreshed: Recorder<Int>) -> TokenSession {
        TokenSession(store: InMemoryCredentialStore(AccessToken(token))) { _ in
            refreshed.record(1)
            return AccessToken(next)
        }
    }

    @Test(.spec(23)) func eachSchemeHasItsFieldAndNoTokenCanAddAnother() async throws {
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("s")))
        let schemes: [(AuthenticationScheme, String, String)] = [
            (.bearer("t"), "Authorization", "Bearer t"), (.bearer(session), "Authorization", "Bearer s"),
            (.token(prefix: "Token", "t"), "Authorization", "Token t"),
            (.token(prefix: "Token", session), "Authorization", "Token s"),
            (.apiKey("k"), "X-API-Key", "k"), (.apiKey(session, header: "X-Flux"), "X-Flux", "s"),
            (
                try .basic(user: "Aladdin", password: "open sesame"), "Authorization",
                "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
            ),
            (try .basic(user: "test", password: "123£"), "Authorization", "Basic dGVzdDoxMjPCow=="),
            (.bearer("a\r\nX-Evil: 1"), "Authorization", "Bearer a  X-Evil: 1"),
        ]
        for (scheme, name, value) in schemes { expect(try await fields(scheme), [name: value]) }
        #expect(throws: HeaderFieldError.colonInUserName) { try AuthenticationScheme.basic(user: "a:b", password: "") }
    }

    @Test func theOriginsAreByDefaultThatOfTheBaseURL() async throws {
        let transport = StubTransport(otherwise: .status(200))
        let bearer: any InterceptorProtocol = .authentication(.bearer("t"))
        let client = NetworkClient(
            transport: transport,
            interceptors: [bearer],
            configuration: .init(baseURL: url("https://h/v1"))
        )
        for place in ["https://h/v2/a", "https://other/a", "http://h/a"] {
            try await client.fetch(request: URLRequest(url: url(place)))
        }
        expect(transport.requests.map { $0[header: "Authorization"] }, ["Bearer t", nil, nil])
        let without = NetworkClient(transport: transport, interceptors: [bearer])
        let error = await #expect(throws: AuthenticationError.self) {
            try await without.fetch(request: URLRequest(url: url("https://h/a")))
        }
        expect(
            "\(error, default: "none")",
            "The request to 'https://h/a' cannot be authenticated: the authentication has no origins, and the client "
                + "has no base URL."
        )
        expect(transport.requests.count, 3)
    }

    @Test(
        .spec(32),
        arguments: [
            // The requirement of the interceptor, that of the call, and whether the request is sent.
            (.required, .byDefault, false), (.byDefault, .byDefault, false), (.optional, .byDefault, true),
            (.none, .byDefault, true), (.optional, .required, false), (.required, .optional, true),
            (.required, .none, true), (.none, .required, false),
        ] as [(Requirement, Requirement, Bool)]
    )
    func aMissingCredentialIsAnErrorBeforeSendingIfItIsRequired(
        ofClient: AuthenticationInterceptor.Requirement,
        ofCall: AuthenticationInterceptor.Requirement,
        isSent: Bool
    ) async throws {
        let server = TokenServer(accepting: nil)
        let interceptor = AuthenticationInterceptor(
            .bearer(TokenSession()),
            origins: [Self.api],
            requirement: ofClient
        )
        let client = server.client([interceptor])
        if isSent {
            expect(try await client.status(TokenServer.request(), options(ofCall)), 200)
            expect(server.tokens(), [nil])
        } else {
            let error = await #expect(throws: AuthenticationError.self) {
                try await client.status(TokenServer.request(), options(ofCall))
            }
            expect(error?.reason, .missingCredential)
            expect(
                error?.localizedDescription,
                "The request to 'https://api.example.com/' cannot be authenticated: the credential is missing."
            )
            expect(server.asked, [])
        }
    }

    @Test(.spec(101)) func theCredentialGoesToEachOfItsOriginsUnlessTheCallOptsOut() async throws {
        let server = TokenServer(accepting: "t")
        let origins = [Self.api, url("https://other.example")]
        for requirement in [AuthenticationInterceptor.Requirement.byDefault, .none] {
            let client = server.client([.authentication(.bearer("t"), origins: origins, requirement: requirement)])
            let isOut = requirement == .none
            for place in ["https://API.example.com:443/x?y", "https://other.example/"] {
                expect(try await client.status(URLRequest(url: url(place))), (isOut ? 401 : 200))
                let changed = options(isOut ? .optional : .none)
                expect(try await client.status(URLRequest(url: url(place)), changed), (isOut ? 200 : 401))
            }
        }
        expect(server.asked.map(\.token), ["t", nil, "t", nil, nil, "t", nil, "t"])
    }

    @Test(
        .spec(101),
        arguments: [
            ("https://api.example.com.evil.com/", nil), ("http://api.example.com/", nil),
            ("https://api.example.com:444/", nil), ("https://example.com/", nil),
            ("https://api.example.com@evil.com/", nil),
            // One of the origins, but not that of the client.
            ("https://cdn.example.com/a", api),
        ] as [(String, URL?)]
    )
    func theCredentialGoesOnlyToItsOriginsAndThatOfTheBaseURL(place: String, baseURL: URL?) async throws {
        let (server, refreshed) = (TokenServer(accepting: "other"), Recorder<Int>())
        let origins = [Self.api, url("https://cdn.example.com")]
        let client = NetworkClient(
            transport: server.transport,
            interceptors: [.authentication(.bearer(refreshing("t", refreshed)), origins: origins)],
            configuration: .init(baseURL: baseURL)
        )
        let request = URLRequest(url: url(place))
        expect(try await client.status(request), 401)
        expectAll((server.asked.map(\.token), refreshed.count), ([nil], 0))
        let error = await #expect(throws: AuthenticationError.self) {
            try await client.status(request, options(.required))
        }
        expectAll((error?.reason, server.asked.count), (.foreignOrigin, 1))
    }

    @Test(.spec(281)) func aRequiredCredentialThatNoInterceptorHasIsAnErrorBeforeAnythingIsSent() async throws {
        let transport = StubTransport(otherwise: .status(200))
        let other = url("https://other.example/a")
        let two: [any InterceptorProtocol] = [
            .authentication(.bearer("a"), origins: [Self.api], requirement: .none),
            .authentication(.apiKey("b"), origins: [other]),
        ]
        let own = URLRequest(url: other).setting(header: .custom(name: "X-API-Key", value: "own"))
        let others = TokenServer.request().setting(header: .custom(name: "Cookie", value: "lang=de"))
        let rows: [([any InterceptorProtocol], URLRequest, AuthenticationError.Reason?, String?)] = [
            ([], TokenServer.request(), .noAuthentication, nil),
            ([.retry()], TokenServer.request(), .noAuthentication, nil),
            ([], others, .noAuthentication, nil), ([], own, .noAuthentication, nil), (two, own, nil, "own"),
            (two, TokenServer.request(), nil, "Bearer a"), (two, URLRequest(url: other), nil, "b"),
            (two, URLRequest(url: url("https://third/")), .foreignOrigin, nil),
            // The client has neither origins nor a base URL, the request its own field.
            ([.authentication(.apiKey("b"))], own, nil, "own"),
        ]
        for (interceptors, request, reason, credential) in rows {
            let client = NetworkClient(transport: transport, interceptors: interceptors)
            let count = transport.requests.count
            var thrown: AuthenticationError?
            do {
                try await client.fetch(request: request, options: options(.required))
            } catch let error as AuthenticationError {
                thrown = error
            }
            expectAll((thrown?.reason, transport.requests.count - count), (reason, reason == nil ? 1 : 0))
            guard reason == nil, let sent = transport.requests.last else { continue }
            expect(sent[header: "Authorization"] ?? sent[header: "X-API-Key"], credential)
        }
    }

    @Test(.spec(32), arguments: ["", " ", "\t"]) func anEmptySecretIsAMissingCredential(secret: String) async throws {
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken(secret)))
        let schemes: [AuthenticationScheme] = [
            .bearer(secret), .bearer(session), .token(prefix: "Token", secret), .apiKey(secret),
            .apiKey("key", header: "X API Key"),
        ]
        for scheme in schemes {
            let server = TokenServer(accepting: nil)
            let client = server.client([.authentication(scheme, origins: [Self.api])])
            let error = await #expect(throws: AuthenticationError.self) {
                try await client.status(TokenServer.request())
            }
            expectAll((error?.reason, server.asked), (.missingCredential, []))
            expect(try await client.status(TokenServer.request(), options(.optional)), 200)
            expect(server.asked.map(\.token), [nil])
        }
    }

    @Test(.spec(101)) func aFieldOfTheCallerOrOfAnEarlierCredentialIsLeftAloneAndNeverRefreshed() async throws {
        let (server, refreshed) = (TokenServer(accepting: "new"), Recorder<Int>())
        let refreshing = AuthenticationScheme.bearer(refreshing("t", refreshed))
        let own = TokenServer.request().setting(header: .custom(name: "authorization", value: "Bearer own"))
        expect(try await server.client([.authentication(refreshing, origins: [Self.api])]).status(own), 401)
        let client = server.client([.bearer("fixed"), refreshing].map { .authentication($0, origins: [Self.api]) })
        expect(try await client.status(TokenServer.request()), 401)
        expectAll((server.tokens(), refreshed.count), (["own", "fixed"], 0))
    }

    @Test(.spec(99)) func anEmptyTokenFromARefreshIsAFailure() async throws {
        let (server, refreshed) = (TokenServer(accepting: "new"), Recorder<Int>())
        let client = server.client(refreshing("old", to: " ", refreshed))
        for _ in 1...2 {
            let error = await #expect(throws: AuthenticationError.self) {
                try await client.status(TokenServer.request())
            }
            expectAll((error?.reason, error?.response?.statusCode), (.refreshFailed, 401))
        }
        expectAll((server.tokens(), refreshed.count), (["old", "old"], 2))
    }

    @Test(.spec(101), arguments: [([HTTPStatus.unauthorized], 403, 0), ([401, 403], 403, 1), ([403], 401, 0)])
    func onlyTheStatusesOfThePolicyAreRefreshed(_ statuses: [HTTPStatus], status: Int, refreshes: Int) async throws {
        let (server, refreshed) = (TokenServer(accepting: "new", refusingWith: status), Recorder<Int>())
        let store = InMemoryCredentialStore(AccessToken("old"))
        let session = TokenSession(store: store, policy: .init(statuses: Set(statuses))) { _ in
            refreshed.record(1)
            return AccessToken("new")
        }
        expect(try await server.client(session).status(TokenServer.request()), (refreshes == 0 ? status : 200))
        expect(refreshed.count, refreshes)
    }

    @Test func aRefusalThatTheCallAcceptsIsRefreshedToo() async throws {
        let (server, refreshed) = (TokenServer(accepting: "new"), Recorder<Int>())
        let client = server.client(refreshing("old", refreshed))
        let options = CallOptions(acceptedStatuses: .successful.and(401))
        expect(try await client.status(TokenServer.request(), options), 200)
        server.accept("never")
        let response = try await client.fetch(request: TokenServer.request(), options: options)
        expectAll((response.httpResponse.statusCode, refreshed.count), (401, 2))
    }

    @Test func aFixedTokenThatIsRefusedIsSentOnceAndOneWithoutARefreshIsLoadedAgain() async throws {
        let server = TokenServer(accepting: "new")
        let fixed = server.client([.authentication(.bearer("old"), origins: [Self.api])])
        expect(try await fixed.status(TokenServer.request("/fixed")), 401)
        expect(server.tokens("/fixed"), ["old"])
        let store = InMemoryCredentialStore(AccessToken("old"))
        let client = server.client(TokenSession(store: store))
        expect(try await client.status(TokenServer.request()), 401)
        store.save(AccessToken("new"))
        expect(try await client.status(TokenServer.request()), 200)
        expect(server.tokens(), ["old", "new"])
    }

    @Test func aBodyThatCanBeReadOnceIsNotSentAgainButTheTokenIsRefreshed() async throws {
        let (server, refreshed) = (TokenServer(accepting: "new"), Recorder<Int>())
        let client = server.client(refreshing("old", refreshed))
        let body = ScriptedChunks([Data("x".utf8)])
        let oneShot = URLRequest.post(url: url("https://api.example.com/once")).bodyStream(body, length: 1).build()
        expect(try await client.status(oneShot), 401)
        expectAll((server.tokens("/once"), refreshed.count), (["old"], 1))
        expect(try await client.status(TokenServer.request()), 200)
        expectAll((server.tokens(), refreshed.count), (["new"], 1))
    }

    @Test func noTextShowsASecret() throws {
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("seCret")))
        let values: [Any] = [
            AccessToken("seCret", refreshToken: "seCret", expiry: Date(timeIntervalSince1970: 0)), session,
            InMemoryCredentialStore(AccessToken("seCret")), AuthenticationScheme.bearer("seCret"),
            AuthenticationScheme.apiKey(session),
            AuthenticationInterceptor(.bearer("seCret"), origins: []),
            AuthenticationError(.refreshFailed, underlying: NSError(domain: "seCret", code: 1)),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] { expect(text, lacks: "seCret") }
        }
        expect(
            "\(AccessToken("seCret", refreshToken: "r"))",
            "AccessToken(***, refresh token ***, expiry unknown)"
        )
        expect("\(AuthenticationScheme.bearer("t"))", "bearer(***)")
    }
}
