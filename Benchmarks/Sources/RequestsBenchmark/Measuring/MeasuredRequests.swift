import BenchmarkHarness

/// What was found of one variant at one number of concurrent requests.
struct MeasuredRequests: Sendable {
    let name: String
    /// One figure for each round, in the order of the rounds.
    let rates: [Double]
    /// Nanoseconds of processor time for one request, in the order of the rounds.
    let processor: [Double]
    /// Nanoseconds; of all rounds' requests.
    let medianLatency: Double
    let highLatency: Double
    /// Of one request; nil where they cannot be counted.
    let allocations: Double?
    let requests: Int

    init(_ name: String, _ turns: [RequestTurn], _ allocations: Double?) {
        self.name = name
        self.allocations = allocations
        rates = turns.map(\.requestsPerSecond)
        processor = turns.map(\.processorPerRequest)
        let latencies = turns.flatMap { $0.latencies.map(Double.init) }
        requests = latencies.count
        medianLatency = latencies.quantile(0.5)
        highLatency = latencies.quantile(0.99)
    }

    /// How many times as many requests a second as another variant, the median of the rounds' own ratios.
    func rateRatio(to other: MeasuredRequests) -> Double {
        zip(rates, other.rates).map { $0 / $1 }.median
    }

    /// How much of another variant's processor time a request takes.
    func processorRatio(to other: MeasuredRequests) -> Double {
        zip(processor, other.processor).map { $0 / $1 }.median
    }
}
