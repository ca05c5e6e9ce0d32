import BenchmarkHarness
import Foundation
import NetworkClient
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Measures the cost of an interceptor that does nothing, over a transport that responds immediately.
struct ChainBenchmark: Benchmark {
    let name = "chain"
    let summary = "The cost of a call, and of each interceptor that passes it on, over a transport without latency."

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
        let prepared = try PreparedExchange()
        let client = NetworkClient(
            transport: ClosureTransport { _, _ in prepared.response },
            interceptors: Array(repeating: NoOpAdapter(), count: depth),
            logging: .off
        )
        return Variant("\(depth)") { count in
            for _ in 0..<count { try await client.fetch(request: prepared.request) }
        }
    }
}

/// A request and its response, made once, so that making them isn't measured.
struct PreparedExchange: Sendable {
    let request: URLRequest
    let response: TransportResponse

    init(body: String = "{}") throws {
        guard
            let url = URL(string: "http://stub.invalid/items/1"),
            let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])
        else { throw URLError(.badURL) }
        request = URLRequest(url: url)
        response = TransportResponse(response: head, data: Data(body.utf8))
    }
}
