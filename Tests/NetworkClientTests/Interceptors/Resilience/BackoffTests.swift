import NetworkTestSupport
import Testing

@testable import NetworkClient

struct BackoffTests {
    @Test(
        .spec(103),
        arguments: [
            (Int.min, 0.05), (0, 0.05), (1, 0.05), (2, 0.1), (3, 0.2), (9, 12.8), (10, 20), (1_000, 20), (.max, 20),
        ]
    )
    func theWaitsDoubleUpToTheLimit(number: Int, seconds: Double) {
        #expect(Backoff(jitter: .none).delay(beforeRetry: number) == seconds)
    }

    @Test(.spec(103), arguments: [(1, 1.0), (2, 2), (3, 4), (5, 16), (6, 20)])
    func theWaitsForAThrottlingServerBeginWithASecond(number: Int, seconds: Double) {
        #expect(Backoff(jitter: .none).delay(beforeRetry: number, isThrottled: true) == seconds)
    }

    @Test(
        .spec(107),
        arguments: [
            (0.0, 0.0), (-0.0, 0), (-1, 0), (.nan, 0), (-.infinity, 0), (0.5, 0.5), (1e300, 20), (.infinity, 20),
            (.leastNonzeroMagnitude, .leastNonzeroMagnitude),
        ]
    )
    func aBaseOutOfRangeIsClamped(base: Double, seconds: Double) {
        #expect(Backoff(base: base, jitter: .none).delay(beforeRetry: 1) == seconds)
        #expect(Backoff(throttledBase: base, jitter: .none).delay(beforeRetry: 1, isThrottled: true) == seconds)
        #expect(Backoff(base: base, jitter: .none).delay(beforeRetry: .max).isFinite)
    }

    @Test(
        .spec(107),
        arguments: [
            (0.0, 0.0), (-1, 0), (.nan, 0), (0.5, 0.5), (1e300, Seconds.longest), (.infinity, Seconds.longest),
        ]
    )
    func aLimitOutOfRangeIsClamped(maximum: Double, seconds: Double) {
        #expect(Backoff(base: 1e9, maximum: maximum, jitter: .none).delay(beforeRetry: 1) == seconds)
    }

    @Test(
        .spec(107),
        arguments: [(0.0, 0.0), (0.25, 5), (1, 20), (-1, 0), (2, 20), (.nan, 0), (.infinity, 20), (-.infinity, 0)]
    )
    func theSourceOfTheJitterIsInjectableAndAppliesAfterTheLimit(fraction: Double, seconds: Double) {
        #expect(Backoff(base: 100, jitter: Jitter { fraction }).delay(beforeRetry: 7) == seconds)
    }

    @Test(.spec(107)) func theJitterIsFullByDefault() {
        let waits = (0..<1_000).map { _ in Backoff().delay(beforeRetry: 3) }
        #expect(waits.allSatisfy { 0...0.2 ~= $0 })
        // Each fails once in 10^45 runs.
        #expect(waits.contains { $0 < 0.02 } && waits.contains { $0 > 0.18 })
    }
}
