import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The limit of the time that a refresh may take, and its record in the log.
struct TokenRefreshTests {
    private func session(
        _ token: AccessToken = AccessToken("old", refreshToken: "r"),
        policy: TokenSession.RefreshPolicy = .init(),
        _ refresh: @escaping TokenSession.Refresh
    ) -> TokenSession {
        TokenSession(store: InMemoryCredentialStore(token), policy: policy, refresh: refresh)
    }

    /// The first refresh never ends, whether it ends its work when it is cancelled or not.
    @Test(.spec(99), arguments: [true, false])
    func aRefreshThatTakesTooLongFailsEveryRequestThatWaitsAndTheNextOneRefreshesAgain(
        endsWhenCancelled: Bool
    ) async throws {
        let (server, clock, refreshed) = (TokenServer(accepting: "new"), TestClock(), Recorder<AccessToken>())
        let (refreshing, never, cancelled) = (Gate(), Gate(), Gate())
        let session = session { token in
            refreshed.record(token)
            refreshing.open()
            if refreshed.count > 1 { return AccessToken("new") }
            let waiting = Task.detached { try? await never.wait() }
            await withTaskCancellationHandler {
                _ = await waiting.value
            } onCancel: {
                if endsWhenCancelled { waiting.cancel() }
                cancelled.open()
            }
            if endsWhenCancelled { try Task.checkCancellation() }
            return AccessToken("late")
        }
        let client = server.client(session, time: clock)
        let calls = (1...10).map { number in Task { try await client.status(TokenServer.request("/\(number)")) } }
        try await server.waitForRefusals(10)
        try await clock.waitForSleepers()
        try await refreshing.wait()
        clock.advance(by: 59.9)
        expectAll((clock.sleeperCount, refreshed.count), (1, 1))
        clock.advance(by: 0.2)
        for call in calls {
            let error = await #expect(throws: AuthenticationError.self) {
                try await withDeadline { try await call.value }
            }
            expectAll((error?.reason, error?.response?.statusCode), (.refreshTimedOut, 401))
            expect(error?.description.hasSuffix("the refresh of the credential took too long."), true)
        }
        try await cancelled.wait()
        expect(try await withDeadline { try await client.status(TokenServer.request()) }, 200)
        never.open()
        expect(try await client.status(TokenServer.request()), 200)
        expectAll((refreshed.values.map(\.value), server.asked.count, clock.sleeperCount), (["old", "old"], 13, 0))
    }

    /// The first token was refused; the second one cannot be replaced.
    @Test(.spec(99)) func theLogHasTheBeginningAndTheEndOfARefreshWithoutTokens() async throws {
        struct NoNetwork: Error {}
        let (server, events) = (TokenServer(accepting: "t0k3n-2"), Recorder<NetworkLogEvent>())
        let session = session(AccessToken("t0k3n-1", refreshToken: "r3fr3sh")) { old in
            guard old.value == "t0k3n-1" else { throw NoNetwork() }
            return AccessToken("t0k3n-2")
        }
        let client = NetworkClient(
            transport: server.transport,
            interceptors: [.authentication(.bearer(session), origins: [TokenServer.origin])],
            logging: EventLogger(events),
            configuration: .init(time: TestClock())
        )
        expect(try await client.status(TokenServer.request("/a")), 200)
        server.accept("t0k3n-3")
        await #expect(throws: AuthenticationError.self) { try await client.status(TokenServer.request("/b")) }
        let texts = events.values.compactMap { event in
            NetworkLogFormatter().text(of: event, requestLevel: .status, responseLevel: .full)
        }
        let lines = texts.map { text in
            String(text.prefix { $0 != "\n" }).replacingOccurrences(of: "GET https://api.example.com", with: "")
        }
        let step = "AuthenticationInterceptor:"
        expect(
            lines,
            [
                "/a → 401 in 0 ms",
                "/a: \(step) refreshes the credential after it was refused",
                "/a: \(step) has a new credential",
                "/a → 200 in 0 ms (attempt 2)",
                "/b → 401 in 0 ms",
                "/b: \(step) refreshes the credential after it was refused",
                "/b: \(step) The credential could not be refreshed (NoNetwork).",
                "/b failed after 0 ms: The request to 'https://api.example.com/b' cannot be authenticated: "
                    + "the credential could not be refreshed (NoNetwork).",
            ]
        )
        expect(events.values.filter { $0.type == .warning }.count, 4)
        #expect(!"\(texts) \(events.values)".contains("t0k3n") && !"\(texts)".contains("r3fr3sh"))
    }

    @Test func aRefreshHasTheTimeOfItsPolicyAndNoneOnAClockThatAdvancesItself() async throws {
        let (server, clock, never) = (TokenServer(accepting: "new"), TestClock(), Gate())
        let short = session(policy: .init(timeout: 2)) { _ in
            try await never.wait()
            return AccessToken("new")
        }
        let call = Task { try await server.client(short, time: clock).status(TokenServer.request()) }
        try await clock.waitForSleepers()
        expect(clock.sleeps, [2])
        clock.advance(by: 2)
        let error = await #expect(throws: AuthenticationError.self) { try await withDeadline { try await call.value } }
        expect(error?.reason, .refreshTimedOut)
        let unlimited: [(TokenSession.RefreshPolicy, TestClock)] = [
            (.init(timeout: .infinity), TestClock()), (.init(timeout: .nan), TestClock()),
            (.init(), TestClock(advancesItself: true)),
        ]
        for (policy, clock) in unlimited {
            let session = session(policy: policy) { _ in AccessToken("new") }
            expect(try await server.client(session, time: clock).status(TokenServer.request()), 200)
            expect(clock.sleeps, [])
        }
    }
}
