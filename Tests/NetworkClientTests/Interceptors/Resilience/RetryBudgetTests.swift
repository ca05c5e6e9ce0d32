import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct RetryBudgetTests {
    /// The tokens, and calls that fail.
    private struct Ledger {
        private let tokens: Locked<RetryTokens>

        init(_ budget: RetryBudget = .default) {
            tokens = Locked(RetryTokens(budget))
        }

        var areFull: Bool { tokens.withLock { $0.areFull } }
        var count: Int { tokens.withLock { $0.count } }

        func addCall(to origin: Origin, at now: Double = 0) { tokens.withLock { $0.addCall(to: origin, at: now) } }

        func take(_ origin: Origin, at now: Double = 0) -> Bool {
            tokens.withLock { $0.takeRetry(to: origin, at: now) }
        }

        func endWait(_ origin: Origin, isSent: Bool = true, at now: Double = 0) {
            tokens.withLock { $0.endWait(of: origin, isSent: isSent, at: now) }
        }

        /// Makes calls that are sent again as often as the budget allows, and returns the number of retries.
        func retries(_ calls: Int, to origin: Origin, each limit: Int = .max, at now: Double = 0) -> Int {
            var retries = 0
            for _ in 0..<calls {
                addCall(to: origin, at: now)
                for _ in 0..<limit {
                    guard take(origin, at: now) else { break }
                    endWait(origin, at: now)
                    retries += 1
                }
            }
            return retries
        }
    }

    private let a = Origin(of: url("https://a.example.com"))
    private let b = Origin(of: url("https://b.example.com"))

    @Test(.spec(111), arguments: [1, 2, 100]) func failingCallsGetAFifthMoreRequestsAtMost(limit: Int) {
        #expect(180...200 ~= Ledger().retries(1_000, to: a, each: limit))
    }

    @Test(.spec(111)) func fewCallsGetTheReserve() {
        let ledger = Ledger()
        #expect(ledger.retries(5, to: a, each: 2) == 10)
        #expect(ledger.retries(1, to: a) == 0)
    }

    @Test(.spec(111)) func callsFillTheBucketAndAFullOneIsForgotten() {
        let ledger = Ledger(RetryBudget(ratio: 0.25, reserve: 2))
        #expect(ledger.areFull)
        #expect(ledger.retries(1, to: a) == 2)
        for _ in 0..<7 { ledger.addCall(to: a) }
        #expect(!ledger.areFull)
        ledger.addCall(to: a)
        #expect(ledger.areFull)
        ledger.addCall(to: a)
        #expect(ledger.retries(1, to: a) == 2)
    }

    @Test(.spec(111)) func eachOriginHasItsOwnBucket() {
        let ledger = Ledger()
        #expect(ledger.retries(10, to: a) > 0)
        #expect(!ledger.take(a))
        #expect(ledger.take(b))
    }

    @Test func aRetryThatIsNotSentGivesItsTokenBack() {
        let ledger = Ledger(RetryBudget(ratio: 0, reserve: 1))
        #expect(ledger.take(a))
        #expect(!ledger.take(a))
        ledger.endWait(a, isSent: false)
        #expect(ledger.areFull)
    }

    @Test func aBucketIsFullAgainAfterAMinuteWithoutACall() {
        let ledger = Ledger()
        #expect(ledger.retries(97, to: a) == 28)
        #expect(ledger.retries(1, to: a, at: 59) == 0)
        #expect(ledger.retries(1, to: a, at: 118) == 0)
        #expect(ledger.retries(1, to: a, at: 178) == 10)
    }

    @Test(.spec(111)) func aBucketIsInUseWhileARetryWaits() {
        let ledger = Ledger(RetryBudget(ratio: 0, reserve: 1))
        #expect(ledger.take(a))
        #expect(!ledger.take(a, at: 4_000))
        ledger.endWait(a, at: 8_000)
        #expect(!ledger.take(a, at: 8_059))
        #expect(ledger.take(a, at: 8_119))
    }

    @Test func originsWithoutCallsAreForgotten() {
        let ledger = Ledger()
        for number in 0..<1_000 {
            let origin = Origin(of: url("https://h\(number).example.com"))
            #expect(ledger.take(origin, at: 100))
            ledger.endWait(origin, at: 100)
        }
        #expect(ledger.count == 1_000)
        ledger.addCall(to: a, at: 159)
        #expect(ledger.count == 1_000)
        ledger.addCall(to: a, at: 219)
        #expect(ledger.areFull)
    }

    @Test(
        .spec(107),
        arguments: [
            (0.19, 0.0, 0), (0.19, -5, 0), (0.19, .nan, 0), (-1, 3, 3), (.nan, 3, 3), (0, 3.9, 3), (7, 3, 102),
            (.infinity, 3, 102), (0, .infinity, 1_000), (-.infinity, -.infinity, 0),
        ] as [(Double, Double, Int)]
    )
    func aBudgetOutOfRangeIsClamped(ratio: Double, reserve: Double, count: Int) {
        #expect(Ledger(RetryBudget(ratio: ratio, reserve: reserve)).retries(100, to: a, each: 10) == count)
    }

    @Test(.spec(111), arguments: [1, 1_000], [nil, "20"])
    func aThousandCallsToAFailingServerAreAtMostTwelveHundredRequests(
        concurrency: Int,
        retryAfter: String?
    ) async throws {
        let fields = retryAfter.map { ["Retry-After": $0] } ?? [:]
        let scene = RetryScene([.response(503, fields)])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<concurrency {
                group.addTask {
                    for _ in 0..<(1_000 / concurrency) { _ = try? await scene.fetch() }
                }
            }
        }
        #expect(1_150...1_200 ~= scene.sent.count)
        #expect(scene.clock.sleeps.count == scene.sent.count - 1_000)
        #expect(scene.lines.contains("decision: RetryInterceptor: gives up, the retry budget of the host is used up"))
    }

    @Test(.spec(111)) func copiesOfAnInterceptorShareTheirBudget() async throws {
        let interceptor = RetryInterceptor(budget: RetryBudget(ratio: 0, reserve: 1))
        let sent = Recorder<Int>()
        let transport = ClosureTransport { _ in
            sent.record(1)
            return (Data(), .made(503))
        }
        for _ in 0..<3 {
            let configuration = NetworkClient.Configuration(time: TestClock(advancesItself: true))
            let client = NetworkClient(
                transport: transport,
                interceptors: [interceptor],
                configuration: configuration
            )
            _ = try? await client.fetch(request: URLRequest(url: url("http://h")))
        }
        #expect(sent.count == 4)
    }
}
