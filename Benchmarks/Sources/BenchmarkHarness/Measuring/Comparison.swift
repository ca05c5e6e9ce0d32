/// Measures variants against each other: rounds in which each takes its turn, so that a noisy minute meets all of them.
public struct Comparison: Sendable {
    /// How many rounds there are.
    public let rounds: Int

    /// How many operations one turn has.
    public let operations: Int

    /// Takes the size.
    ///
    /// - Parameters:
    ///   - rounds: More than 0.
    ///   - operations: For one turn; more than 0.
    public init(rounds: Int, operations: Int) {
        self.rounds = rounds
        self.operations = operations
    }

    /// Measures.
    ///
    /// - Parameter variants: What is compared.
    /// - Returns: The figures, in the order of the variants.
    /// - Throws: What a variant throws.
    public func measure(_ variants: [Variant]) async throws -> [Measured] {
        for variant in variants { try await variant.repeatOperation(max(1, operations / 10)) }
        var times = variants.map { _ in [Turn]() }
        for round in 0..<rounds {
            // Each round begins with another variant, so that none always follows the same one.
            for position in variants.indices {
                let index = (position + round) % variants.count
                times[index].append(try await turn(variants[index]))
            }
        }
        var measured: [Measured] = []
        for (variant, turns) in zip(variants, times) {
            measured.append(
                Measured(
                    name: variant.name,
                    nanoseconds: turns.map(\.elapsed),
                    processorNanoseconds: turns.map(\.processor),
                    allocations: try await allocations(of: variant)
                )
            )
        }
        return measured
    }

    private struct Turn {
        let elapsed: Double
        let processor: Double
    }

    private func turn(_ variant: Variant) async throws -> Turn {
        let (start, processorStart) = (Clocks.elapsed, Clocks.processor)
        try await variant.repeatOperation(operations)
        return Turn(
            elapsed: Double(Clocks.elapsed - start) / Double(operations),
            processor: Double(Clocks.processor - processorStart) / Double(operations)
        )
    }

    /// Counted apart from the time, and thrice, since another thread of the process may allocate in between.
    private func allocations(of variant: Variant) async throws -> Double? {
        guard Allocations.areCounted else { return nil }
        var counts: [Double] = []
        for _ in 0..<3 {
            let count = try await Allocations.count { try await variant.repeatOperation(operations) }
            counts.append(Double(count) / Double(operations))
        }
        return counts.median
    }
}
