import CMeasuring
import Foundation

/// Measures variants in interleaved rounds, so that noise on the machine affects all variants alike.
struct Comparison: Sendable {
    let rounds: Int

    /// The number of operations in one turn of a variant.
    let operations: Int

    /// Reads the settings `rounds` and `operations`; the pairs are for `--quick` and for a full run.
    init(_ options: Options, rounds: (quick: Int, full: Int), operations: (quick: Int, full: Int)) throws {
        self.rounds = try options.number("rounds", quick: rounds.quick, full: rounds.full)
        self.operations = try options.number("operations", quick: operations.quick, full: operations.full)
    }

    /// Measures all variants and returns one result for each, in the same order.
    func measure(_ variants: [Variant]) async throws -> [Measured] {
        for variant in variants { try await variant.repeatOperation(max(1, operations / 10)) }
        let turns = try await Self.interleaved(variants, rounds: rounds) { variant in
            let (start, processorStart) = (Clocks.elapsed, Clocks.processor)
            try await variant.repeatOperation(operations)
            return (Clocks.elapsed - start, Clocks.processor - processorStart)
        }
        var measured: [Measured] = []
        for (variant, turns) in zip(variants, turns) {
            measured.append(
                Measured(
                    name: variant.name,
                    nanoseconds: turns.map { Double($0.0) / Double(operations) },
                    processorNanoseconds: turns.map { Double($0.1) / Double(operations) },
                    allocations: try await allocations(of: variant)
                )
            )
        }
        return measured
    }

    /// Takes the turns of all subjects; each round begins with a different one, so that none always follows the same.
    static func interleaved<Subject, Turn>(
        _ subjects: [Subject],
        rounds: Int,
        _ turn: (Subject) async throws -> Turn
    ) async throws -> [[Turn]] {
        var turns = subjects.map { _ in [Turn]() }
        for round in 0..<rounds {
            for position in subjects.indices {
                let index = (position + round) % subjects.count
                turns[index].append(try await turn(subjects[index]))
            }
        }
        return turns
    }

    /// Returns the allocations of one operation: the median of three runs, since other threads may allocate too.
    private func allocations(of variant: Variant) async throws -> Double? {
        var counts: [Double] = []
        for _ in 0..<3 {
            guard let count = try await Allocations.count({ try await variant.repeatOperation(operations) }) else {
                return nil
            }
            counts.append(Double(count) / Double(operations))
        }
        return counts.median
    }
}

/// One of the alternatives that a comparison measures.
struct Variant: Sendable {
    let name: String

    /// Repeats the operation the given number of times; the loop is inside, so that no call of a closure is measured.
    let repeatOperation: @Sendable (Int) async throws -> Void

    init(_ name: String, _ repeatOperation: @escaping @Sendable (Int) async throws -> Void) {
        self.name = name
        self.repeatOperation = repeatOperation
    }
}

/// The results of one variant in a comparison.
struct Measured: Sendable {
    let name: String

    /// Nanoseconds for one operation, in the order of the rounds.
    let nanoseconds: [Double]

    /// Processor time of all threads for one operation, in nanoseconds, in the order of the rounds.
    let processorNanoseconds: [Double]

    /// Heap allocations of one operation; nil where allocations can't be counted.
    let allocations: Double?

    var median: Double { nanoseconds.median }
}

/// Counts the heap allocations of the process; works with glibc only.
enum Allocations {
    /// Whether allocations can be counted here: the allocation of a probe object must show.
    private static let areCounted: Bool = {
        allocations_start()
        keep([Int](repeating: 0, count: 100))
        return allocations_stop() > 0
    }()

    /// Counts the allocations of all threads while an operation runs; nil, without running it, where they can't be.
    static func count(_ operation: () async throws -> Void) async rethrows -> Int? {
        guard areCounted else { return nil }
        allocations_start()
        defer { _ = allocations_stop() }
        try await operation()
        return Int(allocations_stop())
    }
}

/// The clocks of the measurements, in nanoseconds.
enum Clocks {
    /// The monotonic time.
    static var elapsed: UInt64 { read(CLOCK_MONOTONIC) }

    /// The processor time of this process, over all threads.
    static var processor: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    /// The processor time of another process, over all threads; 0 if it has ended, and on systems other than Linux.
    static func processor(of process: Int32) -> UInt64 {
        #if os(Linux)
        var clock = clockid_t()
        return clock_getcpuclockid(process, &clock) == 0 ? read(clock) : 0
        #else
        return 0
        #endif
    }

    /// The seconds since an earlier monotonic time.
    static func seconds(since start: UInt64) -> Double { Double(elapsed - start) / 1_000_000_000 }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// Uses a value, so that the optimiser can't remove the code that makes it.
@inline(never) @_optimize(none)
func keep<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}

/// A straight line fitted to points by least squares.
struct LinearFit: Sendable {
    let slope: Double

    /// The value at `x` 0.
    let intercept: Double

    /// The coefficient of determination, R²: 1 if all points lie on the line.
    let determination: Double

    /// Fits a line to points with at least two different values of `x`.
    init(x: [Double], y: [Double]) {
        let count = Double(x.count)
        let (meanX, meanY) = (x.reduce(0, +) / count, y.reduce(0, +) / count)
        let spreadX = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        let spreadY = y.reduce(0) { $0 + ($1 - meanY) * ($1 - meanY) }
        let common = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
        slope = common / spreadX
        intercept = meanY - slope * meanX
        determination = spreadY == 0 ? 1 : common * common / (spreadX * spreadY)
    }
}

extension [Double] {
    /// The middle value; 0 for no values.
    var median: Double { quantile(0.5) }

    /// Returns the quantile of a part from 0 to 1, which may be the mean of two values; 0 for no values.
    func quantile(_ part: Double) -> Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        let position = part * Double(count - 1)
        return (sorted[Int(position.rounded(.down))] + sorted[Int(position.rounded(.up))]) / 2
    }

    /// Returns the median of the ratios to other values, round by round.
    func medianRatio(to others: [Double]) -> Double {
        zip(self, others).map { $0 / $1 }.median
    }

    /// The median and the quartiles as a text.
    func quartiles(digits: Int) -> String {
        let values = [0.5, 0.25, 0.75].map { format(quantile($0), digits: digits) }
        return "\(values[0]) (\(values[1])…\(values[2]))"
    }
}
