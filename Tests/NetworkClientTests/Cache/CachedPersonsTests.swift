import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// A cache keeps the responses of one person from another.
struct CachedPersonsTests {
    private let calendar = CacheCalendar()

    /// A server whose response names who asked.
    private func server(_ control: String = "max-age=60", _ headers: WireFields = [:]) throws -> LoopbackServer {
        try LoopbackServer { [calendar] request in
            let token = request.value(forHeader: "Authorization") ?? request.value(forHeader: "X-API-Key")
            let name = token ?? request.value(forHeader: "Cookie") ?? "nobody"
            return calendar.response(name, headers, control: control)
        }
    }

    private func text(
        _ client: NetworkClient,
        _ url: URL,
        _ fields: [String: String] = [:]
    ) async throws -> NetworkClient.Response<String> {
        var request = URLRequest(url: url)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return try await client.fetch(request: request)
    }

    private func client(
        _ transport: TransportUnderTest,
        _ session: TokenSession,
        _ server: LoopbackServer,
        _ cache: ResponseCache
    ) throws -> NetworkClient {
        try transport.client(
            interceptors: [.authentication(.bearer(session), origins: [server.url], requirement: .optional)],
            configuration: .init(cache: cache, time: calendar)
        )
    }

    @Test(.spec(260), arguments: TransportUnderTest.all)
    func aPersonKeepsTheResponsesThroughRefreshesAndLosesThemWithTheSignOut(
        transport: TransportUnderTest
    ) async throws {
        let (server, session, cache) = (try server(), TokenSession(), ResponseCache())
        let client = try client(transport, session, server, cache)
        func item() async throws -> String { try await text(client, server.url("/me")).item }
        expect(try await item(), "nobody")
        try await session.setToken(AccessToken("a1"), person: "ada")
        expect(try await item(), "Bearer a1")
        try await session.setToken(AccessToken("a2"), person: "ada")
        expect(try await item(), "Bearer a1", "the same person")
        try await session.setToken(AccessToken("b1"), person: "bob")
        expect(try await item(), "Bearer b1")
        expect(cache.statistics.stored, 2, "those of nobody and of bob")
        try await session.signOut()
        expect(try await item(), "nobody")
        try await session.setToken(AccessToken("a3"), person: "ada")
        expect(try await item(), "Bearer a3", "signed in again")
        expect(server.requestCount, 4)
    }

    @Test(.spec(260), arguments: TransportUnderTest.all)
    func aStoredResponseNeedsNoTokenAndItsValidationGetsOneOfTheSamePerson(transport: TransportUnderTest) async throws {
        let (refreshes, gate) = (Locked(0), Gate())
        let session = TokenSession { _ in
            refreshes.withLock { $0 += 1 }
            try await gate.wait()
            return AccessToken("a2")
        }
        let server = try server("max-age=300, stale-while-revalidate=600")
        let cache = ResponseCache()
        let client = try client(transport, session, server, cache)
        func response() async throws -> NetworkClient.Response<String> { try await text(client, server.url("/me")) }
        try await session.setToken(AccessToken("a1", refreshToken: "r", expiresIn: 100), person: "ada")
        expect(try await response().item, "Bearer a1")
        calendar.advance(by: 200)
        expect(try await response().cacheStatus, .fresh)
        expect(refreshes.withLock(\.self), 0)
        calendar.advance(by: 200)
        expect(try await response().cacheStatus, .stale)
        gate.open()
        try await withDeadline("the validation") { while cache.flightCount > 0 { await Task.yield() } }
        let next = try await response()
        #expect(next.item == "Bearer a2" && next.cacheStatus == .fresh)
        expect(refreshes.withLock(\.self), 1)
        expect(server.requestCount, 2)
    }

    @Test(.spec(260), arguments: TransportUnderTest.all, [true, false])
    func aValidationThatWaitsForATokenEndsWithASignInOrCancelAll(
        transport: TransportUnderTest,
        isSignIn: Bool
    ) async throws {
        let (gate, isRefreshing) = (Gate(), Gate())
        let session = TokenSession { _ in
            isRefreshing.open()
            try await gate.wait()
            return AccessToken("a2")
        }
        let server = try server("max-age=300, stale-while-revalidate=600")
        let cache = ResponseCache()
        let client = try client(transport, session, server, cache)
        try await session.setToken(AccessToken("a1", refreshToken: "r", expiresIn: 100), person: "ada")
        expect(try await text(client, server.url("/me")).item, "Bearer a1")
        calendar.advance(by: 400)
        expect(try await text(client, server.url("/me")).cacheStatus, .stale)
        try await withDeadline { try await isRefreshing.wait() }
        if isSignIn { try await session.setToken(AccessToken("b"), person: "bob") } else { client.cancelAll() }
        try await withDeadline("the validation") { while cache.flightCount > 0 { await Task.yield() } }
        gate.open()
        expect(server.requestCount, 1)
        if isSignIn { expect(try await text(client, server.url("/me")).item, "Bearer b") }
    }

    /// A second session for the same field adds nothing, and a key beside a session is known without waiting.
    @Test(.spec(260), arguments: TransportUnderTest.all, ["X-API-Key", "Authorization"])
    func aStoredResponseNeedsNoRefreshEvenIfTheRequestHasASecondCredential(
        transport: TransportUnderTest,
        field: String
    ) async throws {
        let (session, other) = (TokenSession { _ in throw URLError(.timedOut) }, TokenSession())
        let (server, cache) = (try server("max-age=300"), ResponseCache())
        let scheme: AuthenticationScheme = field == "Authorization" ? .bearer(other) : .apiKey("k", header: field)
        let client = try transport.client(
            interceptors: [.bearer(session), scheme].map { .authentication($0, origins: [server.url]) },
            configuration: .init(cache: cache, time: calendar)
        )
        try await session.setToken(AccessToken("a1", refreshToken: "r", expiresIn: 100), person: "ada")
        try await other.setToken(AccessToken("b1"), person: "bob")
        expect(try await text(client, server.url("/me")).item, "Bearer a1")
        calendar.advance(by: 200)
        let response = try await text(client, server.url("/me"))
        #expect(response.item == "Bearer a1" && response.cacheStatus == .fresh)
    }

    @Test(.spec(260), arguments: TransportUnderTest.all)
    func aResponseWithoutTheOptionalCredentialIsNotStoredForThePerson(transport: TransportUnderTest) async throws {
        struct Store: CredentialStore {
            let wrapped = InMemoryCredentialStore()
            let isLocked = Locked(false)
            func load() async throws -> AccessToken? { wrapped.load() }
            func save(_ token: AccessToken) async throws { wrapped.save(token) }
            func remove() async throws { wrapped.remove() }
            func withExclusiveAccess<Output: Sendable>(
                _ body: @escaping @Sendable () async throws -> Output
            ) async throws -> Output {
                guard !isLocked.withLock({ $0 }) else { throw URLError(.cannotOpenFile) }
                return try await body()
            }
        }
        let store = Store()
        let session = TokenSession(store: store) { _ in AccessToken("a2") }
        let (server, cache) = (try server(), ResponseCache())
        let client = try client(transport, session, server, cache)
        try await session.setToken(AccessToken("a1", refreshToken: "r", expiresIn: 100), person: "ada")
        expect(try await text(client, server.url("/other")).item, "Bearer a1")
        calendar.advance(by: 200)
        store.isLocked.withLock { $0 = true }
        expect(try await text(client, server.url("/me")).item, "nobody")
        store.isLocked.withLock { $0 = false }
        expect(try await text(client, server.url("/me")).item, "Bearer a2")
        expect(cache.statistics.stored, 2, "ada's alone")
    }

    @Test(.spec(260), arguments: TransportUnderTest.all)
    func aResponseThatEndsAfterTheSignOutReachesNobodyElse(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { [calendar] request in
            let name = request.value(forHeader: "Authorization") ?? "nobody"
            return name == "Bearer a" ? [.wait(gate), calendar.response(name)] : calendar.response(name)
        }
        let (session, cache) = (TokenSession(), ResponseCache())
        let client = try client(transport, session, server, cache)
        try await session.setToken(AccessToken("a"), person: "ada")
        let call = Task { try await text(client, server.url("/me")).item }
        try await server.waitForHeads(count: 1)
        try await session.signOut()
        try await session.setToken(AccessToken("b"), person: "bob")
        expect(try await text(client, server.url("/me")).item, "Bearer b")
        gate.open()
        expect(try await call.value, "Bearer a")
        expect(try await text(client, server.url("/me")).item, "Bearer b")
        expect(cache.statistics.stored, 1, "bob's alone")
    }

    @Test(.spec(260), arguments: TransportUnderTest.all)
    func otherCredentialsAndCookiesAreOtherPersons(transport: TransportUnderTest) async throws {
        let (server, cache) = (try server(), ResponseCache())
        let client = try transport.client(
            configuration: .init(sensitiveHeaders: ["X-Tenant"], cache: cache, time: calendar)
        )
        let persons: [[String: String]] = [
            [:], ["Authorization": "Bearer a"], ["Authorization": "Bearer b"], ["X-API-Key": "a"], ["Cookie": "sid=a"],
            ["Cookie": "sid=b"], ["Authorization": "Bearer a", "Cookie": "sid=a"], ["X-Tenant": "1"], ["X-Tenant": "2"],
        ]
        for round in 1...2 {
            for fields in persons {
                let response = try await text(client, server.url("/me"), fields)
                expect(response.cacheStatus, round == 1 ? .network : .fresh, "\(fields)")
                let name = fields["Authorization"] ?? fields["X-API-Key"] ?? fields["Cookie"] ?? "nobody"
                expect(response.item, name)
            }
        }
        let withUser = url(server.url("/me").absoluteString.replacingOccurrences(of: "//", with: "//ada:secret@"))
        #expect(try await text(client, withUser).cacheStatus == .network)
        #expect(try await text(client, withUser).cacheStatus == .fresh)
        for text in ["\(cache)", "\(client.configuration)", String(reflecting: cache)] {
            #expect(!text.contains("secret") && !text.contains("Bearer"), "\(text)")
        }
    }

    @Test(.spec(260), arguments: TransportUnderTest.all)
    func cookiesThatIdentifyNobodyNeedNotSeparate(transport: TransportUnderTest) async throws {
        let (server, cache) = (try server(), ResponseCache(separatesCookies: false))
        let client = try transport.client(configuration: .init(cache: cache, time: calendar))
        #expect(try await text(client, server.url("/me"), ["Cookie": "a=1"]).cacheStatus == .network)
        #expect(try await text(client, server.url("/me"), ["Cookie": "a=2"]).cacheStatus == .fresh)
        let varying = try self.server("max-age=60", ["Vary": "Cookie"])
        #expect(try await text(client, varying.url("/me"), ["Cookie": "a=1"]).item == "a=1")
        #expect(try await text(client, varying.url("/me"), ["Cookie": "a=2"]).item == "a=2")
    }

    /// The `Cache-Control` of a response to one person, and whether another one gets it.
    private static let controls: [(String, Bool)] = [
        ("public, max-age=60", true), ("max-age=60", false), ("public, private, max-age=60", false),
        ("public, must-revalidate, max-age=60", false), ("public, no-cache, max-age=60", false),
        ("public, max-age=60, private=\"\"", false), ("public=x, max-age=60", false),
        ("s-maxage=60, max-age=60", false),
    ]

    @Test(.spec(260), arguments: controls)
    func anotherPersonGetsOnlyWhatIsPublic(row: (control: String, isForAll: Bool)) async throws {
        let (server, cache) = (try server(row.control), ResponseCache())
        let client = NetworkClient(configuration: .init(cache: cache, time: calendar))
        _ = try await text(client, server.url("/me"), ["Authorization": "Bearer a"])
        let item = try await text(client, server.url("/me"), ["Authorization": "Bearer b"]).item
        expect(item, row.isForAll ? "Bearer a" : "Bearer b")
        // A stale response of another person is not used, whatever the request allows (CVE-2026-93748).
        calendar.advance(by: 100)
        let fields = ["Authorization": "Bearer c", "Cache-Control": "max-stale"]
        expect(try await text(client, server.url("/me"), fields).item, "Bearer c")
    }

    @Test(.spec(260)) func aPublicResponseThatSetsACookieIsOnePersons() async throws {
        let server = try server("public, max-age=60", ["Set-Cookie": "sid=1"])
        let client = NetworkClient(configuration: .init(cache: ResponseCache(), time: calendar))
        expect(try await text(client, server.url("/me"), ["Authorization": "Bearer a"]).item, "Bearer a")
        expect(try await text(client, server.url("/me"), ["Authorization": "Bearer b"]).item, "Bearer b")
    }

    @Test(.spec(260)) func aSessionThatStoresCookiesHasNoCache() {
        let session = URLSessionConfiguration.ephemeral
        (session.urlCache, session.urlCredentialStorage) = (nil, nil)
        let configuration = NetworkClient.Configuration(cache: ResponseCache(), time: calendar)
        let client = NetworkClient(session: URLSession(configuration: session), configuration: configuration)
        #expect(client.configuration.cache == nil)
        session.httpCookieStorage = nil
        let other = NetworkClient(session: URLSession(configuration: session), configuration: configuration)
        #expect(other.configuration.cache != nil)
    }
}
