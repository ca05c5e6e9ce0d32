import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// Retries of requests that were refused, or whose time ran out, before they were sent.
struct RetryRefusalTests {
    /// Refuses the attempts with these numbers.
    private struct Refusing: ScopedInterceptor {
        let attempts: Set<Int>
        let error: any Error

        func process(
            _ request: URLRequest,
            next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
        ) async throws -> NetworkClient.ChainResult {
            if attempts.contains(RequestContext.current.attempt) { throw error }
            return try await next(request)
        }
    }

    private let full = QueueFullError(place: nil, limit: 1)

    @Test(.spec(104), arguments: [true, false]) func aRefusalDoesNotHideTheErrorOfTheServer(isFull: Bool) async {
        let error: any Error = isFull ? full : CircuitOpenError(origin: "https://h", secondsUntilProbe: 1)
        let scene = RetryScene(
            [.response(500), .response(503)],
            .counting(9),
            inside: [Refusing(attempts: [3], error: error)]
        )
        await #expect { try await scene.fetch() } throws: { ($0 as? NetworkClient.Error)?.statusCode == 503 }
        #expect(scene.sent.count == 2)
        let reason = "the request was refused before it was sent"
        #expect(scene.lines.last == "decision: RetryInterceptor: gives up, \(reason)")
    }

    @Test(.spec(104)) func aRefusalThatIsRetriedDoesNotHideTheErrorOfTheServerEither() async {
        let inside = Refusing(attempts: [1, 3, 4], error: full)
        var policy = RetryPolicy.counting(3)
        policy.retriesOtherErrors = { $0 is QueueFullError }
        let scene = RetryScene([.response(500)], policy, inside: [inside])
        await #expect { try await scene.fetch() } throws: { ($0 as? NetworkClient.Error)?.statusCode == 500 }
        #expect(scene.clock.sleeps == [1, 2, 4])
        let refused = RetryScene(
            [.response(500)],
            policy,
            inside: [Refusing(attempts: [1, 2, 3, 4], error: full)]
        )
        await #expect(throws: QueueFullError.self) { try await refused.fetch() }
    }

    @Test(.spec(104)) func aRateLimitAfterAnErrorDoesNotHideItEither() async {
        let scene = RetryScene(
            [.response(500)],
            .counting(3),
            outside: [.deadline(10)],
            inside: [.rateLimit(0.01)]
        )
        await #expect { try await scene.fetch() } throws: { ($0 as? NetworkClient.Error)?.statusCode == 500 }
        #expect(scene.sent.count == 1)
        #expect(scene.clock.sleeps == [1])
    }

    @Test(.spec(112)) func aRateLimitThatWouldPassTheDeadlineIsNotATimeoutToRetry() async throws {
        let scene = RetryScene([.response(200)], .counting(5), outside: [.deadline(10)], inside: [.rateLimit(0.01)])
        try await scene.fetch()
        await #expect { try await scene.fetch() } throws: { ($0 as? NetworkClient.Error)?.reason == .timedOut }
        #expect(scene.sent.count == 1 && scene.clock.sleeps.isEmpty)
        let reason = "the rate limit would delay it beyond its deadline"
        #expect(scene.lines.last == "decision: RetryInterceptor: gives up, \(reason)")
    }

    @Test(.spec(105, 114)) func aPostWhoseTimeRanOutInAQueueIsSentLater() async throws {
        let gate = Gate()
        let limit = ConcurrencyLimitInterceptor(1)
        let scene = ResilienceScene([.retry(.counting(1)), .attemptTimeout(5), limit]) { _, number in
            if number == 0 { try await gate.wait() }
            return (Data(), .made())
        }
        let first = Task { try await scene.fetch() }
        try await eventually("the first request") { scene.sent.count == 1 }
        var request = URLRequest(url: url("https://api.example.com/"))
        request.httpMethod = "POST"
        let post = Task { [request] in try await scene.client.fetch(request: request).statusCode }
        try await eventually("the waiter") { limit.waiterCount == 1 }
        try await withDeadline { try await scene.clock.waitForSleepers() }
        scene.clock.advance(by: 5)
        try await eventually("the wait before the retry") { scene.clock.sleeps == [5, 1] }
        gate.open()
        #expect(try await first.value == 200)
        try await withDeadline { try await scene.clock.waitForSleepers() }
        scene.clock.advance(by: 1)
        #expect(try await withDeadline { try await post.value } == 200)
        #expect(scene.sent.values.map(\.httpMethod) == ["GET", "POST"])
    }

    @Test(.spec(104, 114)) func aQueueThatIsFullAtARetryDoesNotHideTheErrorOfTheServer() async throws {
        let gate = Gate()
        let scene = ResilienceScene([.retry(.counting(1)), .concurrencyLimit(1, queueLimit: 0)]) { _, number in
            if number == 1 { try await gate.wait() }
            return (Data(), .made(number == 0 ? 503 : 200))
        }
        let refused = Task { await scene.failure() }
        try await withDeadline { try await scene.clock.waitForSleepers() }
        let other = Task { try await scene.fetch() }
        try await eventually("the other request") { scene.sent.count == 2 }
        scene.clock.advance(by: 1)
        #expect((try await withDeadline { await refused.value } as? NetworkClient.Error)?.statusCode == 503)
        gate.open()
        #expect(try await withDeadline { try await other.value } == 200)
    }
}
