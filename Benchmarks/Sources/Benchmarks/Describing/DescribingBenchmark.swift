import BenchmarkHarness
import DescribedRequests
import Foundation

/// What it costs to describe a request with the builder, beside the same request by hand.
struct DescribingBenchmark: Benchmark {
    let name = "describing"
    let summary = "Making a URLRequest with the builder, by hand, and from parts that were made before."

    func run(_ options: Options, _ report: Report) async throws {
        let requests = try DescribedRequest.all()
        for kind in RequestKind.allCases {
            let meanings = try requests.filter { $0.kind == kind }.map { try RequestMeaning($0.make()) }
            report.require(
                Set(meanings).count == 1,
                "\(kind): all authors' requests mean the same",
                "\(Set(meanings).count) meaning"
            )
        }
        let comparison = Comparison(
            rounds: try options.number("rounds", quick: 15, full: 61),
            operations: try options.number("operations", quick: 500, full: 3_000)
        )
        let measured = try await comparison.measure(requests.map(Self.variant))
        let instructions = try InstructionCounts(
            of: requests,
            operations: try options.number("counted", quick: 100, full: 1_000)
        )
        report.note(
            "\(comparison.rounds) interleaved rounds of \(comparison.operations) requests; medians; ratios are to the "
                + "request by hand, of time the median of the rounds' own. Nothing here waits, so time is the "
                + "processor's. Instructions: \(instructions.source)."
        )
        DescribingFigures(requests, measured, instructions).report(to: report)
    }

    private static func variant(_ request: DescribedRequest) -> Variant {
        Variant("\(request.kind), \(request.author)") { count in try request.makeRepeatedly(count) }
    }
}
