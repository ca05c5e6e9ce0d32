/// Measures variants in interleaved rounds, so that noise on the machine affects all variants alike.
public struct Comparison: Sendable {
    /// The number of rounds.
    public let rounds: Int

    /// The number of operations in one turn of a variant.
    public let operations: Int

    /// Creates a comparison; both numbers must be positive.
    public init(rounds: Int, operations: Int) {
        self.rounds = rounds
        self.operations = operations
    }

    /// Measures all variants and returns one result for each, in the same order.
    public func measure(_ variants: [Variant]) async throws -> [Measured] {
        for variant in variants { try await variant.repeatOperation(max(1, operations / 10)) }
        var times = variants.map { _ in [Turn]() }
        for round in 0..<rounds {
            // Each round begins with a different variant, so that no variant always follows the same one.
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

    /// Returns the allocations of one operation: the median of three runs, since other threads may allocate too.
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

/// One of the alternatives that a comparison measures.
public struct Variant: Sendable {
    /// The name in the report.
    public let name: String

    let repeatOperation: @Sendable (Int) async throws -> Void

    /// Creates a variant from a closure that repeats the operation the given number of times.
    ///
    /// The closure contains the loop, so that the cost of calling a closure isn't measured.
    public init(_ name: String, _ repeatOperation: @escaping @Sendable (Int) async throws -> Void) {
        self.name = name
        self.repeatOperation = repeatOperation
    }
}

/// The results of one variant in a comparison.
public struct Measured: Sendable {
    /// The variant's name.
    public let name: String

    /// Nanoseconds for one operation, in the order of the rounds.
    public let nanoseconds: [Double]

    /// Processor time of all threads for one operation, in nanoseconds, in the order of the rounds.
    public let processorNanoseconds: [Double]

    /// Heap allocations of one operation; nil where allocations can't be counted.
    public let allocations: Double?

    /// The median of the rounds.
    public var median: Double { nanoseconds.median }
}
