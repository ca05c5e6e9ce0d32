import BenchmarkHarness

/// The straight lines through the measurements at several depths of the chain.
struct ChainFigures {
    private let depths: [Double]
    private let measured: [Measured]

    /// One line for each round, since the variants of a round ran within the same minute.
    private let fits: [LinearFit]
    private let processorFits: [LinearFit]
    private let fitOfMedians: LinearFit

    init(depths: [Double], _ measured: [Measured]) {
        self.depths = depths
        self.measured = measured
        let rounds = measured.first?.nanoseconds.indices ?? 0..<0
        fits = rounds.map { round in LinearFit(x: depths, y: measured.map { $0.nanoseconds[round] }) }
        processorFits = rounds.map { round in LinearFit(x: depths, y: measured.map { $0.processorNanoseconds[round] }) }
        fitOfMedians = LinearFit(x: depths, y: measured.map(\.median))
    }

    func report(to report: Report, _ comparison: Comparison) {
        report.note(
            "\(comparison.rounds) interleaved rounds of \(comparison.operations) calls at each depth; medians; "
                + "the ratio is to the call without interceptors."
        )
        report.table(table())
        let slopes = fits.map(\.slope)
        report.note("The line through the depths, the median of the lines of all rounds (and their quartiles):\n")
        report.goal(
            slopes.median <= 60,
            "at most 60 ns for each interceptor",
            "\(range(slopes)) ns; processor time \(range(processorFits.map(\.slope))) ns"
        )
        report.goal(
            fitOfMedians.determination > 0.99,
            "linear in their number (R² over 0.99)",
            Figures.number(fitOfMedians.determination, digits: 4)
        )
        requireNoAllocations(report)
        report.note("A call without interceptors costs \(range(fits.map(\.intercept), digits: 0)) ns.")
    }

    private func requireNoAllocations(_ report: Report) {
        let allocations = measured.compactMap(\.allocations)
        guard allocations.count == depths.count else {
            return report.note("Allocations for each interceptor: n/a, since they can't be counted here.")
        }
        // The first interceptor makes Foundation's response object necessary, so depth 0 isn't on the line.
        let perInterceptor = LinearFit(x: Array(depths.dropFirst()), y: Array(allocations.dropFirst())).slope
        report.goal(perInterceptor < 0.005, "no heap allocation for a further interceptor", format(perInterceptor))
        report.require(perInterceptor <= 0.5, "at most 0.5 heap allocations for an interceptor", format(perInterceptor))
    }

    private func table() -> Table {
        var table = Table("interceptors", "ns a call", "ratio", "off the line", "processor ns", "allocations")
        for (depth, variant) in zip(depths, measured) {
            table.add(
                variant.name,
                Figures.number(variant.median, digits: 0),
                Figures.number(variant.median / measured[0].median, digits: 3),
                Figures.number(variant.median - fitOfMedians.value(at: depth), digits: 0),
                Figures.number(variant.processorNanoseconds.median, digits: 0),
                Figures.number(variant.allocations, digits: 2)
            )
        }
        return table
    }

    private func range(_ values: [Double], digits: Int = 1) -> String {
        let quartiles = [0.25, 0.75].map { Figures.number(values.quantile($0), digits: digits) }
        return "\(Figures.number(values.median, digits: digits)) (\(quartiles.joined(separator: "…")))"
    }

    private func format(_ allocations: Double) -> String {
        Figures.number(allocations, digits: 3)
    }
}
