import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// Stored responses when a server is down, or the device has no network: what fails is outside the cache.
struct CacheOutageTests {
    private let clock = TestClock(advancesItself: true)
    private let transport: StubTransport

    init() {
        transport = StubTransport(time: clock)
    }

    private func client(
        _ interceptors: [any InterceptorProtocol],
        _ cache: ResponseCache = ResponseCache(staleIfError: 600)
    ) -> NetworkClient {
        let configuration = NetworkClient.Configuration(baseURL: url("https://h"), cache: cache, time: clock)
        return NetworkClient(
            transport: transport,
            interceptors: interceptors,
            logging: .off,
            configuration: configuration
        )
    }

    private func fetch(
        _ client: NetworkClient,
        _ path: String = "/a",
        _ policy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        isShared: Bool = false
    ) async throws -> NetworkClient.Response<String> {
        var request = URLRequest(url: url("https://h\(path)"), cachePolicy: policy)
        if isShared { request = request.withInstanceCaching() }
        return try await client.fetch(request: request)
    }

    private func response(_ text: String, _ control: String? = "max-age=60") -> StubTransport.Response {
        .text(text).setting(header: .custom(name: "Cache-Control", value: control))
    }

    /// The attempt of the standard stack may wait for 10 s.
    @Test(.spec(293), arguments: [true, false])
    func aSilentServerIsCoveredWhenTheFirstAttemptEnds(isShared: Bool) async throws {
        transport.on(.get("/a"), response("tea"), response("late").delayed(by: 100_000))
        let client = client([.standardResilience])
        expect(try await fetch(client, isShared: isShared).item, "tea")
        clock.advance(by: 100)
        let begin = clock.now
        let response = try await fetch(client, isShared: isShared)
        #expect(response.item == "tea" && response.cacheStatus == .staleOnError && response.journey.attempts == 1)
        if !isShared { expect(Int((clock.now - begin).rounded()), 10) }
        #expect("\(response.journey)".contains("instead of the error: timedOut"), "\(response.journey)")
        // The deadline of the call is a limit of its attempt, too.
        let urgent = CallOptions(deadline: 1)
        let request = URLRequest(url: url("https://h/a"))
        expect(try await client.fetch(request, as: String.self, options: urgent).cacheStatus, .staleOnError)
    }

    /// A third of the calls has a stale response, a third a fresh one, a third none.
    @Test(.spec(293)) func anOpenCircuitHidesNoStoredResponse() async throws {
        transport.on(.get("/none"), .status(503))
        transport.on(.get("/stale"), response("tea"), .status(503))
        transport.on(.get("/fresh"), response("tea", "max-age=100000"), .status(503))
        let client = client([try .standardResilience(retry: RetryPolicy(retries: 0))])
        for path in ["/stale", "/fresh"] { _ = try await fetch(client, path) }
        clock.advance(by: 100)
        var served: [CacheStatus?] = []
        var refused = 0
        for number in 0..<60 {
            let path = ["/none", "/stale", "/fresh"][number % 3]
            do { served.append(try await fetch(client, path).cacheStatus) } catch {
                if error is CircuitOpenError { refused += 1 }
            }
        }
        expect(served.filter { $0 == .staleOnError }.count, 20)
        expect(served.filter { $0 == .fresh }.count, 20)
        // The failures behind stale responses open the circuit, too, and no call reaches the server then.
        #expect(refused >= 5)
        #expect(transport.requests.count < 32)
    }

    @Test(.spec(292, 293), arguments: [true, false])
    func anExpiredTokenKeepsNoStoredResponseBack(isShared: Bool) async throws {
        let (refreshes, failure) = (Locked(0), Locked(TransportError(.connectionRefused) as any Error))
        let session = TokenSession { _ in
            refreshes.withLock { $0 += 1 }
            throw failure.withLock(\.self)
        }
        try await session.setToken(AccessToken("old", expiry: clock.date.addingTimeInterval(300)), person: "ada")
        transport.on(.get("/a"), response("tea", "max-age=600"))
        let client = client([.authentication(.bearer(session))])
        @Sendable func status(_ policy: URLRequest.CachePolicy = .useProtocolCachePolicy) async throws -> CacheStatus? {
            try await fetch(client, "/a", policy, isShared: isShared).cacheStatus
        }
        _ = try await status()
        clock.advance(by: 400)
        expect(try await status(), .fresh)
        clock.advance(by: 400)
        expect(try await status(.returnCacheDataElseLoad), .stale)
        expect(try await status(.returnCacheDataDontLoad), .stale)
        expect([transport.requests.count, refreshes.withLock(\.self)], [1, 0])
        expect(try await status(), .staleOnError)
        expect([transport.requests.count, refreshes.withLock(\.self)], [1, 1])
        // The person has to sign in again, which no stored response hides.
        failure.withLock { $0 = OAuthError(.invalidGrant) }
        clock.advance(by: 100)
        await #expect(throws: AuthenticationError.self) { try await status() }
    }

    /// Of the waits on this side, only that for a token is one for a server.
    @Test(.spec(293)) func aLimitThatPassesBehindATokenIsAnOutage() {
        let waits: [TransportError.LocalWait?] = [nil, .credential, .turn, .rateLimit]
        let errors = waits.map { TransportError(passed: .wait(10), waitingIn: $0, request: nil) }
        expect(errors.map(\.isOutage), [true, true, false, false])
    }

    @Test(.spec(294), arguments: [(nil, true), ("max-age=0", true), ("no-store", false)])
    func whatHasNeitherFreshnessNorValidatorIsKeptForErrorsAlone(row: (control: String?, isKept: Bool)) async throws {
        let refused = StubTransport.Response.failure(.connectionRefused)
        transport.on(.get("/a"), response("1", row.control), response("2", row.control), refused)
        let client = client([])
        for item in ["1", "2"] { expect(try await fetch(client).item, item) }
        if row.isKept {
            let covered = try await fetch(client)
            #expect(covered.item == "2" && covered.cacheStatus == .staleOnError)
            clock.advance(by: 700)
        }
        await #expect(throws: NetworkClient.Error.self) { try await fetch(client) }
    }
}
