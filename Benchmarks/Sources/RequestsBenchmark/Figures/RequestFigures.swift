import BenchmarkHarness

/// The report on requests.
struct RequestFigures {
    let levels: [RequestLevel]

    func report(to report: Report) {
        report.note("Requests a second, all levels:")
        report.table(overview { variant, _ in Figures.number(variant.rates.median, digits: 0) })
        report.note("Microseconds of processor time for a request, all threads of the client, all levels:")
        report.table(overview { variant, _ in Figures.number(variant.processor.median / 1_000) })
        for level in levels {
            report.note("\(level.concurrency) at a time:")
            report.table(table(level))
        }
        report.note("")
    }

    /// The names of the variants, some of which may be missing at some levels.
    private var names: [String] {
        levels.flatMap(\.measured).map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Returns a table with one figure for each variant at each level.
    func overview(_ figure: (MeasuredRequests, RequestLevel) -> String) -> Table {
        var table = Table(["at a time"] + levels.map { "\($0.concurrency)" })
        for name in names {
            table.add(
                [name]
                    + levels.map { level in
                        level.figures(of: name).map { figure($0, level) } ?? "n/a"
                    }
            )
        }
        return table
    }

    private func table(_ level: RequestLevel) -> Table {
        var table = Table(
            "variant",
            "requests a second",
            "ratio",
            "p50 µs",
            "p99 µs",
            "CPU µs a request",
            "ratio",
            "allocations"
        )
        for variant in level.measured {
            table.add(
                variant.name,
                quartiles(variant.rates),
                Figures.number(variant.rateRatio(to: level.measured[0]), digits: 2),
                Figures.number(variant.medianLatency / 1_000, digits: 0),
                Figures.number(variant.highLatency / 1_000, digits: 0),
                Figures.number(variant.processor.median / 1_000),
                Figures.number(variant.processorRatio(to: level.measured[0]), digits: 3),
                Figures.number(variant.allocations, digits: 0)
            )
        }
        return table
    }

    private func quartiles(_ values: [Double]) -> String {
        let figures = [0.5, 0.25, 0.75].map { Figures.number(values.quantile($0), digits: 0) }
        return "\(figures[0]) (\(figures[1])…\(figures[2]))"
    }
}

/// The measurements at one number of concurrent requests.
struct RequestLevel: Sendable {
    let concurrency: Int
    let measured: [MeasuredRequests]

    func figures(of name: String) -> MeasuredRequests? { measured.first { $0.name == name } }
}

/// A goal for one variant, relative to another.
public struct RequestGoal: Sendable {
    private enum Measure {
        case rate
        case processor
        case spread
    }

    private let measure: Measure
    private let variant: String
    private let other: String
    private let bound: Double
    private let concurrency: ClosedRange<Int>

    /// Requests a second of a variant: at least `bound` times as many as another variant, at some concurrencies.
    public static func rate(
        of variant: String,
        isAtLeast bound: Double,
        times other: String,
        at concurrency: ClosedRange<Int>
    ) -> RequestGoal {
        RequestGoal(measure: .rate, variant: variant, other: other, bound: bound, concurrency: concurrency)
    }

    /// Processor time of a variant: at most `bound` times that of another variant, at some concurrencies.
    public static func processorTime(
        of variant: String,
        isAtMost bound: Double,
        times other: String,
        at concurrency: ClosedRange<Int>
    ) -> RequestGoal {
        RequestGoal(measure: .processor, variant: variant, other: other, bound: bound, concurrency: concurrency)
    }

    /// The 99th percentile of a variant's latencies: at most `bound` times their median, at some concurrencies.
    public static func slowest(
        of variant: String,
        isAtMost bound: Double,
        at concurrency: ClosedRange<Int>
    ) -> RequestGoal {
        RequestGoal(measure: .spread, variant: variant, other: variant, bound: bound, concurrency: concurrency)
    }

    /// Reports nothing if one of the two variants, or the concurrency, wasn't measured.
    func report(on levels: [RequestLevel], to report: Report) {
        let ratios = levels.filter { concurrency.contains($0.concurrency) }.compactMap { level in
            level.figures(of: variant).flatMap { one in level.figures(of: other).map { (level, ratio(one, $0)) } }
        }
        guard !ratios.isEmpty else { return }
        let found = ratios.map { "\(Figures.number($1, digits: 2)) at \($0.concurrency)" }.joined(separator: ", ")
        report.goal(ratios.allSatisfy { isMet($0.1) }, description, found)
    }

    private var description: String {
        let bound = Figures.number(bound, digits: 2)
        return switch measure {
        case .rate: "\(variant): at least \(bound) × the requests a second of \(other)"
        case .processor: "\(variant): at most \(bound) × the processor time of \(other)"
        case .spread: "\(variant): 99 % of the latencies are at most \(bound) × the median"
        }
    }

    private func ratio(_ one: MeasuredRequests, _ other: MeasuredRequests) -> Double {
        switch measure {
        case .rate: one.rateRatio(to: other)
        case .processor: one.processorRatio(to: other)
        case .spread: one.highLatency / one.medianLatency
        }
    }

    private func isMet(_ ratio: Double) -> Bool {
        switch measure {
        case .rate: ratio >= bound
        case .processor, .spread: ratio <= bound
        }
    }
}
