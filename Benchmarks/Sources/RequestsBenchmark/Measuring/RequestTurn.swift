import BenchmarkHarness

/// What one turn of a variant came to.
struct RequestTurn: Sendable {
    let latencies: [UInt32]
    let seconds: Double
    let processorNanoseconds: Double

    var requestsPerSecond: Double { Double(latencies.count) / seconds }
    var processorPerRequest: Double { processorNanoseconds / Double(latencies.count) }

    /// Takes a turn.
    static func take(_ load: RequestLoad, seconds: Double) async throws -> RequestTurn {
        let (start, processorStart) = (Clocks.elapsed, Clocks.processor)
        let latencies = try await load.run(start + UInt64(seconds * 1_000_000_000))
        return RequestTurn(
            latencies: latencies,
            seconds: Double(Clocks.elapsed - start) / 1_000_000_000,
            processorNanoseconds: Double(Clocks.processor - processorStart)
        )
    }
}
