import BenchmarkHarness

/// How long callers have waited until they knew that they are cancelled, in milliseconds.
struct SoakLatencies: Sendable {
    let median: Double
    let high: Double
    let longest: Double

    init(_ latencies: [Double]) {
        median = latencies.median
        high = latencies.quantile(0.99)
        longest = latencies.max() ?? 0
    }
}
