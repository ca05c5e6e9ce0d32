import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct InterceptorStackTests {
    private func named(_ name: String, recorder: Recorder<String>) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            recorder.record(name)
            defer { recorder.record(name.uppercased()) }
            return try await next(request)
        }
    }

    private func stack(_ recorder: Recorder<String>) -> InterceptorStack {
        let inner = InterceptorStack([named("b", recorder: recorder), named("c", recorder: recorder)])
        return InterceptorStack([named("a", recorder: recorder), inner])
    }

    @Test(.spec(95)) func requestsPassTheMembersOfAStackInOrderAndResponsesInReverse() async throws {
        let recorder = Recorder<String>()
        let scene = ResilienceScene([stack(recorder), named("d", recorder: recorder)], statuses: [200])
        try await scene.fetch()
        expect(recorder.values, ["a", "b", "c", "d", "D", "C", "B", "A"])
        let request = URLRequest(url: url("https://api.example.com/"))
        let result = try await stack(recorder).process(request) { _ in (Data([1]), .made(201)) }
        expect(result.response.statusCode, 201)
        expect(recorder.values.suffix(6), ["a", "b", "c", "C", "B", "A"])
        let empty = try await InterceptorStack([]).process(request) { _ in (Data(), .made(202)) }
        expect(empty.response.statusCode, 202)
    }

    @Test func callsRunInTheCallersTaskUnlessAnInterceptorIsCustom() throws {
        let interceptors: [any InterceptorProtocol] = [
            try InterceptorStack.standardResilience(), RetryInterceptor(), RateLimitInterceptor(1),
            ConcurrencyLimitInterceptor(1), TracingInterceptor(), IdempotencyKeyInterceptor(),
            AuthenticationInterceptor(.bearer(TokenSession()), origins: []),
        ]
        for interceptor in interceptors { #expect(interceptor.runsInCallersTask) }
        #expect(!stack(Recorder()).runsInCallersTask)
    }

    @Test(.spec(112)) func theStandardStackHasTheUsualOrderAndLimits() async throws {
        let stack: InterceptorStack = try .standardResilience()
        expect(
            stack.members.map { String(describing: type(of: $0)) },
            [
                "DeadlineInterceptor", "RetryInterceptor", "ConcurrencyLimitInterceptor", "CircuitBreakerInterceptor",
                "DeadlineInterceptor",
            ]
        )
        expect(try InterceptorStack.standardResilience(concurrency: nil).members.count, 4)
        let scene = ResilienceScene([stack, .noOp], statuses: [200])
        try await scene.fetch()
        expect(scene.limits.values, [10])
    }

    @Test(.spec(112, 114)) func theDeadlineOfACallIncludesTheWaitForItsTurnButNoCallWaitsForAnotherHost() async throws {
        let gate = Gate()
        let stack: InterceptorStack = try .standardResilience(concurrency: 1, per: .host)
        let scene = ResilienceScene([stack]) { request, _ in
            if request.url?.host == "dead.example.com" { try await gate.wait() }
            return (Data(), .made())
        }
        let first = Task { try await scene.fetch("https://dead.example.com/") }
        try await eventually("the first request") { scene.sent.count == 1 }
        let second = Task {
            await scene.failure("https://dead.example.com/", options: CallOptions { $0.deadline = 5 })
        }
        try await withDeadline { try await scene.clock.waitForSleepers() }
        expect(try await withDeadline { try await scene.fetch() }, 200)
        scene.clock.advance(by: 5)
        let sentence = try await withDeadline { await second.value }?.localizedDescription
        expect(sentence?.hasSuffix("it took longer than its deadline of 5 s."), true)
        gate.open()
        expect(try await first.value, 200)
        expect(scene.sent.count, 2)
    }

    @Test(.spec(114)) func aCallThatWaitsForItsRetryHoldsNoPlace() async throws {
        let stack: InterceptorStack = try .standardResilience(concurrency: 2, retry: .counting(1))
        let scene = ResilienceScene([stack]) { request, _ in (Data(), .made(request.url?.path == "/down" ? 503 : 200)) }
        let waiting = (0..<2).map { _ in Task { await scene.failure("https://api.example.com/down") } }
        try await withDeadline { try await scene.clock.waitForSleepers(2) }
        expect(try await withDeadline { try await scene.fetch() }, 200)
        scene.clock.advance(by: 1)
        for call in waiting {
            expect((try await withDeadline { await call.value } as? NetworkClient.Error)?.statusCode, 503)
        }
        expect(scene.sent.count, 5)
    }

    @Test(.spec(113)) func aServerThatFailsOneInFiveStaysInUseAndOneThatIsDownIsLeftAlone() async throws {
        for (period, isLeftAlone) in [(5, false), (1, true)] {
            let clock = TestClock(advancesItself: true)
            let scene = ResilienceScene([try .standardResilience()], clock: clock) { _, number in
                (Data(), .made(number % period == 0 ? 503 : 200))
            }
            var refusals = 0
            for _ in 0..<500 { refusals += await scene.failure() is CircuitOpenError ? 1 : 0 }
            expect((refusals > 0), isLeftAlone)
            // No call waits while the circuit is open, so that no probe is due.
            if isLeftAlone { expect(scene.sent.count, 20) } else { #expect(scene.sent.count >= 500) }
        }
    }

    private typealias Thresholds = CircuitBreakerInterceptor.Thresholds

    /// The deadline, the window of the circuit breaker and the wait timeout, each left out or given.
    @Test(.spec(284)) func aNumberThatIsLeftOutFollowsFromTheOthers() throws {
        let stacks: [InterceptorStack] = [
            try .standardResilience(deadline: 5), try .standardResilience(waitTimeout: 60),
            try .standardResilience(circuitBreaker: Thresholds(window: 10)), try .standardResilience(),
        ]
        let times = stacks.map { stack in
            InterceptorStack.flattened([stack]).compactMap { ($0 as? DeadlineInterceptor)?.seconds }
        }
        expect(times, [[5, 5], [60, 60], [30, 5], [30, 10]])
    }

    @Test func contradictoryNumbersAreRefusedWithASentence() {
        let table: [(String, () throws -> InterceptorStack)] = [
            (
                "the wait timeout of 9 s is longer than the deadline of 8 s",
                { try .standardResilience(deadline: 8, waitTimeout: 9) }
            ),
            (
                "the window of the circuit breaker, 10 s, is shorter than two wait timeouts of 10 s",
                { try .standardResilience(circuitBreaker: Thresholds(window: 10), waitTimeout: 10) }
            ),
            ("with at most 0 requests in flight, none could be sent", { try .standardResilience(concurrency: 0) }),
            ("a deadline of -1.0 s is not valid", { try .standardResilience(deadline: -1) }),
            ("a deadline of nan s is not valid", { try .standardResilience(deadline: .nan) }),
            ("a deadline of inf s is not valid", { try .standardResilience(deadline: .infinity) }),
            ("a wait timeout of 0.0 s is not valid", { try .standardResilience(waitTimeout: 0) }),
            ("a request cannot be sent again -1 times", { try .standardResilience(retry: RetryPolicy(retries: -1)) }),
            (
                "a retry budget with a reserve of 0.5 would allow no retry",
                { try .standardResilience(retryBudget: RetryBudget(ratio: 0.2, reserve: 0.5)) }
            ),
            (
                "a circuit breaker with a failure ratio of 0 would open at a single failure",
                { try .standardResilience(circuitBreaker: Thresholds(failureRatio: 0)) }
            ),
        ]
        #expect(throws: Never.self) {
            try InterceptorStack.standardResilience(retry: .never, retryBudget: RetryBudget(reserve: 0))
        }
        for (complaint, make) in table {
            #expect { _ = try make() } throws: {
                $0 is InterceptorStack.NumbersError
                    && $0.localizedDescription == "The numbers of the resilience stack are invalid: \(complaint)."
            }
        }
    }

    /// A fifth of the requests fails, a third of the calls is cancelled, and nothing is left.
    @Test(.spec(112, 113, 114, 126)) func manyCallsPassTheStandardStackAndLeaveNothing() async throws {
        let limit = ConcurrencyLimitInterceptor(20)
        let clock = TestClock(advancesItself: true)
        let thresholds = Thresholds(window: 86_400)
        // The waits of all calls add up on this clock, and no deadline is to end a call here.
        let stack: InterceptorStack = try .standardResilience(
            deadline: 80_000,
            retryBudget: .unlimited,
            circuitBreaker: thresholds,
            waitTimeout: 40_000
        )
        let scene = ResilienceScene([limit, stack], clock: clock) { _, number in
            await Task.yield()
            return (Data(), .made(number % 5 == 0 ? 503 : 200))
        }
        try await withDeadline {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<3_000 {
                    group.addTask {
                        let call = Task { try await scene.fetch() }
                        if number % 3 == 0 { call.cancel() }
                        switch await call.result {
                        case .success(let status): expect(status, 200)
                        case .failure(let error):
                            let isExpected = error is CancellationError && number % 3 == 0
                            #expect(isExpected || (error as? NetworkClient.Error)?.statusCode == 503)
                        }
                    }
                }
            }
        }
        expectAll((limit.waiterCount, scene.client.calls.count), (0, 0))
        #expect(try await scene.fetch(options: CallOptions(acceptedStatuses: .init(200...599))) > 0)
    }
}
