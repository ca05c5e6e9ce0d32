import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Refreshing a token for the requests of a client.
struct TokenSessionTests {
    private struct NoToken: Error {}

    /// A custom interceptor, so that each call of its client has a task of its own.
    private static let passing = ClosureInterceptor { request, next in
        try await next(request)
    }

    private static let old = AccessToken("old", refreshToken: "r")

    private func session(
        _ token: AccessToken? = old,
        policy: TokenSession.RefreshPolicy = .init(),
        _ refresh: @escaping TokenSession.Refresh
    ) -> TokenSession {
        TokenSession(store: InMemoryCredentialStore(token), policy: policy, refresh: refresh)
    }

    /// Fetches `/1` to `/count` at once, and returns the outcomes.
    private func fetch(_ count: Int, _ client: NetworkClient) async throws -> [Result<Int, any Error>] {
        let calls = (1...count).map { number in Task { try await client.status(TokenServer.request("/\(number)")) } }
        return try await withDeadline {
            var outcomes: [Result<Int, any Error>] = []
            for call in calls { outcomes.append(await call.result) }
            return outcomes
        }
    }

    @Test(.spec(98), arguments: [10, 1_000])
    func concurrentRefusalsCauseOneRefreshAndEachRequestIsSentTwice(count: Int) async throws {
        let (server, refreshed) = (TokenServer(accepting: "new"), Recorder<AccessToken>())
        let session = session { token in
            refreshed.record(token)
            try await server.waitForRefusals(count)
            return AccessToken("new")
        }
        let outcomes = try await fetch(count, server.client(session))
        expect(outcomes.count, count)
        #expect(outcomes.allSatisfy { (try? $0.get()) == 200 })
        expect(refreshed.values, [Self.old])
        expect(server.asked.count, 2 * count)
        for number in 1...count { expect(server.tokens("/\(number)"), ["old", "new"]) }
        expect(try await session.currentToken(), AccessToken("new", refreshToken: "r"))
    }

    @Test(.spec(99), arguments: [10, 1_000])
    func aFailedRefreshFailsEveryRequestThatWaitedAndALaterOneRefreshesAgain(count: Int) async throws {
        let (server, refreshed) = (TokenServer(accepting: "new"), Recorder<AccessToken>())
        let session = session { token in
            refreshed.record(token)
            if refreshed.count > 1 { return AccessToken("new") }
            try await server.waitForRefusals(count)
            throw NoToken()
        }
        let client = server.client(session)
        for outcome in try await fetch(count, client) {
            let error = #expect(throws: AuthenticationError.self) { try outcome.get() }
            #expect(error?.reason == .refreshFailed && error?.underlying is NoToken)
            expectAll((error?.response?.statusCode, error?.data), (401, Data("no".utf8)))
        }
        expect(refreshed.count, 1)
        expect(server.asked.count, count)
        expect(try await client.status(TokenServer.request()), 200)
        expect(refreshed.count, 2)
    }

    @Test func theJourneyNamesTheRefreshButNoSecret() async throws {
        let server = TokenServer(accepting: "seCret2")
        let session = session(AccessToken("seCret1")) { _ in AccessToken("seCret2") }
        let journey = try await server.client(session).fetch(request: TokenServer.request()).journey
        let steps = journey.steps.map { String($0.description.drop { $0 != " " }.dropFirst(4)) }
        expect(
            steps,
            [
                "attempt 1", "response 401",
                "decision: AuthenticationInterceptor: refreshes the credential after it was refused",
                "decision: sends again with the newer credential", "attempt 2", "response 200",
            ]
        )
    }

    @Test(.spec(99)) func aRefreshLoopIsCutOffByTheWindow() async throws {
        let (server, refreshed, clock) = (TokenServer(accepting: "never"), Recorder<Int>(), TestClock())
        let session = session { _ in
            refreshed.record(1)
            return AccessToken("\(refreshed.count)")
        }
        let client = server.client(session, time: clock)
        for _ in 1...5 { expect(try await client.status(TokenServer.request()), 401) }
        let error = await #expect(throws: AuthenticationError.self) {
            try await client.fetch(request: TokenServer.request())
        }
        expectAll((error?.reason, error?.response?.statusCode), (.excessiveRefresh, 401))
        expect(
            error?.description,
            "The request to 'https://api.example.com/' cannot be authenticated: "
                + "the credential was refreshed too often in a short time."
        )
        expectAll((refreshed.count, server.asked.count), (5, 11))
        clock.advance(by: 30)
        expect(try await client.status(TokenServer.request()), 401)
        expect(refreshed.count, 6)
    }

    @Test(.spec(100)) func theRefreshMayUseTheSameClientAndWaitsForNoPlaceOfTheRequestsThatWaitForIt() async throws {
        let server = TokenServer(accepting: "new")
        let clientOfRefresh = AwaitableValue<NetworkClient?>(nil)
        let session = session { _ in
            try await server.waitForRefusals(4)
            let client = try await clientOfRefresh.wait { $0 }
            expect(try await client.status(TokenServer.request("/token")), 401)
            // Another task of the refresh, too.
            let other = Task { try await client.status(TokenServer.request("/token")) }
            expect(try await other.value, 401)
            return AccessToken("new")
        }
        let client = server.client([
            .concurrencyLimit(4), .authentication(.bearer(session), origins: [TokenServer.origin]),
        ])
        clientOfRefresh.update { $0 = client }
        #expect(try await fetch(4, client).allSatisfy { (try? $0.get()) == 200 })
        expect(server.tokens("/token"), [nil, nil])
        for number in 1...4 { expect(server.tokens("/\(number)"), ["old", "new"]) }
    }

    @Test(.spec(100, 126), arguments: [false, true])
    func aCancelledCallerDoesNotLoseTheNewTokenForTheOthers(cancelsAll: Bool) async throws {
        let (server, refreshing, gate) = (TokenServer(accepting: "new"), Gate(), Gate())
        let refreshed = Recorder<Int>()
        let session = session { _ in
            refreshed.record(1)
            refreshing.open()
            try await gate.wait()
            return AccessToken("new")
        }
        let client = server.client(session)
        let cancelled = Task { try await client.status(TokenServer.request("/cancelled")) }
        try await refreshing.wait()
        let other = server.client(session)
        let waiting = Task { try await other.status(TokenServer.request("/waiting")) }
        try await server.waitForRefusals(2)
        if cancelsAll { client.cancelAll() } else { cancelled.cancel() }
        await #expect(throws: CancellationError.self) { try await withDeadline { try await cancelled.value } }
        gate.open()
        expect(try await withDeadline { try await waiting.value }, 200)
        expect(try await client.status(TokenServer.request("/later")), 200)
        expect(server.tokens("/cancelled"), ["old"])
        expect(server.tokens("/later"), ["new"])
        expect(refreshed.count, 1)
    }

    @Test(.spec(112)) func theWaitForATokenEndsAtTheDeadlineOfTheCall() async throws {
        let (server, clock) = (TokenServer(accepting: "new"), TestClock())
        let (refreshing, never) = (Gate(), Gate())
        let session = session { _ in
            refreshing.open()
            try await never.wait()
            return AccessToken("new")
        }
        let authentication = AuthenticationInterceptor(.bearer(session), origins: [TokenServer.origin])
        let client = server.client([.deadline(5), authentication], time: clock)
        let call = Task { try await client.status(TokenServer.request()) }
        // The wait for the token to be loaded has had a deadline, too. The refresh has a limit of its own.
        try await refreshing.wait()
        try await clock.waitForSleepers(2)
        clock.advance(by: 5)
        let error = await #expect(throws: NetworkClient.Error.self) { try await withDeadline { try await call.value } }
        expect(error?.reason, .timedOut)
        never.open()
    }

    /// The interceptors decide whether the client's calls run in their callers' tasks.
    @Test(.spec(126, 233), arguments: [[], [passing]] as [[any InterceptorProtocol]])
    func cancelAllEndsNoRefreshWhicheverClientSendsIt(others: [any InterceptorProtocol]) async throws {
        let gate = Gate()
        let server = TokenServer(accepting: "new", gates: ["/token": gate])
        let (clientOfRefresh, refreshed) = (AwaitableValue<NetworkClient?>(nil), Recorder<Int>())
        let session = session { _ in
            refreshed.record(1)
            expect(try await clientOfRefresh.wait { $0 }.status(TokenServer.request("/token")), 401)
            return AccessToken("new")
        }
        let client = server.client(others + [.authentication(.bearer(session), origins: [TokenServer.origin])])
        clientOfRefresh.update { $0 = client }
        let cancelled = Task { try await client.status(TokenServer.request()) }
        try await withDeadline { try await server.waitForRequests(2) }
        let call = Task { [client = server.client(session)] in try await client.status(TokenServer.request("/other")) }
        try await withDeadline { try await server.waitForRequests(3) }
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await cancelled.value } }
        gate.open()
        expect(try await withDeadline { try await call.value }, 200)
        expect(refreshed.count, 1)
    }

    @Test(.spec(234)) func aRefreshThatThrowsACancellationIsTriedOnceAndIsTheCause() async throws {
        let (server, refreshed) = (TokenServer(accepting: "new"), Recorder<Int>())
        let session = session { _ in
            refreshed.record(1)
            throw CancellationError()
        }
        let client = NetworkClient(
            transport: server.transport,
            interceptors: [.retry(), .authentication(.bearer(session), origins: [TokenServer.origin])]
        )
        let error = await #expect(throws: AuthenticationError.self) { try await client.status(TokenServer.request()) }
        #expect(error?.reason == .refreshFailed && error?.underlying is CancellationError)
        expect(refreshed.count, 1)
    }

    @Test func theWorkOfARefreshGetsTheOldTokenWithoutAWaitAndWhatItHasStartedTheNewOne() async throws {
        let (server, gate) = (TokenServer(accepting: "new"), Gate())
        let (itself, later) = (AwaitableValue<TokenSession?>(nil), AwaitableValue<Task<Int, any Error>?>(nil))
        let session = session { old in
            let session = try await itself.wait { $0 }
            expect(try await session.currentToken(), old)
            let task = Task {
                try await gate.wait()
                return try await server.client(session).status(TokenServer.request("/later"))
            }
            later.update { $0 = task }
            return AccessToken("new")
        }
        itself.update { $0 = session }
        expect(try await withDeadline { try await server.client(session).status(TokenServer.request()) }, 200)
        gate.open()
        let task = try await later.wait { $0 }
        expect(try await withDeadline { try await task.value }, 200)
        expect(server.tokens("/later"), ["new"])
    }
}
