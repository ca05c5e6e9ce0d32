import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Refreshes that are early or late, tokens that are stored late, and clocks that jump.
struct TokenSessionLateTests {
    private static let old = AccessToken("old", refreshToken: "r0")

    @Test(.spec(203), arguments: [false, true], [nil, old])
    func onAClockThatAdvancesItselfNoLimitPassesAWaitForTheToken(isStandard: Bool, token: AccessToken?) async throws {
        for _ in 0..<50 {
            let (clock, transport) = (TestClock(advancesItself: true), StubTransport())
            transport.on(.get("/"), .status(503), .status(200))
            let bearer = AuthenticationScheme.bearer(store: InMemoryCredentialStore(token)) { $0 }
            let outer: [any InterceptorProtocol] = isStandard ? [try .standardResilience()] : [.deadline(30), .retry()]
            let client = NetworkClient(
                transport: transport,
                interceptors: outer
                    + [.authentication(bearer, origins: [TokenServer.origin], requirement: .optional)],
                configuration: .init(time: clock)
            )
            let journey = try await client.fetch(request: TokenServer.request()).journey
            expectAll((journey.attempts, clock.sleeps.count), (2, 1))
        }
    }

    @Test(.spec(202)) func whileATokenIsGoodNobodyWaitsForItsEarlyRenewal() async throws {
        let (server, clock) = (TokenServer(accepting: "old"), TestClock())
        let (renewing, gate) = (Gate(), Gate())
        let token = AccessToken("old", refreshToken: "r0", expiresIn: 1_000)
        let session = TokenSession(store: InMemoryCredentialStore(token)) { _ in
            renewing.open()
            try await gate.wait()
            server.accept("new")
            return AccessToken("new", expiresIn: 1_000)
        }
        let client = server.client(session, time: clock)
        expect(try await client.status(TokenServer.request()), 200)
        clock.advance(by: 980)
        for _ in 0..<2 { expect(try await withDeadline { try await client.status(TokenServer.request()) }, 200) }
        try await renewing.wait()
        // It has expired: now they wait.
        clock.advance(by: 30)
        let call = Task { try await client.status(TokenServer.request("/expired")) }
        gate.open()
        expect(try await withDeadline { try await call.value }, 200)
        expectAll((server.tokens(), server.tokens("/expired")), (["old", "old", "old"], ["new"]))
    }

    @Test(.spec(202), arguments: [false, true])
    func aRefreshThatSucceedsAfterItsLimitIsKept(isSignedOut: Bool) async throws {
        let (server, clock, store) = (TokenServer(accepting: "late"), TestClock(), InMemoryCredentialStore(Self.old))
        let (refreshed, gate, done) = (Recorder<String?>(), Gate(), Gate())
        let session = TokenSession(store: store, policy: .init(timeout: 2)) { old in
            refreshed.record(old.refreshToken)
            // As a function with a callback, which knows no cancellation.
            await Task.detached { try? await gate.wait() }.value
            defer { done.open() }
            return AccessToken("late", refreshToken: "r1")
        }
        let client = server.client(session, time: clock)
        let call = Task { try await client.status(TokenServer.request()) }
        try await clock.waitForSleepers()
        clock.advance(by: 2)
        let error = await #expect(throws: AuthenticationError.self) { try await withDeadline { try await call.value } }
        expect(error?.reason, .refreshTimedOut)
        if isSignedOut { try await session.setToken(nil) }
        gate.open()
        try await done.wait()
        if isSignedOut {
            expect(try await session.currentToken(), nil)
            expect(store.load(), nil)
        } else {
            try await eventually("the late token in the store") { store.load()?.refreshToken == "r1" }
            expect(try await client.status(TokenServer.request()), 200)
        }
        expect(refreshed.values, ["r0"])
    }

    /// A store whose writes fail until it is repaired.
    private struct FullStore: CredentialStore {
        struct NoSpace: Error {}

        let stored = InMemoryCredentialStore(old)
        let isFull = Locked(true)
        var revision: UInt64? { stored.revision }
        func load() -> AccessToken? { stored.load() }
        func remove() throws { try write { stored.remove() } }
        func save(_ token: AccessToken) throws { try write { stored.save(token) } }
        func write(_ change: () -> Void) throws { if isFull.withLock({ $0 }) { throw NoSpace() } else { change() } }
    }

    @Test(.spec(202)) func aTokenThatCouldNotBeStoredIsStoredLaterAndTheJourneySaysSo() async throws {
        let (server, store) = (TokenServer(accepting: "new"), FullStore())
        let session = TokenSession(store: store) { _ in AccessToken("new", refreshToken: "r1") }
        let client = server.client(session)
        let journey = try await client.fetch(request: TokenServer.request()).journey.description
        let decision = "decision: AuthenticationInterceptor: stores the credential again, since its store failed"
        #expect(journey.contains(decision))
        expect(store.load(), Self.old)
        store.isFull.withLock { $0 = false }
        expect(try await client.status(TokenServer.request()), 200)
        try await eventually("the new token in the store") { store.load()?.refreshToken == "r1" }
        #expect(try await !client.fetch(request: TokenServer.request()).journey.description.contains(decision))
    }

    @Test func aSignOutThatTheStoreRefusedIsRepeatedAndTakesAwayNoTokenOfAnother() async throws {
        let (server, store) = (TokenServer(accepting: "old"), FullStore())
        let session = TokenSession(store: store)
        let client = server.client(session)
        expect(try await client.status(TokenServer.request()), 200)
        await #expect(throws: AuthenticationError.self) { try await session.signOut() }
        store.stored.save(AccessToken("bob"))
        store.isFull.withLock { $0 = false }
        server.accept("bob")
        try await withDeadline {
            while try await session.currentToken() == nil { await Task.yield() }
        }
        expect(try await client.status(TokenServer.request()), 200)
        expect(store.load(), AccessToken("bob"))
    }

    @Test(.spec(200), arguments: [nil, AccessToken("bob")])
    func whatAnUnreadStoreHasDoesNotReturnWhenTheFirstWriteFails(next: AccessToken?) async throws {
        let (server, store) = (TokenServer(accepting: "bob"), FullStore())
        let session = TokenSession(store: store)
        let client = server.client(session)
        await #expect(throws: AuthenticationError.self) { try await session.setToken(next) }
        _ = try? await client.status(TokenServer.request())
        store.isFull.withLock { $0 = false }
        // The store is tried again beside a request.
        try await withDeadline("the write") {
            while store.load() != next { _ = try? await client.status(TokenServer.request()) }
        }
        #expect(!server.tokens().contains("old"))
    }
}
