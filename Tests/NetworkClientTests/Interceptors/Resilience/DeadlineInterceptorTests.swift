import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct DeadlineInterceptorTests {
    private let place = "The request to 'https://api.example.com/items' failed: "

    @Test(
        .spec(112),
        arguments: [
            (30.0, nil, 30.0, "it took longer than its deadline of 30 s."), (30, nil, 29, "it timed out."),
            (30, 10, 10, "it waited longer than its wait timeout of 10 s."),
            (10, 30, 10, "it took longer than its deadline of 10 s."),
            (2.5, 30, 31, "it took longer than its deadline of 2.5 s."),
            (30, 30, 29, "it timed out."),
        ] as [(Double, Double?, Double, String)]
    )
    func aTimeoutNamesTheNearestDeadlineThatHasPassed(call: Double, attempt: Double?, passed: Double, sentence: String)
        async
    {
        let clock = TestClock()
        let inner: [any InterceptorProtocol] = attempt.map { [.waitTimeout($0)] } ?? []
        let scene = ResilienceScene([.deadline(call)] + inner, clock: clock) { request, _ in
            clock.advance(by: passed)
            throw TransportError(.timedOut, request: request)
        }
        let error = await scene.failure()
        expect(error?.transportReason, .timedOut)
        expect(error?.localizedDescription, place + sentence)
    }

    @Test func theOptionsOfACallReplaceItsDeadlineButNotTheTimeoutOfAnAttempt() async throws {
        var options = CallOptions()
        options.deadline = 5
        let scene = ResilienceScene([.deadline(30), .waitTimeout(4)], statuses: [200])
        try await scene.fetch(options: options)
        options.deadline = 3
        try await scene.fetch(options: options)
        options.deadline = .infinity
        try await scene.fetch(options: options)
        expect(scene.limits.values, [4, 3, 4])
    }

    @Test(.spec(112)) func theDeadlineSpansAllAttemptsAndTheTimeoutInsideARetryOnlyOne() async {
        let clock = TestClock(advancesItself: true)
        let backoff = Backoff(base: 1, throttledBase: 4, jitter: .none)
        let retry = RetryInterceptor(RetryPolicy(retries: 5, backoff: backoff))
        let scene = ResilienceScene([.deadline(25), retry, .waitTimeout(10)], clock: clock) { request, _ in
            clock.advance(by: 10)
            throw TransportError(.timedOut, request: request)
        }
        let error = await scene.failure()
        expect(scene.limits.values, [10, 10, 2])
        expect(error?.localizedDescription, place + "it took longer than its deadline of 25 s.")
        // No retry waits beyond the deadline: the last error is thrown at once.
        let failing = ResilienceScene([.deadline(10), retry], clock: clock, statuses: [503])
        let sleeps = clock.sleeps.count
        expect((await failing.failure() as? NetworkClient.Error)?.statusCode, 503)
        expect(clock.sleeps.dropFirst(sleeps), [4])
        expect(failing.limits.values, [10, 6])
    }

    @Test func aCustomInterceptorThatPassesTheDeadlineSendsNothingButMayReturnItsResponse() async throws {
        let clock = TestClock()
        let scene = ResilienceScene(
            [.deadline(5), SlowInterceptor(clock: clock, before: 6)],
            clock: clock,
            statuses: [200]
        )
        expect(await scene.failure()?.localizedDescription, place + "it took longer than its deadline of 5 s.")
        expect(scene.sent.count, 0)
        let late = ResilienceScene(
            [.deadline(5), SlowInterceptor(clock: clock, after: 6)],
            clock: clock,
            statuses: [200]
        )
        expect(try await late.fetch(), 200)
    }

    @Test(.spec(112), arguments: [(0, false), (-1, false), (-Double.infinity, false), (.infinity, true), (.nan, true)])
    func withoutAnyTimeNothingIsSentAndADeadlineThatIsNotATimeIsIgnored(seconds: Double, isSent: Bool) async {
        let scene = ResilienceScene([.deadline(seconds)], statuses: [200])
        expect(await scene.failure()?.transportReason, (isSent ? nil : .timedOut))
        expect(scene.limits.values, (isSent ? [nil] : []))
    }

    @Test(.spec(112), arguments: TransportUnderTest.all)
    func aServerThatIsSilentIsLeftAtTheDeadline(transport: TransportUnderTest) async throws {
        let never = Gate()
        let server = try LoopbackServer { _ in [.wait(never, orPeerClose: true), .close] }
        let client = try transport.client(interceptors: [.deadline(0.05)])
        let request = URLRequest(url: server.url("/items"))
        await #expect {
            try await withDeadline { try await client.fetch(request: request) }
        } throws: {
            $0.localizedDescription.hasSuffix("it took longer than its deadline of 0.05 s.")
        }
        try await withDeadline { try await server.waitForOpenConnections(0) }
    }

    @Test(arguments: [(30.0, "30 s"), (0.25, "0.25 s"), (0, "0 s"), (-1, "0 s"), (.nan, "0 s"), (1.0004, "1 s")])
    func secondsAreWrittenWithAtMostThreeDecimals(seconds: Double, text: String) {
        expect(seconds.inWords, text)
    }
}
