import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// What a session keeps in its store, and when it reads the store.
struct TokenSessionStoreTests {
    private struct NoToken: Error {}

    private static let old = AccessToken("old", refreshToken: "r")

    @Test func signingInAndOutAppliesToTheNextRequestAndToTheStore() async throws {
        let (server, store) = (TokenServer(accepting: "mine"), InMemoryCredentialStore())
        let session = TokenSession(store: store) { _ in throw NoToken() }
        let client = server.client(session)
        try await session.setToken(AccessToken("mine"))
        expect(try await client.status(TokenServer.request()), 200)
        expect(store.load(), AccessToken("mine"))
        try await session.setToken(nil)
        expect(store.load(), nil)
        let error = await #expect(throws: AuthenticationError.self) { try await client.status(TokenServer.request()) }
        expect(error?.reason, .missingCredential)
        store.save(AccessToken("mine"))
        expect(try await client.status(TokenServer.request()), 200)
    }

    /// A store whose first write waits for a gate, as on a slow disk.
    private struct SlowStore: CredentialStore {
        let stored = InMemoryCredentialStore()
        let writing = Gate()
        let gate = Gate()

        func load() -> AccessToken? { stored.load() }
        func remove() { stored.remove() }

        func save(_ token: AccessToken) async throws {
            writing.open()
            try await gate.wait()
            stored.save(token)
        }
    }

    @Test func ofTwoChangesAtOnceTheStoreKeepsTheLast() async throws {
        let store = SlowStore()
        let session = TokenSession(store: store)
        let signIn = Task { try await session.setToken(AccessToken("a")) }
        try await withDeadline { try await store.writing.wait() }
        try await session.setToken(nil)
        store.gate.open()
        try await withDeadline { try await signIn.value }
        expect(store.load(), nil)
        expect(try await session.currentToken(), nil)
    }

    @Test func aTokenThatIsSetOnAnAdvancedClockIsUsed() async throws {
        let (server, clock, refreshed) = (TokenServer(accepting: "old"), TestClock(), Recorder<AccessToken>())
        let session = TokenSession(store: InMemoryCredentialStore(Self.old)) { token in
            refreshed.record(token)
            return token
        }
        let client = server.client(session, time: clock)
        expect(try await client.status(TokenServer.request()), 200)
        clock.advance(by: 7_200)
        server.accept("new")
        try await session.setToken(AccessToken("new", refreshToken: "r", expiresIn: 3_600))
        expectAll(try await (client.status(TokenServer.request()), refreshed.count), (200, 0))
    }

    @Test func aStoreThatFailsIsReportedAndAskedAgain() async throws {
        struct Locking: CredentialStore {
            let isOpen = Locked(false)
            func load() throws -> AccessToken? {
                guard isOpen.withLock({ $0 }) else { throw NoToken() }
                return AccessToken("t")
            }
            func save(_ token: AccessToken) throws { throw NoToken() }
            func remove() throws { throw NoToken() }
        }
        let (server, store) = (TokenServer(accepting: "t"), Locking())
        let session = TokenSession(store: store) { _ in AccessToken("new") }
        let client = server.client(session)
        let error = await #expect(throws: AuthenticationError.self) { try await client.status(TokenServer.request()) }
        #expect(error?.reason == .storeFailed && error?.underlying is NoToken && server.asked.isEmpty)
        store.isOpen.withLock { $0 = true }
        expect(try await client.status(TokenServer.request()), 200)
        // A new token is used although it cannot be stored.
        server.accept("new")
        expect(try await client.status(TokenServer.request()), 200)
        expect(try await client.status(TokenServer.request()), 200)
        expect(server.tokens(), ["t", "t", "new", "new"])
        let failure = await #expect(throws: AuthenticationError.self) { try await session.setToken(nil) }
        expect(failure?.description, "The store of the credential failed (NoToken).")
        let signedOut = await #expect(throws: AuthenticationError.self) {
            try await client.status(TokenServer.request())
        }
        expect(signedOut?.reason, .missingCredential)
    }
}
