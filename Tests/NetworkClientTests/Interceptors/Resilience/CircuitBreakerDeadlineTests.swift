import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// The circuit breaker does not count a deadline that passes before a request is sent.
struct CircuitBreakerDeadlineTests {
    private let eager = CircuitBreakerInterceptor.Thresholds(failureRatio: 0.5, minimumRequests: 2)

    /// Loads no token before a gate is open.
    private struct SlowStore: CredentialStore {
        let gate: Gate

        func load() async throws -> AccessToken? {
            try await gate.wait()
            return nil
        }

        func save(_ token: AccessToken) {}
        func remove() {}
    }

    @Test func aDeadlineThatPassesInTheQueueOfALimitDoesNotCount() async throws {
        let gate = Gate()
        let limit = ConcurrencyLimitInterceptor(1)
        let scene = ResilienceScene([.deadline(5), .circuitBreaker(eager), limit]) { _, _ in
            try await gate.wait()
            return (Data(), .made())
        }
        let first = Task { try await scene.fetch() }
        try await eventually("the first request") { scene.sent.count == 1 }
        let waiters = (0..<2).map { _ in Task { await scene.failure()?.transportReason } }
        try await eventually("the waiters") { limit.waiterCount == 2 }
        try await withDeadline { try await scene.clock.waitForSleepers(2) }
        scene.clock.advance(by: 5)
        for waiter in waiters { expect(await waiter.value, .timedOut) }
        gate.open()
        expect(try await first.value, 200)
        expect(try await scene.fetch(), 200)
    }

    @Test func aDeadlineThatPassesDuringTheWaitForACredentialDoesNotCount() async throws {
        let gate = Gate()
        let session = TokenSession(store: SlowStore(gate: gate))
        let authentication = AuthenticationInterceptor(.bearer(session), origins: [url("https://api.example.com")])
        let scene = ResilienceScene([.deadline(5), .circuitBreaker(eager), authentication], statuses: [200])
        for _ in 0..<3 {
            let call = Task { await scene.failure() }
            try await withDeadline { try await scene.clock.waitForSleepers() }
            scene.clock.advance(by: 5)
            let error = await call.value
            expect(error?.transportReason, .timedOut)
            expect(error?.localizedDescription.hasSuffix("failed: it took longer than its deadline of 5 s."), true)
        }
        gate.open()
    }

    @Test(arguments: 0...3) func aDeadlineThatPassesBeforeARequestIsSentDoesNotCount(place: Int) async throws {
        let clock = TestClock()
        let breaker = CircuitBreakerInterceptor(eager)
        let interceptors: [[any InterceptorProtocol]] = [
            [.deadline(0), breaker], [.deadline(5), breaker, .rateLimit(0.01)],
            [.deadline(5), breaker, SlowInterceptor(clock: clock, before: 6)],
            [breaker, .waitTimeout(5), SlowInterceptor(clock: clock, before: 6)],
        ]
        let scene = ResilienceScene(interceptors[place], clock: clock, statuses: [200])
        // The first request may use the token of the rate limit.
        let first = await scene.failure()
        expect((first == nil), (place == 1))
        for _ in 0..<3 { expect(await scene.failure()?.transportReason, .timedOut) }
        expect(scene.sent.count, (place == 1 ? 1 : 0))
        if place == 0 { expect(try await scene.fetch(options: CallOptions { $0.deadline = 5 }), 200) }
    }
}
