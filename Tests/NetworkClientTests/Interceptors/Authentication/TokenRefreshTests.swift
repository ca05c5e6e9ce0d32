import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The limit of the time that a refresh may take.
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
        #expect(clock.sleeperCount == 1 && refreshed.count == 1)
        clock.advance(by: 0.2)
        for call in calls {
            let error = await #expect(throws: AuthenticationError.self) {
                try await withDeadline { try await call.value }
            }
            #expect(error?.reason == .refreshTimedOut && error?.response?.statusCode == 401)
            expect(error?.description.hasSuffix("the refresh of the credential took too long."), true)
        }
        try await cancelled.wait()
        expect(try await withDeadline { try await client.status(TokenServer.request()) }, 200)
        never.open()
        expect(try await client.status(TokenServer.request()), 200)
        #expect(refreshed.values.map(\.value) == ["old", "old"] && server.asked.count == 13 && clock.sleeperCount == 0)
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
            #expect(clock.sleeps.isEmpty)
        }
    }
}
