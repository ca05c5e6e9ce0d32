import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// The circuit breaker does not count a deadline that passes before a request is sent.
struct CircuitBreakerDeadlineTests {
    private let eager = CircuitBreakerInterceptor.Thresholds(failureRatio: 0.5, minimumRequests: 2)

    @Test func aDeadlineThatPassesBeforeARequestIsSentDoesNotCount() async throws {
        let scene = ResilienceScene([.deadline(0), .circuitBreaker(eager)], statuses: [200])
        for _ in 0..<3 { #expect(await scene.failure()?.transportReason == .timedOut) }
        var options = CallOptions()
        options.deadline = 5
        #expect(try await scene.fetch(options: options) == 200)
    }

    /// Works for six seconds before a request is sent.
    private struct Slow: ScopedInterceptor {
        let clock: TestClock

        func process(
            _ request: URLRequest,
            next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
        ) async throws -> NetworkClient.ChainResult {
            clock.advance(by: 6)
            return try await next(request)
        }
    }

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
        for waiter in waiters { #expect(await waiter.value == .timedOut) }
        gate.open()
        #expect(try await first.value == 200)
        #expect(try await scene.fetch() == 200)
    }

    @Test func aRateLimitThatWouldPassTheDeadlineDoesNotCount() async throws {
        let scene = ResilienceScene([.deadline(5), .circuitBreaker(eager), .rateLimit(0.01)], statuses: [200])
        try await scene.fetch()
        for _ in 0..<3 { #expect(await scene.failure()?.transportReason == .timedOut) }
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
            #expect(error?.transportReason == .timedOut)
            #expect(error?.localizedDescription.hasSuffix("failed: it took longer than its deadline of 5 s.") == true)
        }
        gate.open()
    }

    @Test(arguments: [true, false]) func aDeadlineThatPassesInACustomInterceptorDoesNotCount(isOutside: Bool) async {
        let clock = TestClock()
        let breaker = CircuitBreakerInterceptor(eager)
        let deadline: [any InterceptorProtocol] = isOutside ? [.deadline(5), breaker] : [breaker, .attemptTimeout(5)]
        let scene = ResilienceScene(deadline + [Slow(clock: clock)], clock: clock, statuses: [200])
        for _ in 0..<3 { #expect(await scene.failure()?.transportReason == .timedOut) }
        #expect(scene.sent.count == 0)
    }
}
