import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// Where the cache meets other features, over a transport without a network.
struct CacheMeetingTests {
    private let calendar = CacheCalendar()
    private let place = url("https://h/a")

    /// Returns a response with these fields, written as in `ETag: "1"`.
    private func response(_ body: String, status: Int = 200, _ fields: String...) -> StubTransport.Response {
        fields.reduce(.text(body, status: status)) { response, line in
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            return response.adding(header: .custom(name: String(parts[0]), value: value))
        }
    }

    private func client(
        _ transport: StubTransport,
        _ cache: ResponseCache? = nil,
        _ interceptors: [any InterceptorProtocol] = [],
        cookies: CookieStore? = nil
    ) -> NetworkClient {
        NetworkClient(
            transport: transport,
            interceptors: interceptors,
            configuration: .init(
                cookies: cookies,
                cache: cache ?? ResponseCache(),
                time: calendar
            )
        )
    }

    private func fetch(
        _ client: NetworkClient,
        _ fields: [String: String] = [:],
        method: String = "GET",
        policy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) async throws -> NetworkClient.Response<String> {
        var request = URLRequest(url: place)
        (request.httpMethod, request.cachePolicy) = (method, policy)
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return try await client.fetch(request: request)
    }

    // MARK: - Persons

    /// What confirms a private response: a 304, or the head of a HEAD, that calls it public.
    @Test(.spec(260), arguments: ["GET", "HEAD"])
    func aConfirmationNeverGivesAPrivateResponseToEverybody(method: String) async throws {
        let transport = StubTransport()
        transport.on(
            .get("/a"),
            response("ada", "Cache-Control: private, max-age=5", "ETag: \"1\""),
            response("bob", "Cache-Control: private, max-age=5")
        )
        transport.on(
            .get("/a").header("If-None-Match", "\"1\""),
            response("", status: 304, "Cache-Control: public, max-age=600", "ETag: \"1\"")
        )
        transport.on(.head("/a"), response("ada", "Cache-Control: public, max-age=600", "ETag: \"1\""))
        let client = client(transport)
        _ = try await fetch(client, ["Authorization": "Bearer a"])
        calendar.advance(by: 10)
        let confirmed = try await fetch(client, ["Authorization": "Bearer a"], method: method)
        expect(confirmed.item, method == "GET" ? "ada" : "")
        let other = try await fetch(client, ["Authorization": "Bearer b"])
        #expect(other.cacheStatus != .fresh && (method == "HEAD" || other.item == "bob"))
        let own = try await fetch(client, ["Authorization": "Bearer a"])
        #expect(own.cacheStatus == .fresh && own.item == "ada")
    }

    @Test(.spec(260)) func clientsThatDifferInSensitiveHeadersHaveNothingInCommon() async throws {
        let transport = StubTransport(otherwise: response("7", "Cache-Control: max-age=60"))
        let cache = ResponseCache()
        _ = try await fetch(client(transport, cache), ["X-Tenant": "7"])
        let other = NetworkClient(
            transport: transport,
            configuration: .init(sensitiveHeaders: ["X-Tenant"], cache: cache, time: calendar)
        )
        expect(try await fetch(other).cacheStatus, .network)
    }

    @Test(.spec(260)) func aResponseThatVariesByTheCredentialIsThePersonsWhateverTheTokenIs() async throws {
        let varying = response("a", "Cache-Control: public, max-age=60", "Vary: Authorization")
        let (transport, cache) = (StubTransport(otherwise: varying), ResponseCache())
        let (session, other) = (TokenSession(), TokenSession())
        let client = client(transport, cache, [.authentication(.bearer(session), origins: [place])])
        try await session.setToken(AccessToken("1"), person: "ada")
        _ = try await fetch(client)
        try await session.setToken(AccessToken("2"), person: "ada")
        expect(try await fetch(client).cacheStatus, .fresh)
        try await other.setToken(AccessToken("3"), person: "bob")
        let bobs = self.client(transport, cache, [.authentication(.bearer(other), origins: [place])])
        expect(try await fetch(bobs).cacheStatus, .network)
    }

    @Test(.spec(260)) func aValidationInTheBackgroundStoresNoCookies() async throws {
        let transport = StubTransport()
        transport.on(
            .get("/a"),
            response("a", "Cache-Control: max-age=5, stale-while-revalidate=60", "ETag: \"1\""),
            response("", status: 304, "ETag: \"1\"", "Set-Cookie: sid=ada", "Cache-Control: max-age=600")
        )
        let (store, cache) = (CookieStore(), ResponseCache())
        let client = client(transport, cache, cookies: store)
        _ = try await fetch(client)
        calendar.advance(by: 10)
        expect(try await fetch(client).cacheStatus, .stale)
        try await withDeadline("the validation") {
            while cache.statistics.stored == 0 || cache.flightCount > 0 { await Task.yield() }
        }
        expect(try await fetch(client).cacheStatus, .fresh)
        #expect(store.cookies.isEmpty)
    }

    // MARK: - Validation

    /// The fields of a 304 to a request for another language, and whether the stored response is its response.
    private static let variants: [(String, Bool)] = [
        ("X: 1", false), ("Last-Modified: Sat, 28 Nov 2026 12:00:00 GMT", false), ("ETag: \"1\"", true),
        ("ETag: \"2\"", false),
    ]

    @Test(.spec(259), arguments: variants)
    func aVariantThatTheRequestDoesNotSelectIsConfirmedByItsTagAlone(row: (String, Bool)) async throws {
        let transport = StubTransport()
        let fields = ["Cache-Control: max-age=60", "Vary: Accept-Language", "ETag: \"1\""]
        let first = fields.reduce(response("en", "Last-Modified: Sat, 28 Nov 2026 12:00:00 GMT")) { response, line in
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return response.adding(header: .custom(name: parts[0], value: parts[1]))
        }
        transport.on(.get("/a"), first, response("", status: 304, row.0), response("de", "ETag: \"2\""))
        let client = client(transport)
        _ = try await fetch(client, ["Accept-Language": "en"])
        let other = try await fetch(client, ["Accept-Language": "de"])
        #expect(other.item == (row.1 ? "en" : "de") && other.cacheStatus == (row.1 ? .revalidated : .network))
        let conditional = transport.requests[1]
        #expect(conditional[header: "If-None-Match"] == "\"1\"" && conditional[header: "If-Modified-Since"] == nil)
    }

    /// nginx weakens the tag of a response that it compresses, but not that of a 304.
    @Test(.spec(259)) func a304WithTheStrongFormOfAWeakTagConfirms() async throws {
        let transport = StubTransport()
        transport.on(
            .get("/a"),
            response("tea", "Cache-Control: max-age=5", "ETag: W/\"1\""),
            response("", status: 304, "Cache-Control: max-age=60", "ETag: \"1\"")
        )
        let client = client(transport)
        _ = try await fetch(client)
        calendar.advance(by: 10)
        let confirmed = try await fetch(client)
        #expect(confirmed.cacheStatus == .revalidated && confirmed["ETag"] == "W/\"1\"")
        expect(try await fetch(client).cacheStatus, .fresh)
    }

    @Test(.spec(259)) func aLateConfirmationDoesNotBringBackAnOlderResponse() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let count = Locked(0)
        let transport = StubTransport()
        transport.on(.get("/a")) { [self] request in
            switch count.withLock({ count in
                count += 1
                return count
            }) {
            case 1: return response("1", "Cache-Control: max-age=5", "ETag: \"1\"")
            case 2:
                arrived.open()
                try await gate.wait()
                return response("", status: 304, "ETag: \"1\"", "Cache-Control: max-age=60")
            default: return response("2", "Cache-Control: max-age=60", "ETag: \"2\"")
            }
        }
        let client = client(transport)
        _ = try await fetch(client)
        calendar.advance(by: 10)
        let late = Task { try await fetch(client) }
        try await arrived.wait()
        expect(try await fetch(client).item, "2")
        gate.open()
        expect(try await late.value.item, "1")
        expect(try await fetch(client).item, "2")
    }

    @Test(.spec(259)) func aReloadNeverEndsWithAStoredResponse() async throws {
        let transport = StubTransport()
        transport.on(.get("/a"), response("tea", "Cache-Control: max-age=60, stale-if-error=600"), .status(503))
        let client = client(transport)
        _ = try await fetch(client)
        for policy: URLRequest.CachePolicy in [
            .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData,
        ] {
            await #expect(throws: NetworkClient.Error.self) { try await fetch(client, policy: policy) }
        }
        // The failures have not removed it.
        expect(try await fetch(client).cacheStatus, .fresh)
    }

    @Test(.spec(259)) func aRequestThatStatesAnAgeGetsNoStaleResponseWithoutMaxStale() async throws {
        let control = "Cache-Control: max-age=10, stale-while-revalidate=100"
        let transport = StubTransport(otherwise: response("tea", control))
        let client = client(transport)
        _ = try await fetch(client)
        calendar.advance(by: 20)
        expect(try await fetch(client, ["Cache-Control": "max-age=600"]).cacheStatus, .network)
        calendar.advance(by: 20)
        expect(try await fetch(client, ["Cache-Control": "max-age=600, max-stale=60"]).cacheStatus, .stale)
    }

    @Test(.spec(259)) func aRequestForOnlyAStoredResponseIsNeverSentWhateverItIs() async throws {
        let control = "Cache-Control: max-age=10, stale-while-revalidate=100"
        let transport = StubTransport(otherwise: response("tea", control))
        let cache = ResponseCache()
        let client = client(transport, cache)
        _ = try await fetch(client)
        calendar.advance(by: 20)
        let only = ["Cache-Control": "only-if-cached"]
        expect(try await fetch(client, only).cacheStatus, .stale)
        for fields in [["If-None-Match": "\"1\""], ["Range": "bytes=0-1"]] {
            await #expect(throws: NetworkClient.Error.self) { try await fetch(client, only.merging(fields) { $1 }) }
        }
        await #expect(throws: NetworkClient.Error.self) { try await fetch(client, only, method: "POST") }
        #expect(transport.requests.count == 1 && cache.flightCount == 0)
    }

    @Test(.spec(261)) func aConfirmedResponseHasTheMetricsOfItsExchange() async throws {
        let server = try LoopbackServer { [calendar] request in
            request.value(forHeader: "If-None-Match") == nil
                ? calendar.response("tea", ["ETag": "\"1\""], control: "no-cache") : .respond(status: 304)
        }
        let client = NetworkClient(configuration: .init(cache: ResponseCache(), time: calendar))
        for status in [CacheStatus.network, .revalidated] {
            let response = try await client.fetch(.get(url: server.url("/a")), as: String.self)
            #expect(response.cacheStatus == status && response.metrics?.bodyBytesReceived != nil)
        }
    }

    /// The fields of the wait are those that the 304 leaves unchanged.
    @Test(.spec(261)) func aConfirmedResponseAsksForNoWaitOfThePast() async throws {
        let transport = StubTransport()
        let limit = ["Cache-Control: no-cache", "ETag: \"1\"", "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 30"]
        transport.on(.get("/a"), response("tea", limit[0], limit[1], limit[2], limit[3]), .status(304))
        let clock = TestClock(advancesItself: true)
        let client = NetworkClient(
            transport: transport,
            interceptors: [RateLimitInterceptor(1_000)],
            configuration: .init(cache: ResponseCache(), time: clock)
        )
        _ = try await fetch(client)
        for _ in 1...3 { expect(try await fetch(client).cacheStatus, .revalidated) }
        expect(clock.sleeps.filter { $0 > 1 }, [30])
    }

    // MARK: - Interceptors

    @Test(.spec(261)) func aHitCountsForNoCircuitAndPausesNoRequests() async throws {
        let transport = StubTransport()
        transport.on(
            .get("/a"),
            response(
                "tea",
                "Cache-Control: max-age=600",
                "X-RateLimit-Remaining: 0",
                "X-RateLimit-Reset: 30"
            )
        )
        transport.on(.get("/a").header("X-Fails", "1"), response("", status: 500, "Cache-Control: max-age=600"))
        let thresholds = CircuitBreakerInterceptor.Thresholds(failureRatio: 0.5, minimumRequests: 3)
        let limit = RateLimitInterceptor(1_000)
        let breaker = CircuitBreakerInterceptor(thresholds)
        let clock = TestClock(advancesItself: true)
        let client = NetworkClient(
            transport: transport,
            interceptors: [limit, breaker],
            configuration: .init(cache: ResponseCache(), time: clock)
        )
        _ = try await fetch(client)
        for _ in 1...5 { expect(try await fetch(client).cacheStatus, .fresh) }
        expect(clock.sleeps.filter { $0 > 1 }, [30], "the wait of the response of the server")
        // One failure of the server, and nine of the cache, which open no circuit.
        let failing = NetworkClient(
            transport: transport,
            interceptors: [breaker],
            configuration: .init(cache: ResponseCache(), time: clock)
        )
        for _ in 1...10 {
            await #expect(throws: NetworkClient.Error.self) { try await fetch(failing, ["X-Fails": "1"]) }
        }
    }
}
