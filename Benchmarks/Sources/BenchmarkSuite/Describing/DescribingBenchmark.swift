import DescribedRequests
import Foundation

/// Measures the cost of describing a request with the builder, compared with the same request by hand.
struct DescribingBenchmark: Benchmark {
    let name = "describing"
    let summary = "Making a URLRequest with the builder, and by hand."

    private struct Row {
        let request: DescribedRequest
        let measured: Measured
        let instructions: Double?
    }

    func run(_ options: Options, _ report: Report) async throws {
        let requests = DescribedRequest.all()
        for kind in RequestKind.allCases {
            let meanings = try Set(requests.filter { $0.kind == kind }.map { try RequestMeaning($0.make()) })
            let fact = "\(kind): all authors' requests mean the same"
            report.require(meanings.count == 1, fact, "\(meanings.count) meaning")
        }
        let comparison = try Comparison(options, rounds: (15, 61), operations: (500, 3_000))
        let measured = try await comparison.measure(
            requests.map { request in
                Variant("\(request.kind), \(request.author)") { count in try request.makeRepeatedly(count) }
            }
        )
        let instructions = try Self.instructions(
            of: requests.count,
            operations: try options.number("counted", quick: 100, full: 1_000)
        )
        report.note(
            "\(comparison.rounds) interleaved rounds of \(comparison.operations) requests; medians; ratios are to the "
                + "request by hand, those of times the median of the rounds' ratios. Nothing waits, so time is "
                + "processor time. Instructions are those of a processor that valgrind simulates."
        )
        let rows = requests.indices.map { index in
            Row(request: requests[index], measured: measured[index], instructions: instructions?[index])
        }
        Self.table(rows, report)
        for (kind, limit) in [(RequestKind.query, 0.7), (.form, 0.4), (.multipart, 0.6), (.json, 1.05)] {
            let row = rows.first { $0.request.kind == kind && $0.request.author == .builder }
            let ratio = row.flatMap { Self.ratio($0.instructions, Self.byHand($0, rows).instructions) }
            report.goal(
                ratio.map { $0 <= limit },
                "\(kind): at most \(format(limit, digits: 2)) × the instructions of the code by hand",
                format(ratio, digits: 3)
            )
        }
    }

    /// Returns the instructions for one of each of the requests; nil if valgrind isn't installed or fails.
    private static func instructions(of requests: Int, operations: Int) throws -> [Double]? {
        guard let callgrind = Callgrind(), let program = ServerProcess.program("RequestCosts") else { return nil }
        let counts = try callgrind.counts(program, ["\(operations)"], between: "makeRepeatedly")
        guard let counts, counts.count == requests else { return nil }
        return counts.map { Double($0) / Double(operations) }
    }

    private static func table(_ rows: [Row], _ report: Report) {
        let columns = ["request", "ns", "ratio (quartiles)", "instructions", "ratio", "allocations", "ratio"]
        let cells = rows.map { row in
            let hand = byHand(row, rows)
            let (times, handTimes) = (row.measured.processorNanoseconds, hand.measured.processorNanoseconds)
            return [
                row.measured.name,
                format(times.median, digits: 0),
                zip(times, handTimes).map { $0 / $1 }.quartiles(digits: 2),
                format(row.instructions, digits: 0),
                format(ratio(row.instructions, hand.instructions), digits: 3),
                format(row.measured.allocations),
                format(ratio(row.measured.allocations, hand.measured.allocations), digits: 2),
            ]
        }
        report.table(columns, cells)
    }

    private static func byHand(_ row: Row, _ rows: [Row]) -> Row {
        rows.first { $0.request.kind == row.request.kind && $0.request.author == .hand } ?? row
    }

    private static func ratio(_ value: Double?, _ other: Double?) -> Double? {
        guard let value, let other, other > 0 else { return nil }
        return value / other
    }
}
