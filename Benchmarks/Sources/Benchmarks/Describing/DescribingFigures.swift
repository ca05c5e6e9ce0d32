import BenchmarkHarness
import DescribedRequests

/// The report on described requests.
struct DescribingFigures {
    private struct Row {
        let request: DescribedRequest
        let measured: Measured
        let instructions: Double?
    }

    private let rows: [Row]

    init(_ requests: [DescribedRequest], _ measured: [Measured], _ instructions: InstructionCounts) {
        rows = requests.indices.map { index in
            Row(
                request: requests[index],
                measured: measured[index],
                instructions: instructions.perRequest?[index]
            )
        }
    }

    func report(to report: Report) {
        report.table(table())
        report.note("")
        goal(.query, 0.7, report)
        goal(.form, 0.4, report)
        goal(.multipart, 0.6, report)
        goal(.json, 1.05, report)
    }

    private func goal(_ kind: RequestKind, _ limit: Double, _ report: Report) {
        let ratio = row(kind, .builder).flatMap { instructionRatio($0) }
        report.goal(
            ratio.map { $0 <= limit },
            "\(kind): at most \(Figures.number(limit, digits: 2)) × the instructions of the code by hand",
            Figures.number(ratio, digits: 3)
        )
    }

    private func table() -> Table {
        var table = Table(
            "request",
            "ns",
            "ratio",
            "quartiles",
            "instructions",
            "ratio",
            "allocations",
            "ratio"
        )
        for row in rows {
            let hand = self.row(row.request.kind, .hand) ?? row
            let times = zip(row.measured.processorNanoseconds, hand.measured.processorNanoseconds).map { $0 / $1 }
            let quartiles = [0.25, 0.75].map { Figures.number(times.quantile($0), digits: 2) }
            table.add(
                row.measured.name,
                Figures.number(row.measured.processorNanoseconds.median, digits: 0),
                Figures.number(times.median, digits: 2),
                quartiles.joined(separator: "…"),
                Figures.number(row.instructions, digits: 0),
                Figures.number(instructionRatio(row), digits: 3),
                Figures.number(row.measured.allocations),
                Figures.number(Self.ratio(row.measured.allocations, hand.measured.allocations), digits: 2)
            )
        }
        return table
    }

    private func row(_ kind: RequestKind, _ author: RequestAuthor) -> Row? {
        rows.first { $0.request.kind == kind && $0.request.author == author }
    }

    private func instructionRatio(_ row: Row) -> Double? {
        Self.ratio(row.instructions, self.row(row.request.kind, .hand)?.instructions)
    }

    private static func ratio(_ value: Double?, _ other: Double?) -> Double? {
        guard let value, let other, other > 0 else { return nil }
        return value / other
    }
}
