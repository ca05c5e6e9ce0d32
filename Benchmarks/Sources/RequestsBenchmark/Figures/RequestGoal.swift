import BenchmarkHarness

/// How one variant is to compare with another.
public struct RequestGoal: Sendable {
    private enum Measure {
        case rate
        case processor
    }

    private let measure: Measure
    private let variant: String
    private let other: String
    private let bound: Double
    private let concurrency: ClosedRange<Int>

    /// A variant makes at least so many times as many requests a second.
    ///
    /// - Parameters:
    ///   - variant: The name of the variant.
    ///   - bound: The ratio.
    ///   - other: The name of the other one.
    ///   - concurrency: For which numbers of concurrent requests.
    /// - Returns: The goal.
    public static func rate(
        of variant: String,
        isAtLeast bound: Double,
        times other: String,
        at concurrency: ClosedRange<Int>
    ) -> RequestGoal {
        RequestGoal(measure: .rate, variant: variant, other: other, bound: bound, concurrency: concurrency)
    }

    /// A variant takes at most that part of the processor time of another.
    ///
    /// - Parameters:
    ///   - variant: The name of the variant.
    ///   - bound: The part.
    ///   - other: The name of the other one.
    ///   - concurrency: For which numbers of concurrent requests.
    /// - Returns: The goal.
    public static func processorTime(
        of variant: String,
        isAtMost bound: Double,
        times other: String,
        at concurrency: ClosedRange<Int>
    ) -> RequestGoal {
        RequestGoal(measure: .processor, variant: variant, other: other, bound: bound, concurrency: concurrency)
    }

    /// Nothing where one of the two, or the number of requests, was not measured.
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
        }
    }

    private func ratio(_ one: MeasuredRequests, _ other: MeasuredRequests) -> Double {
        switch measure {
        case .rate: one.rateRatio(to: other)
        case .processor: one.processorRatio(to: other)
        }
    }

    private func isMet(_ ratio: Double) -> Bool {
        switch measure {
        case .rate: ratio >= bound
        case .processor: ratio <= bound
        }
    }
}
