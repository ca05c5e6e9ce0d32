import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct RetryBudgetTests {
    /// Makes calls that are sent again as often as the budget allows, and returns the number of retries.
    private func retries(_ calls: Int, _ tokens: inout RetryTokens, each limit: Int = .max, at now: Double = 0) -> Int {
        var retries = 0
        for _ in 0..<calls {
            tokens.addCall(at: now)
            for _ in 0..<limit {
                guard tokens.takeRetry(at: now) else { break }
                tokens.endWait(isSent: true, at: now)
                retries += 1
            }
        }
        return retries
    }

    @Test(.spec(111)) func callsFillTheBucketUpToItsReserveAndARetryThatIsNotSentGivesItsTokenBack() {
        var tokens = RetryTokens(.default)
        for limit in [1, 2, 100] {
            tokens = RetryTokens(.default)
            #expect(180...199 ~= retries(1_000, &tokens, each: limit))
        }
        tokens = RetryTokens(.default)
        expect(retries(5, &tokens, each: 2), 10)
        expect(retries(1, &tokens), 0)
        tokens = RetryTokens(RetryBudget(ratio: 0.25, reserve: 2))
        expect(retries(1, &tokens), 2)
        for _ in 0..<20 { tokens.addCall(at: 0) }
        expect(retries(1, &tokens), 2)
        tokens = RetryTokens(RetryBudget(ratio: 0, reserve: 1))
        for isFree in [true, false] { expect(tokens.takeRetry(at: 0), isFree) }
        tokens.endWait(isSent: false, at: 0)
        expect(retries(2, &tokens), 1)
    }

    @Test(.spec(111)) func aBucketIsFullAgainAfterAMinuteInWhichNoCallUsesItAndNoRetryWaits() {
        var tokens = RetryTokens(.default)
        let counts = [(97, 0.0), (1, 59), (1, 118), (1, 178)].map { retries($0.0, &tokens, at: $0.1) }
        expect(counts, [28, 0, 0, 10])
        // A use with an earlier time does not make a bucket idle.
        tokens = RetryTokens(RetryBudget(ratio: 0, reserve: 1))
        let jumps = [100.0, 0, 100].map { retries(1, &tokens, at: $0) }
        expect(jumps, [1, 0, 0])
        tokens = RetryTokens(RetryBudget(ratio: 0, reserve: 1))
        for (now, isFree) in [(0.0, true), (4_000, false)] { expect(tokens.takeRetry(at: now), isFree) }
        tokens.endWait(isSent: true, at: 8_000)
        for (now, isFree) in [(8_059.0, false), (8_119, true)] { expect(tokens.takeRetry(at: now), isFree) }
    }

    @Test(
        .spec(107),
        arguments: [
            (0.19, 0.0, 0), (0.19, -5, 0), (0.19, .nan, 0), (-1, 3, 3), (.nan, 3, 3), (0, 3.9, 3), (7, 3, 102),
            (.infinity, 3, 102), (0, .infinity, 1_000), (-.infinity, -.infinity, 0),
        ] as [(Double, Double, Int)]
    )
    func aBudgetOutOfRangeIsClamped(ratio: Double, reserve: Double, count: Int) {
        var tokens = RetryTokens(RetryBudget(ratio: ratio, reserve: reserve))
        expect(retries(100, &tokens, each: 10), count)
    }

    @Test(.spec(111), arguments: [1, 1_000], [nil, "20"])
    func aThousandCallsToAFailingServerAreAtMostTwelveHundredRequests(
        concurrency: Int,
        retryAfter: String?
    ) async throws {
        let fields = retryAfter.map { ["Retry-After": $0] } ?? [:]
        let limits: [any InterceptorProtocol] = concurrency > 1 ? [.concurrencyLimit(5), .rateLimit(1_000)] : []
        let scene = RetryScene([.response(503, fields)], inside: limits)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    for _ in 0..<(1_000 / concurrency) { _ = try? await scene.fetch() }
                }
            }
        }
        #expect(1_150...1_199 ~= scene.sent.count)
        if concurrency == 1 { expect(scene.clock.sleeps.count, scene.sent.count - 1_000) }
        #expect(scene.lines.contains("decision: RetryInterceptor: gives up, the retry budget of the host is used up"))
    }

    @Test(.spec(111)) func theCopiesOfAnInterceptorShareOneBucketForEachOrigin() async {
        let interceptor = RetryInterceptor(budget: RetryBudget(ratio: 0, reserve: 1))
        let scenes = (0..<3).map { _ in
            ResilienceScene([interceptor], clock: TestClock(advancesItself: true), statuses: [503])
        }
        for scene in scenes { _ = await scene.failure("https://a.example.com/") }
        expect(scenes.map(\.sent.count), [2, 1, 1])
        _ = await scenes[0].failure("https://b.example.com/")
        expect(scenes[0].sent.count, 4)
    }

    @Test(.spec(236)) func aRetryAfterARedirectIsPaidByTheHostThatItHasReached() async {
        let interceptor = RetryInterceptor(budget: RetryBudget(ratio: 0, reserve: 1))
        let scene = ResilienceScene([interceptor], clock: TestClock(advancesItself: true)) { request, _ in
            let place = request.url?.absoluteString ?? ""
            guard request.url?.path == "/file" else { return (Data(), .made(503, url: place)) }
            return (Data(), .made(302, url: place, headers: ["Location": "https://b/"]))
        }
        for _ in 1...3 { _ = await scene.failure("https://a/file") }
        let count = scene.sent.count
        expect(count, 8)
        _ = await scene.failure("https://a/")
        expect(scene.sent.count, count + 2)
    }
}
