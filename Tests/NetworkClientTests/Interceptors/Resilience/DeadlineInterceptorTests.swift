import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct DeadlineInterceptorTests {
    /// Waits on the clock before the request is passed on, and again before the response is returned.
    private struct Slow: InterceptorProtocol {
        let clock: TestClock
        var before = 0.0
        var after = 0.0

        func process(
            _ request: URLRequest,
            next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
        ) async throws -> NetworkClient.ChainResult {
            clock.advance(by: before)
            let result = try await next(request)
            clock.advance(by: after)
            return result
        }
    }

    /// A scene whose exchanges time out after that many seconds.
    private func scene(_ interceptors: [any InterceptorProtocol], timeoutAfter seconds: Double) -> ResilienceScene {
        let clock = TestClock()
        return ResilienceScene(interceptors, clock: clock) { request, _ in
            clock.advance(by: seconds)
            throw TransportError(.timedOut, request: request)
        }
    }

    private let place = "The request to 'https://api.example.com/items' failed: "

    @Test(.spec(112)) func aCallThatPassesItsDeadlineIsATimeoutThatNamesTheDeadline() async {
        let error = await scene([.deadline(30)], timeoutAfter: 30).failure()
        #expect(error?.transportReason == .timedOut)
        #expect(error?.localizedDescription == place + "it took longer than its deadline of 30 s.")
    }

    @Test func aTimeoutBeforeTheDeadlineIsUnchanged() async {
        let error = await scene([.deadline(30)], timeoutAfter: 29).failure()
        #expect(error?.localizedDescription == place + "it timed out.")
    }

    @Test(arguments: [
        (30.0, 10.0, 10.0, "it took longer than the timeout of 10 s for an attempt."),
        (10, 30, 10, "it took longer than its deadline of 10 s."),
        (2.5, 30, 31, "it took longer than its deadline of 2.5 s."),
        (30, 30, 29, "it timed out."),
    ])
    func theNearestOfTwoDeadlinesIsNamed(call: Double, attempt: Double, passed: Double, sentence: String) async {
        let scene = scene([.deadline(call), .attemptTimeout(attempt)], timeoutAfter: passed)
        #expect(await scene.failure()?.localizedDescription == place + sentence)
    }

    @Test func theOptionsOfACallReplaceItsDeadlineButNotTheTimeoutOfAnAttempt() async throws {
        var options = CallOptions()
        options.deadline = 5
        let scene = ResilienceScene([.deadline(30), .attemptTimeout(4)], statuses: [200])
        try await scene.fetch(options: options)
        options.deadline = 3
        try await scene.fetch(options: options)
        options.deadline = .infinity
        try await scene.fetch(options: options)
        #expect(scene.limits.values == [4, 3, 4])
    }

    @Test(.spec(112)) func noRetryWaitsBeyondTheDeadlineAndTheLastErrorIsThrownAtOnce() async {
        let backoff = Backoff(base: 4, throttledBase: 4, jitter: .none)
        let policy = RetryPolicy(retries: 5, backoff: backoff)
        let clock = TestClock(advancesItself: true)
        let scene = ResilienceScene([.deadline(10), .retry(policy)], clock: clock, statuses: [503])
        #expect((await scene.failure() as? NetworkClient.Error)?.statusCode == 503)
        #expect(clock.sleeps == [4])
        #expect(scene.limits.values == [10, 6])
    }

    @Test(.spec(112)) func theDeadlineSpansAllAttemptsAndTheTimeoutInsideARetryOnlyOne() async {
        let clock = TestClock(advancesItself: true)
        let retry = RetryInterceptor(RetryPolicy(retries: 5, backoff: Backoff(base: 1, jitter: .none)))
        let scene = ResilienceScene([.deadline(25), retry, .attemptTimeout(10)], clock: clock) { request, _ in
            clock.advance(by: 10)
            throw TransportError(.timedOut, request: request)
        }
        let error = await scene.failure()
        #expect(scene.limits.values == [10, 10, 2])
        #expect(error?.localizedDescription == place + "it took longer than its deadline of 25 s.")
    }

    @Test func aCustomInterceptorThatPassesTheDeadlineSendsNothing() async {
        let clock = TestClock()
        let scene = ResilienceScene([.deadline(5), Slow(clock: clock, before: 6)], clock: clock, statuses: [200])
        #expect(await scene.failure()?.localizedDescription == place + "it took longer than its deadline of 5 s.")
        #expect(scene.sent.count == 0)
    }

    @Test func aResponseThatACustomInterceptorReturnsAfterTheDeadlineIsReturned() async throws {
        let clock = TestClock()
        let scene = ResilienceScene([.deadline(5), Slow(clock: clock, after: 6)], clock: clock, statuses: [200])
        #expect(try await scene.fetch() == 200)
    }

    @Test(arguments: [0, -1, -Double.infinity]) func withoutAnyTimeNothingIsSent(seconds: Double) async {
        let scene = ResilienceScene([.deadline(seconds)], statuses: [200])
        #expect(await scene.failure()?.transportReason == .timedOut)
        #expect(scene.sent.count == 0)
    }

    @Test(arguments: [Double.infinity, .nan]) func aDeadlineThatIsNoTimeIsNone(seconds: Double) async throws {
        let scene = ResilienceScene([.deadline(seconds)], statuses: [200])
        try await scene.fetch()
        #expect(scene.limits.values == [nil])
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
        #expect(seconds.inWords == text)
    }
}
