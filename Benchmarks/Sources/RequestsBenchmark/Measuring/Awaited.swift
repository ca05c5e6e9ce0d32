import BenchmarkHarness

/// Tasks that each await one request after the other.
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
            guard item == .expected else { throw UnexpectedAnswer() }
            let end = Clocks.elapsed
            latencies.append(UInt32(clamping: end - start))
            start = end
        } while start < deadline
        return latencies
    }
}
