import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// A session whose person changes, in the app or in the store, while calls are in flight.
struct TokenSessionPersonTests {
    private static let alice = AccessToken("alice", refreshToken: "ra")
    private static let bob = AccessToken("bob", refreshToken: "rb")

    /// A session of Alice's, whose refreshes are recorded and return `next`.
    private func session(
        _ store: some CredentialStore,
        _ refreshed: Recorder<String?> = Recorder(),
        next: AccessToken = AccessToken("next", refreshToken: "rn")
    ) -> TokenSession {
        TokenSession(store: store) { old in
            refreshed.record(old.refreshToken)
            return next
        }
    }

    private func reason(_ call: @escaping @Sendable () async throws -> some Sendable) async -> AuthenticationError
        .Reason?
    {
        await #expect(throws: AuthenticationError.self) { try await withDeadline { _ = try await call() } }?.reason
    }

    @Test(.spec(200), arguments: [nil, bob])
    func aRefusedCallIsNotSentAgainInTheNameOfAnother(next: AccessToken?) async throws {
        let (gate, refreshed, store) = (Gate(), Recorder<String?>(), InMemoryCredentialStore(Self.alice))
        let server = TokenServer(accepting: "bob", gates: ["/photo": gate])
        let session = session(store, refreshed)
        let client = server.client(session)
        let call = Task { try await client.status(TokenServer.request("/photo")) }
        try await server.waitForRequests(1)
        if let next { try await session.setToken(next) } else { try await session.signOut() }
        gate.open()
        let error = await #expect(throws: AuthenticationError.self) { try await withDeadline { try await call.value } }
        #expect(error?.reason == .signedOut && error?.response?.statusCode == 401)
        #expect(
            error?.description == "The request to 'https://api.example.com/photo' cannot be authenticated: "
                + "the person who began the call has signed out, or another person has signed in."
        )
        #expect(server.tokens("/photo") == ["alice"] && refreshed.count == 0 && store.load() == next)
    }

    /// What a retry asks before it sends again.
    @Test(.spec(200), arguments: [nil, bob])
    func aLaterAttemptOfACallGetsNoTokenOfAnother(next: AccessToken?) async throws {
        let session = session(InMemoryCredentialStore(Self.alice))
        guard case .use(let issued) = try await session.verdict(on: .credential(of: nil), for: nil) else {
            return #expect(Bool(false), "the token was not loaded")
        }
        guard case .use(let same) = try await session.verdict(on: .credential(of: issued.person), for: nil) else {
            return #expect(Bool(false), "the same person got no token")
        }
        #expect(same.token == Self.alice)
        try await session.setToken(next)
        guard case .failed(let error) = try await session.verdict(on: .credential(of: issued.person), for: nil) else {
            return #expect(Bool(false), "a token was given to a call of another")
        }
        #expect(error.reason == .signedOut)
    }

    @Test(.spec(200)) func aCallThatWaitsForARefreshIsNotSentAfterAChangeOfPerson() async throws {
        let (server, refreshing, never) = (TokenServer(accepting: "bob"), Gate(), Gate())
        let expired = AccessToken("alice", refreshToken: "ra", expiry: Date(timeIntervalSince1970: 1))
        let session = TokenSession(store: InMemoryCredentialStore(expired)) { _ in
            refreshing.open()
            try await never.wait()
            return Self.alice
        }
        let client = server.client(session)
        let call = Task { try await client.status(TokenServer.request()) }
        try await refreshing.wait()
        try await session.setToken(Self.bob)
        #expect(await reason { try await call.value } == .signedOut)
        #expect(server.asked.isEmpty)
        #expect(try await client.status(TokenServer.request()) == 200)
    }

    /// An app may replace a token itself, without a change of person.
    @Test(.spec(200), arguments: [("7", 200), ("8", nil), (nil, nil)] as [(String?, Int?)])
    func theSameIdentifierIsTheSamePerson(person: String?, status: Int?) async throws {
        let gate = Gate()
        let server = TokenServer(accepting: "second", gates: ["/photo": gate])
        let session = session(InMemoryCredentialStore())
        let client = server.client(session)
        try await session.setToken(AccessToken("first"), person: "7")
        let call = Task { try await client.status(TokenServer.request("/photo")) }
        try await server.waitForRequests(1)
        try await session.setToken(AccessToken("second"), person: person)
        gate.open()
        guard let status else { return #expect(await reason { try await call.value } == .signedOut) }
        #expect(try await withDeadline { try await call.value } == status)
        try await session.signOut()
        try await session.setToken(AccessToken("third"), person: person)
        #expect(try await client.status(TokenServer.request()) == 401)
    }

    // MARK: - The store

    @Test(.spec(200), arguments: [false, true])
    func anEmptiedStoreEndsTheSession(isFile: Bool) async throws {
        let (gate, refreshed, folder) = (Gate(), Recorder<String?>(), try TemporaryDirectory())
        let stores: [any CredentialStore] = [
            InMemoryCredentialStore(), FileCredentialStore(file: folder.url.appendingPathComponent("token.json")),
        ]
        let store = stores[isFile ? 1 : 0]
        try await store.save(Self.alice)
        let server = TokenServer(accepting: "alice", gates: ["/late": gate])
        let client = server.client([
            .authentication(
                .bearer(store: store) { old in
                    refreshed.record(old.refreshToken)
                    return AccessToken("next")
                },
                origins: [TokenServer.origin]
            )
        ])
        #expect(try await client.status(TokenServer.request()) == 200)
        server.accept("none")
        let late = Task { try await client.status(TokenServer.request("/late")) }
        try await server.waitForRequests(2)
        try await store.remove()
        #expect(await reason { try await client.status(TokenServer.request()) } == .missingCredential)
        gate.open()
        #expect(await reason { try await late.value } == .signedOut)
        #expect(server.asked.count == 2 && refreshed.count == 0)
        #expect(try await store.load() == nil)
    }

    @Test(.spec(200), arguments: [false, true])
    func aTokenThatIsPutIntoTheStoreIsThatOfAnotherPerson(isFile: Bool) async throws {
        let (gate, folder) = (Gate(), try TemporaryDirectory())
        let stores: [any CredentialStore] = [
            InMemoryCredentialStore(), FileCredentialStore(file: folder.url.appendingPathComponent("token.json")),
        ]
        let store = stores[isFile ? 1 : 0]
        try await store.save(Self.alice)
        let server = TokenServer(accepting: "bob", gates: ["/photo": gate])
        let client = server.client(session(store))
        let call = Task { try await client.status(TokenServer.request("/photo")) }
        try await server.waitForRequests(1)
        try await store.save(Self.bob)
        #expect(try await client.status(TokenServer.request()) == 200)
        gate.open()
        #expect(await reason { try await call.value } == .signedOut)
        #expect(server.tokens("/photo") == ["alice"])
    }

    /// A store that cannot tell whether it has changed, as one of an app.
    private struct Mute: CredentialStore {
        let stored = InMemoryCredentialStore(alice)
        func load() -> AccessToken? { stored.load() }
        func save(_ token: AccessToken) { stored.save(token) }
        func remove() { stored.remove() }
    }

    @Test(.spec(200)) func aStoreThatCannotTellIsAskedBeforeARefresh() async throws {
        let (server, refreshed, store) = (TokenServer(accepting: "none"), Recorder<String?>(), Mute())
        let client = server.client(session(store, refreshed))
        #expect(try await client.status(TokenServer.request()) == 401)
        #expect(refreshed.values == ["ra"] && store.load()?.value == "next")
        store.remove()
        #expect(await reason { try await client.status(TokenServer.request()) } == .signedOut)
        #expect(await reason { try await client.status(TokenServer.request()) } == .missingCredential)
        #expect(refreshed.count == 1 && store.load() == nil)
    }
}
