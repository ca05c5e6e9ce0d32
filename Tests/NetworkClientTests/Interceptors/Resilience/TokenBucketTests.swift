import Testing

@testable import NetworkClient

struct TokenBucketTests {
    @Test(
        arguments: [
            (2.0, 1, [0, 0, 0], [0, 0.5, 0.5]), (2, 1, [0, 0.25, 0.5], [0, 0.25, 0]),
            (10, 3, [0, 0, 0, 0], [0, 0, 0, 0.1]),
            (1, 2, [0, 0, 100, 100, 100], [0, 0, 0, 0, 1]), (.infinity, 1, [0, 0, 0], [0, 0, 0]),
            (.nan, 1, [0, 0], [0, 86_400]), (-1, 1, [0, 0], [0, 86_400]), (4, -7, [0, 0], [0, 0.25]),
            (1, 1, [5, 0, 6], [0, 1, 0]),
            // The second time was read before the first.
            (1, 1, [5, 4, 5.5], [0, 1, 0.5]),
        ] as [(Double, Int, [Double], [Double])]
    )
    func aBucketGivesTokensAtItsRate(rate: Double, burst: Int, times: [Double], delays: [Double]) {
        var bucket = TokenBucket(rate: rate, burst: burst)
        expect(times.map { bucket.take(at: $0) }, delays)
    }

    @Test func aPauseDelaysTokensUntilItsEndAndADebtTheRequestsAfterIt() {
        var bucket = TokenBucket(rate: 10, burst: 5)
        let arePauses = [3.0, 2].map { bucket.pause(until: $0) }
        expect(arePauses, [true, false])
        expect(bucket.take(at: 1), 2)
        expect(bucket.delay(behind: 6, at: 1), 2)
        expect(bucket.delay(behind: 29, at: 1), 2.5)
        expect(bucket.take(at: 3), 0)
        for (rate, delays) in [(2, [0, 1, 0]), (.infinity, [0, 0, 0])] as [(Double, [Double])] {
            bucket = TokenBucket(rate: rate, burst: 1)
            let first = bucket.take(at: 0)
            bucket.owe(at: 0)
            expect([first, bucket.take(at: 0), bucket.take(at: 1)], delays)
        }
    }
}
