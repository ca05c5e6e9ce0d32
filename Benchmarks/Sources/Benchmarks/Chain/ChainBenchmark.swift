import BenchmarkHarness
import Foundation
import NetworkClient
import NetworkUtilities

/// Measures the cost of an interceptor that does nothing, over a transport that responds immediately.
struct ChainBenchmark: Benchmark {
    let name = "chain"
    let summary = "The cost of a call, of each interceptor that passes it on, and of a log, without latency."

    private static let depths = [0, 1, 2, 4, 8, 16, 32, 64]

    func run(_ options: Options, _ report: Report) async throws {
        let comparison = Comparison(
            rounds: try options.number("rounds", quick: 15, full: 61),
            operations: try options.number("operations", quick: 500, full: 2_000)
        )
        let measured = try await comparison.measure(try Self.depths.map { try Self.variant("\($0)", depth: $0) })
        let figures = ChainFigures(depths: Self.depths.map(Double.init), measured)
        figures.report(to: report, comparison)
        try await measureLogging(comparison, report)
    }

    /// Measures a call whose log is dropped.
    private func measureLogging(_ comparison: Comparison, _ report: Report) async throws {
        let loggers: [(String, any NetworkLogger)] = [
            ("off", .off), ("status", .default(logLevel: .status, logStream: DroppingStream())),
        ]
        let measured = try await comparison.measure(try loggers.map { try Self.variant($0, depth: 0, logging: $1) })
        var table = Table("log", "ns a call", "allocations")
        for variant in measured {
            let allocations = Figures.number(variant.allocations, digits: 2)
            table.add(variant.name, Figures.number(variant.median, digits: 0), allocations)
        }
        report.note("The same call with a log whose text is dropped:\n")
        report.table(table)
        let cost = measured[1].median - measured[0].median
        report.goal(cost <= 2_000, "a line for each call costs at most 2 µs", "\(Figures.number(cost, digits: 0)) ns")
    }

    private static func variant(
        _ name: String,
        depth: Int,
        logging: any NetworkLogger = .off
    ) throws -> Variant {
        let prepared = try PreparedExchange()
        let client = NetworkClient(
            transport: ClosureTransport { _, _ in prepared.response },
            interceptors: Array(repeating: NoOpAdapter(), count: depth),
            logging: logging
        )
        return Variant(name) { count in
            for _ in 0..<count { try await client.fetch(request: prepared.request) }
        }
    }
}

private struct DroppingStream: LogStream {
    func log(_ message: String, for type: LogType) {}
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
