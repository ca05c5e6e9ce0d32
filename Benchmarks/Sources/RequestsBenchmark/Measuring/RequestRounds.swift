import BenchmarkHarness

/// Interleaved rounds of all variants, so that noise on the machine affects all variants alike.
struct RequestRounds: Sendable {
    let rounds: Int
    let seconds: Double

    /// Measures the variants with new clients, which are closed afterwards.
    func measure(_ variants: [RequestVariant], _ target: RequestTarget) async throws -> [MeasuredRequests] {
        var loads: [RequestLoad] = []
        for variant in variants { loads.append(try await variant.prepare(target)) }
        // Opens the connections; the results are dropped.
        for load in loads { _ = try await RequestTurn.take(load, seconds: seconds / 2) }
        var turns = variants.map { _ in [RequestTurn]() }
        for round in 0..<rounds {
            // Each round begins with a different variant, so that no variant always follows the same one.
            for position in variants.indices {
                let index = (position + round) % variants.count
                await Quiescence.wait(atMost: 1)
                turns[index].append(try await RequestTurn.take(loads[index], seconds: seconds))
            }
        }
        var measured: [MeasuredRequests] = []
        for (index, variant) in variants.enumerated() {
            measured.append(MeasuredRequests(variant.name, turns[index], try await allocations(of: loads[index])))
        }
        for load in loads { try await load.end() }
        return measured
    }

    /// Returns the allocations of one request, counted in a separate turn.
    private func allocations(of load: RequestLoad) async throws -> Double? {
        guard Allocations.areCounted else { return nil }
        var requests = 0
        let count = try await Allocations.count {
            requests = try await RequestTurn.take(load, seconds: seconds / 4).latencies.count
        }
        return Double(count) / Double(requests)
    }
}

/// The results of one variant at one number of concurrent requests.
struct MeasuredRequests: Sendable {
    let name: String
    /// Requests a second, in the order of the rounds.
    let rates: [Double]
    /// Nanoseconds of processor time for one request, in the order of the rounds.
    let processor: [Double]
    /// The latencies of all rounds, in nanoseconds.
    let medianLatency: Double
    let highLatency: Double
    /// Heap allocations of one request; nil where allocations can't be counted.
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

    /// Returns the ratio of requests a second to another variant: the median of the ratios of all rounds.
    func rateRatio(to other: MeasuredRequests) -> Double {
        zip(rates, other.rates).map { $0 / $1 }.median
    }

    /// Returns the ratio of processor time for a request to another variant.
    func processorRatio(to other: MeasuredRequests) -> Double {
        zip(processor, other.processor).map { $0 / $1 }.median
    }
}

/// The results of one turn of a variant.
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

/// Keeps a number of requests in flight.
struct RequestLoad: Sendable {
    /// Makes requests until a deadline on the monotonic clock, and returns their latencies in nanoseconds.
    let run: @Sendable (_ deadline: UInt64) async throws -> [UInt32]

    /// Closes all connections.
    let end: @Sendable () async throws -> Void
}

/// Concurrent tasks, each of which makes one request after the other.
struct Awaited: Sendable {
    let concurrency: Int
    let send: @Sendable () async throws -> RequestedItem

    func run(until deadline: UInt64) async throws -> [UInt32] {
        try await withThrowingTaskGroup(of: [UInt32].self) { group in
            for _ in 0..<concurrency {
                group.addTask { try await repeatRequest(until: deadline) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func repeatRequest(until deadline: UInt64) async throws -> [UInt32] {
        var latencies: [UInt32] = []
        latencies.reserveCapacity(4_096)
        var start = Clocks.elapsed
        repeat {
            let item = try await send()
            guard item == .expected else { throw UnexpectedResponse() }
            let end = Clocks.elapsed
            latencies.append(UInt32(clamping: end - start))
            start = end
        } while start < deadline
        return latencies
    }
}

/// A response that isn't the one that the server sends.
struct UnexpectedResponse: Error {}
