import NetworkTestSupport
import Testing

@testable import NetworkClient

struct BackoffTests {
    @Test(
        .spec(103),
        arguments: [
            (Int.min, 0.05, 1.0), (0, 0.05, 1), (1, 0.05, 1), (2, 0.1, 2), (3, 0.2, 4), (5, 0.8, 16), (6, 1.6, 20),
            (9, 12.8, 20), (10, 20, 20), (1_000, 20, 20), (.max, 20, 20),
        ]
    )
    func theWaitsDoubleUpToTheLimitFromASecondForAThrottlingServer(number: Int, seconds: Double, throttled: Double) {
        expect(Backoff(jitter: .none).delay(beforeRetry: number), seconds)
        expect(Backoff(jitter: .none).delay(beforeRetry: number, isThrottled: true), throttled)
    }

    @Test(
        .spec(107, 240),
        arguments: [
            (0.0, 0.0, 0.0), (-0.0, 0, 0), (-1, nil, 0), (.nan, nil, 0), (-.infinity, nil, 0), (0.5, 0.5, 10),
            (1, 1, 20), (2, 2, 20), (1e300, 20, 20), (.infinity, 20, 20),
            (.leastNonzeroMagnitude, .leastNonzeroMagnitude, .leastNonzeroMagnitude * 20),
        ] as [(Double, Double?, Double)]
    )
    func aNumberOutOfRangeIsTheDefaultOrClampedAndTheJitterAppliesAfterTheLimit(
        number: Double,
        base: Double?,
        jittered: Double
    ) {
        expect(Backoff(base: number, jitter: .none).delay(beforeRetry: 1), base ?? 0.05)
        expect(Backoff(throttledBase: number, jitter: .none).delay(beforeRetry: 1, isThrottled: true), base ?? 1)
        #expect(Backoff(base: number, jitter: .none).delay(beforeRetry: .max).isFinite)
        expect(Backoff(base: 100, jitter: Jitter { number }).delay(beforeRetry: 7), jittered)
        let limit = Backoff(base: 1e9, maximum: number, jitter: .none).delay(beforeRetry: 1)
        expect(limit, (number > 1e9 ? Seconds.longest : number >= 0 ? number : 20))
    }

    @Test(.spec(107)) func theJitterIsFullByDefault() {
        let waits = (0..<1_000).map { _ in Backoff().delay(beforeRetry: 3) }
        #expect(waits.allSatisfy { 0...0.2 ~= $0 })
        // Each fails once in 10^45 runs.
        #expect(waits.contains { $0 < 0.02 } && waits.contains { $0 > 0.18 })
    }
}
