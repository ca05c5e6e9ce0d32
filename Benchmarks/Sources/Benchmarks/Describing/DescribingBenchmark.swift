import BenchmarkHarness
import DescribedRequests
import Foundation

/// Measures the cost of describing a request with the builder, compared with the same request by hand.
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
                + "request by hand, those of times the median of the rounds' ratios. Nothing waits, so time is "
                + "processor time. Instructions: \(instructions.source)."
        )
        DescribingFigures(requests, measured, instructions).report(to: report)
    }

    private static func variant(_ request: DescribedRequest) -> Variant {
        Variant("\(request.kind), \(request.author)") { count in try request.makeRepeatedly(count) }
    }
}

/// The instructions of each described request, from the best counter that is available.
struct InstructionCounts {
    /// The name of the counter, for the report.
    let source: String

    /// The instructions for one request, in the order of the requests; nil without a counter.
    let perRequest: [Double]?

    init(of requests: [DescribedRequest], operations: Int) throws {
        if let counts = try Self.counted(requests, operations) {
            source = "the processor's counter"
            perRequest = counts
        } else if let counts = try Self.simulated(requests, operations) {
            source = "callgrind, which counts what a simulated processor executes"
            perRequest = counts
        } else {
            source = "n/a: the system permits no counter, and valgrind is not installed or failed"
            perRequest = nil
        }
    }

    /// Returns the least of several turns, since an interrupt can only add instructions.
    private static func counted(_ requests: [DescribedRequest], _ operations: Int) throws -> [Double]? {
        var least: [Double] = []
        for request in requests {
            var counts: [Int] = []
            for _ in 0..<5 {
                guard let count = try Instructions.count({ try request.makeRepeatedly(operations) }) else { return nil }
                counts.append(count)
            }
            least.append(Double(counts.min() ?? 0) / Double(operations))
        }
        return least
    }

    private static func simulated(_ requests: [DescribedRequest], _ operations: Int) throws -> [Double]? {
        guard let callgrind = Callgrind(), let folder = Bundle.main.executableURL?.deletingLastPathComponent() else {
            return nil
        }
        let program = folder.appendingPathComponent("RequestCosts")
        let counts = try callgrind.counts(program, ["\(operations)"], between: "makeRepeatedly")
        guard let counts, counts.count == requests.count else { return nil }
        return counts.map { Double($0) / Double(operations) }
    }
}
