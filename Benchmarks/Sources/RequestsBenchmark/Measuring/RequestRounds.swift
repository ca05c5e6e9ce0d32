import BenchmarkHarness

/// Rounds in which each variant takes its turn, so that a noisy minute meets all of them.
struct RequestRounds: Sendable {
    let rounds: Int
    let seconds: Double

    /// Measures with clients that are made for it and closed afterwards.
    func measure(_ variants: [RequestVariant], _ target: RequestTarget) async throws -> [MeasuredRequests] {
        var loads: [RequestLoad] = []
        for variant in variants { loads.append(try await variant.prepare(target)) }
        // Opens the connections; of no interest otherwise.
        for load in loads { _ = try await RequestTurn.take(load, seconds: seconds / 2) }
        var turns = variants.map { _ in [RequestTurn]() }
        for round in 0..<rounds {
            // Each round begins with another variant, so that none always follows the same one.
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

    /// Counted apart from the time.
    private func allocations(of load: RequestLoad) async throws -> Double? {
        guard Allocations.areCounted else { return nil }
        var requests = 0
        let count = try await Allocations.count {
            requests = try await RequestTurn.take(load, seconds: seconds / 4).latencies.count
        }
        return Double(count) / Double(requests)
    }
}
