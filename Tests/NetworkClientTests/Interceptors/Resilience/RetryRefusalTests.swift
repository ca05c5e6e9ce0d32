import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// Retries of requests that were refused, or whose time ran out, before they were sent.
struct RetryRefusalTests {
    /// Refuses the attempts with these numbers.
    private func refusing(attempts: Set<Int>, error: any Error) -> ClosureInterceptor {
        ClosureInterceptor(runsInCallersTask: true) { request, next in
            if attempts.contains(RequestContext.current.attempt) { throw error }
            return try await next(request)
        }
    }

    private static let full = QueueFullError(place: nil, limit: 1)

    @Test(.spec(104), arguments: [full, CircuitOpenError(origin: "https://h", secondsUntilProbe: 1)] as [any Error])
    func aRefusalDoesNotHideTheErrorOfTheServerWhetherItIsRetriedOrNot(refusal: any Error) async {
        let outcomes: [RetryScene.Outcome] = [.response(500), .response(503)]
        let scene = RetryScene(outcomes, .counting(9), inside: [refusing(attempts: [3], error: refusal)])
        await #expect { try await scene.fetch() } throws: { ($0 as? NetworkClient.Error)?.statusCode == 503 }
        expect(scene.sent.count, 2)
        let reason = "the request was refused before it was sent"
        expect(scene.lines.last, "decision: RetryInterceptor: gives up, \(reason)")
        var policy = RetryPolicy.counting(3)
        policy.retriesOtherErrors = { type(of: $0) == type(of: refusal) }
        let retried = RetryScene(outcomes, policy, inside: [refusing(attempts: [1, 3, 4], error: refusal)])
        await #expect { try await retried.fetch() } throws: { ($0 as? NetworkClient.Error)?.statusCode == 500 }
        expect(retried.clock.sleeps, [1, 2, 4])
        let refused = RetryScene(outcomes, policy, inside: [refusing(attempts: [1, 2, 3, 4], error: refusal)])
        await #expect { try await refused.fetch() } throws: { type(of: $0) == type(of: refusal) }
    }

    @Test(.spec(104, 112)) func aDeadlineThatPassesBeforeARequestIsSentIsNotATimeoutToRetryAndHidesNoError()
        async throws
    {
        let late = RetryScene([.response(200)], outside: [.deadline(0)])
        await #expect { try await late.fetch() } throws: { $0.transportReason == .timedOut }
        expectAll((late.sent.count, late.clock.sleeps), (0, []))
        let scene = RetryScene([.response(200)], .counting(5), outside: [.deadline(10)], inside: [.rateLimit(0.01)])
        try await scene.fetch()
        let reason = "the rate limit would delay it beyond its deadline"
        await #expect { try await scene.fetch() } throws: {
            $0.transportReason == .timedOut
                && $0.localizedDescription == "The request to 'https://api.example.com/items' failed: \(reason)."
        }
        expectAll((scene.sent.count, scene.clock.sleeps), (1, []))
        expect(scene.lines.last, "decision: RetryInterceptor: gives up, \(reason)")
        let failing = RetryScene([.response(500)], outside: [.deadline(10)], inside: [.rateLimit(0.01)])
        await #expect { try await failing.fetch() } throws: { ($0 as? NetworkClient.Error)?.statusCode == 500 }
        expectAll((failing.sent.count, failing.clock.sleeps.count), (1, 1))
    }

    @Test(.spec(105, 114)) func aPostWhoseTimeRanOutInAQueueIsSentLater() async throws {
        let gate = Gate()
        let limit = ConcurrencyLimitInterceptor(1)
        let scene = ResilienceScene([.retry(.counting(1)), .waitTimeout(5), limit]) { _, number in
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
        expect(try await first.value, 200)
        try await withDeadline { try await scene.clock.waitForSleepers() }
        scene.clock.advance(by: 1)
        expect(try await withDeadline { try await post.value }, 200)
        expect(scene.sent.values.map(\.httpMethod), ["GET", "POST"])
    }
}
