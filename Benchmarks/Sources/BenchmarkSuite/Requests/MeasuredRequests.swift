import Foundation

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

    init(_ name: String, _ turns: [RequestTurn], _ allocations: Double?) {
        self.name = name
        self.allocations = allocations
        rates = turns.map { Double($0.latencies.count) / $0.seconds }
        processor = turns.map { $0.processorNanoseconds / Double($0.latencies.count) }
        let latencies = turns.flatMap { $0.latencies.map(Double.init) }
        medianLatency = latencies.quantile(0.5)
        highLatency = latencies.quantile(0.99)
    }
}

/// The results of one turn of a variant.
public struct RequestTurn: Sendable {
    let latencies: [UInt32]
    let seconds: Double
    let processorNanoseconds: Double
    /// Heap allocations in the turn; nil if they weren't counted.
    var allocations: Int?

    init(latencies: [UInt32], seconds: Double, processorNanoseconds: Double, allocations: Int?) {
        (self.latencies, self.seconds, self.allocations) = (latencies, seconds, allocations)
        self.processorNanoseconds = processorNanoseconds
    }

    /// Takes a turn.
    init(_ load: RequestLoad, seconds: Double) async throws {
        let (start, processorStart) = (Clocks.elapsed, load.processor)
        latencies = try await load.run(start + UInt64(seconds * 1_000_000_000))
        self.seconds = Clocks.seconds(since: start)
        processorNanoseconds = Double(load.processor - processorStart)
    }
}

/// Measures requests in interleaved rounds of all variants.
struct RequestRounds: Sendable {
    let rounds: Int
    let milliseconds: Int

    private var seconds: Double { Double(milliseconds) / 1_000 }

    init(_ options: Options, milliseconds: Int) throws {
        rounds = try options.number("rounds", quick: 3, full: 9)
        self.milliseconds = try options.number("milliseconds", quick: 40, full: milliseconds)
    }

    /// Measures the variants with new clients, which are closed afterwards.
    func measure(_ variants: [RequestVariant], _ target: RequestTarget) async throws -> RequestLevel {
        var loads: [RequestLoad] = []
        for variant in variants { loads.append(try await variant.prepare(target)) }
        // Opens the connections; the results are dropped.
        for load in loads { _ = try await RequestTurn(load, seconds: seconds / 2) }
        let turns = try await Comparison.interleaved(loads, rounds: rounds) { load in
            await Quiescence.wait(atMost: 1)
            return try await RequestTurn(load, seconds: seconds)
        }
        var measured: [MeasuredRequests] = []
        for (index, variant) in variants.enumerated() {
            measured.append(MeasuredRequests(variant.name, turns[index], try await allocations(of: loads[index])))
        }
        for load in loads { try await load.end() }
        return RequestLevel(concurrency: target.concurrency, measured: measured)
    }

    /// Returns the allocations of one request, which can't be counted in another process.
    private func allocations(of load: RequestLoad) async throws -> Double? {
        guard load.process == nil else { return nil }
        var requests = 0
        let count = try await Allocations.count {
            requests = try await RequestTurn(load, seconds: seconds / 4).latencies.count
        }
        return count.map { Double($0) / Double(requests) }
    }
}

/// The measurements at one number of concurrent requests.
struct RequestLevel: Sendable {
    let concurrency: Int
    let measured: [MeasuredRequests]

    func results(of name: String) -> MeasuredRequests? { measured.first { $0.name == name } }
}

extension Report {
    func requests(_ levels: [RequestLevel], measured process: String = "client") {
        note("Requests a second, all levels:")
        overview(levels) { variant, _ in format(variant.rates.median, digits: 0) }
        note("Microseconds of processor time for a request, all threads of the \(process), all levels:")
        overview(levels) { variant, _ in format(variant.processor.median / 1_000) }
        for level in levels {
            note("\(level.concurrency) at a time:")
            requests(level)
        }
    }

    /// Writes a table of all results at one level, of requests or of what else is counted.
    func requests(_ level: RequestLevel, unit: String = "request") {
        let first = level.measured[0]
        let columns = [
            "variant", "\(unit)s a second", "ratio", "p50 µs", "p99 µs", "CPU µs each", "ratio", "allocations each",
        ]
        let rows = level.measured.map { variant in
            [
                variant.name,
                variant.rates.quartiles(digits: 0),
                format(variant.rates.medianRatio(to: first.rates), digits: 2),
                format(variant.medianLatency / 1_000, digits: 0),
                format(variant.highLatency / 1_000, digits: 0),
                format(variant.processor.median / 1_000),
                format(variant.processor.medianRatio(to: first.processor), digits: 3),
                format(variant.allocations, digits: 0),
            ]
        }
        table(columns, rows)
    }

    /// Writes a table with one number for each variant at each level.
    func overview(_ levels: [RequestLevel], _ number: (MeasuredRequests, RequestLevel) -> String) {
        // Some variants may be missing at some levels.
        var names: [String] = []
        for variant in levels.flatMap(\.measured) where !names.contains(variant.name) { names.append(variant.name) }
        let rows = names.map { name in
            [name] + levels.map { level in level.results(of: name).map { number($0, level) } ?? "n/a" }
        }
        table(["at a time"] + levels.map { "\($0.concurrency)" }, rows)
    }
}

/// A goal for one variant, relative to another.
struct RequestGoal: Sendable {
    enum Measure {
        /// At least `bound` times the requests a second of the other variant.
        case rate
        /// At most `bound` times the processor time of the other variant.
        case processorTime
        /// The 99th percentile of the latencies is at most `bound` times their median; the other variant isn't used.
        case slowest
    }

    let measure: Measure
    let variant: String
    let bound: Double
    let other: String
    /// The noun, in the singular, of what is counted, such as "request".
    var unit = "request"
    /// The numbers of concurrent requests for which the goal is set.
    let concurrency: ClosedRange<Int>

    init(_ measure: Measure, of variant: String, _ bound: Double, times other: String, at levels: ClosedRange<Int>) {
        self.measure = measure
        self.variant = variant
        self.bound = bound
        self.other = other
        concurrency = levels
    }

    /// Reports nothing if one of the two variants, or the concurrency, wasn't measured.
    func report(on levels: [RequestLevel], to report: Report) {
        let ratios = levels.filter { concurrency.contains($0.concurrency) }.compactMap { level in
            level.results(of: variant).flatMap { one in level.results(of: other).map { (level, ratio(one, $0)) } }
        }
        guard !ratios.isEmpty else { return }
        let found = ratios.map { "\(format($1, digits: 2)) at \($0.concurrency)" }.joined(separator: ", ")
        let isMet = ratios.allSatisfy { measure == .rate ? $0.1 >= bound : $0.1 <= bound }
        report.goal(isMet, description, found)
    }

    private var description: String {
        let bound = format(bound, digits: 2)
        return switch measure {
        case .rate: "\(variant): at least \(bound) × the \(unit)s a second of \(other)"
        case .processorTime: "\(variant): at most \(bound) × the processor time of \(other)"
        case .slowest: "\(variant): 99 % of the latencies are at most \(bound) × the median"
        }
    }

    private func ratio(_ one: MeasuredRequests, _ other: MeasuredRequests) -> Double {
        switch measure {
        case .rate: one.rates.medianRatio(to: other.rates)
        case .processorTime: one.processor.medianRatio(to: other.processor)
        case .slowest: one.highLatency / one.medianLatency
        }
    }
}
