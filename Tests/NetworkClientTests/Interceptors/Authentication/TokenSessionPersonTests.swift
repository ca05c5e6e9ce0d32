import Foundation
import NetworkClientTesting
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

    /// An app may replace a token itself, without a change of person.
    @Test(
        .spec(200),
        arguments: [(nil, nil, false), (bob, nil, false), (bob, "8", false), (bob, "7", true)]
            as [(AccessToken?, String?, Bool)]
    )
    func aRefusedCallIsSentAgainOnlyInTheNameOfTheSamePerson(next: AccessToken?, person: String?, isSame: Bool)
        async throws
    {
        let (gate, refreshed, store) = (Gate(), Recorder<String?>(), InMemoryCredentialStore())
        let server = TokenServer(accepting: "bob", gates: ["/photo": gate])
        let session = session(store, refreshed)
        try await session.setToken(Self.alice, person: "7")
        let client = server.client(session)
        let call = Task { try await client.status(TokenServer.request("/photo")) }
        try await server.waitForRequests(1)
        if let next { try await session.setToken(next, person: person) } else { try await session.signOut() }
        gate.open()
        if isSame {
            expect(try await withDeadline { try await call.value }, 200)
        } else {
            let error = await #expect(throws: AuthenticationError.self) {
                try await withDeadline { try await call.value }
            }
            expectAll((error?.reason, error?.response?.statusCode), (.signedOut, 401))
            expect(
                error?.description,
                "The request to 'https://api.example.com/photo' cannot be authenticated: "
                    + "the person who began the call has signed out, or another person has signed in."
            )
        }
        expect(server.tokens("/photo"), (isSame ? ["alice", "bob"] : ["alice"]))
        expectAll((refreshed.count, store.load()?.value), (0, next?.value))
    }

    /// An iterator that began without a person may go on as the first one who signs in.
    @Test(.spec(200), arguments: [alice, nil] as [AccessToken?])
    func anIteratorOfEventsOrPagesBelongsToThePersonItBeganAs(first: AccessToken?) async throws {
        let transport = StubTransport(time: TestClock(advancesItself: true))
        transport.on(.get("/feed"), .events([ServerSentEvent(data: "a")]), .events([ServerSentEvent(data: "b")]))
        let link = HeaderField.custom(name: "Link", value: "</list?page=2>; rel=next")
        transport.on(.get("/list"), StubTransport.Response.json([1]).setting(header: link), .json([2]))
        let session = session(InMemoryCredentialStore())
        if let first { try await session.setToken(first) }
        let client = NetworkClient(
            transport: transport,
            interceptors: [
                .authentication(.bearer(session), origins: [TokenServer.origin], requirement: .optional)
            ],
            configuration: .init(time: TestClock(advancesItself: true))
        )
        var events = client.events(TokenServer.request("/feed")).makeAsyncIterator()
        var pages = client.pages(TokenServer.request("/list").decoded(as: [Int].self), limit: 2).makeAsyncIterator()
        expect(try await events.next()?.data, "a")
        expect(try await pages.next()?.item, [1])
        try await session.setToken(Self.bob)
        guard first != nil else {
            expect(try await events.next()?.data, "b")
            expect(try await pages.next()?.item, [2])
            return
        }
        let ofEvents = await #expect(throws: AuthenticationError.self) { try await events.next() }
        let ofPages = await #expect(throws: AuthenticationError.self) { try await pages.next() }
        expect([ofEvents?.reason, ofPages?.reason], [.signedOut, .signedOut])
        expect(transport.requests.count, 2)
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
        expect(await reason { try await call.value }, .signedOut)
        expect(server.asked, [])
        expect(try await client.status(TokenServer.request()), 200)
    }

    /// Returns a store with Alice's token: in a file of the folder, if there is one.
    private func store(_ folder: TemporaryDirectory?) async throws -> any CredentialStore {
        let file = folder?.url.appendingPathComponent("token.json")
        let store: any CredentialStore = file.map { FileCredentialStore(file: $0) } ?? InMemoryCredentialStore()
        try await store.save(Self.alice)
        return store
    }

    @Test(.spec(200), arguments: [false, true])
    func anEmptiedStoreEndsTheSession(isFile: Bool) async throws {
        let (gate, refreshed, folder) = (Gate(), Recorder<String?>(), try TemporaryDirectory())
        let store = try await store(isFile ? folder : nil)
        let server = TokenServer(accepting: "alice", gates: ["/late": gate])
        let scheme = AuthenticationScheme.bearer(store: store) { old in
            refreshed.record(old.refreshToken)
            return AccessToken("next")
        }
        let client = server.client([.authentication(scheme, origins: [TokenServer.origin])])
        expect(try await client.status(TokenServer.request()), 200)
        server.accept("none")
        let late = Task { try await client.status(TokenServer.request("/late")) }
        try await server.waitForRequests(2)
        try await store.remove()
        expect(await reason { try await client.status(TokenServer.request()) }, .missingCredential)
        gate.open()
        expect(await reason { try await late.value }, .signedOut)
        expectAll((server.asked.count, refreshed.count), (2, 0))
        expect(try await store.load(), nil)
    }

    @Test(.spec(200), arguments: [false, true])
    func aTokenThatIsPutIntoTheStoreIsThatOfAnotherPerson(isFile: Bool) async throws {
        let (gate, folder) = (Gate(), try TemporaryDirectory())
        let store = try await store(isFile ? folder : nil)
        let server = TokenServer(accepting: "bob", gates: ["/photo": gate])
        let client = server.client([.authentication(.bearer(store: store) { $0 }, origins: [TokenServer.origin])])
        let call = Task { try await client.status(TokenServer.request("/photo")) }
        try await server.waitForRequests(1)
        try await store.save(Self.bob)
        expect(try await client.status(TokenServer.request()), 200)
        gate.open()
        expect(await reason { try await call.value }, .signedOut)
        expect(server.tokens("/photo"), ["alice"])
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
        expect(try await client.status(TokenServer.request()), 401)
        expectAll((refreshed.values, store.load()?.value), (["ra"], "next"))
        store.remove()
        expect(await reason { try await client.status(TokenServer.request()) }, .signedOut)
        expect(await reason { try await client.status(TokenServer.request()) }, .missingCredential)
        expectAll((refreshed.count, store.load()), (1, nil))
    }
}
