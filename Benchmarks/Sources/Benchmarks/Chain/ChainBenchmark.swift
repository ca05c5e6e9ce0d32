import BenchmarkHarness
import Foundation
import NetworkClient
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an interceptor costs that does nothing, over a transport that answers at once.
struct ChainBenchmark: Benchmark {
    let name = "chain"
    let summary = "What a call costs, and each interceptor that passes it on, over a transport that answers at once."

    private static let depths = [0, 1, 2, 4, 8, 16, 32, 64]

    func run(_ options: Options, _ report: Report) async throws {
        let comparison = Comparison(
            rounds: try options.number("rounds", quick: 15, full: 61),
            operations: try options.number("operations", quick: 500, full: 2_000)
        )
        let measured = try await comparison.measure(try Self.depths.map { try Self.variant(depth: $0) })
        let figures = ChainFigures(depths: Self.depths.map(Double.init), measured)
        figures.report(to: report, comparison)
    }

    private static func variant(depth: Int) throws -> Variant {
        let answer = try PreparedAnswer()
        let client = NetworkClient(
            transport: ClosureTransport { _, _ in answer.response },
            interceptors: Array(repeating: NoOpAdapter(), count: depth),
            logging: .off
        )
        return Variant("\(depth)") { count in
            for _ in 0..<count { try await client.fetch(request: answer.request) }
        }
    }
}
