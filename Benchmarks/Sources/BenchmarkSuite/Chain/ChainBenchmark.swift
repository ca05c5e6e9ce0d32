import Foundation
import NetworkClient
import NetworkClientTesting

/// Measures the cost of an interceptor that does nothing, over a transport that responds immediately.
struct ChainBenchmark: Benchmark {
    let name = "chain"
    let summary = "The cost of a call, of each interceptor that passes it on, and of a log, without latency."

    private static let depths = [0, 1, 2, 4, 8, 16, 32, 64]

    func run(_ options: Options, _ report: Report) async throws {
        let comparison = try Comparison(options, rounds: (15, 61), operations: (500, 2_000))
        let clients = try Self.depths.map { depth in
            try StubbedCall("\(depth)", interceptors: Array(repeating: NoOpAdapter(), count: depth)).variant
        }
        report.note(
            "\(comparison.rounds) interleaved rounds of \(comparison.operations) calls at each depth; medians; "
                + "the ratio is to the call without interceptors."
        )
        Self.report(try await comparison.measure(clients), to: report)
        let logs = try await comparison.measure([
            StubbedCall("off").variant,
            StubbedCall("status", logging: .default(logLevel: .status, logStream: DroppingStream())).variant,
        ])
        report.note("The same call with a log whose text is dropped:")
        let rows = logs.map { [$0.name, format($0.median, digits: 0), format($0.allocations, digits: 2)] }
        report.table(["log", "ns a call", "allocations"], rows)
        let cost = logs[1].median - logs[0].median
        report.goal(cost <= 2_000, "a line for each call costs at most 2 µs", "\(format(cost, digits: 0)) ns")
    }

    private static func report(_ measured: [Measured], to report: Report) {
        let depths = depths.map(Double.init)
        let line = LinearFit(x: depths, y: measured.map(\.median))
        let rows = zip(depths, measured).map { depth, variant in
            let onLine = line.intercept + line.slope * depth
            return [
                variant.name,
                format(variant.median, digits: 0),
                format(variant.median / measured[0].median, digits: 3),
                format(variant.median - onLine, digits: 0),
                format(variant.processorNanoseconds.median, digits: 0),
                format(variant.allocations, digits: 2),
            ]
        }
        report.table(["interceptors", "ns a call", "ratio", "off the line", "processor ns", "allocations"], rows)
        report.note("The line through the depths, the median of the lines of all rounds (and their quartiles):\n")
        // One line for each round, since the variants of a round ran within the same minute.
        let rounds = measured[0].nanoseconds.indices
        let fits = rounds.map { round in LinearFit(x: depths, y: measured.map { $0.nanoseconds[round] }) }
        let processor = rounds.map { round in
            LinearFit(x: depths, y: measured.map { $0.processorNanoseconds[round] }).slope
        }
        let slopes = fits.map(\.slope)
        report.goal(
            slopes.median <= 60,
            "at most 60 ns for each interceptor",
            "\(slopes.quartiles(digits: 1)) ns; processor time \(processor.quartiles(digits: 1)) ns"
        )
        let determination = line.determination
        report.goal(determination > 0.99, "linear in their number (R² over 0.99)", format(determination, digits: 4))
        requireNoAllocations(depths, measured, report)
        report.note("A call without interceptors costs \(fits.map(\.intercept).quartiles(digits: 0)) ns.")
    }

    private static func requireNoAllocations(_ depths: [Double], _ measured: [Measured], _ report: Report) {
        let allocations = measured.compactMap(\.allocations)
        guard allocations.count == depths.count else {
            return report.note("Allocations for each interceptor: n/a, since they can't be counted here.")
        }
        // The first interceptor makes Foundation's response object necessary, so depth 0 isn't on the line.
        let each = LinearFit(x: Array(depths.dropFirst()), y: Array(allocations.dropFirst())).slope
        report.goal(each < 0.005, "no heap allocation for a further interceptor", format(each, digits: 3))
        report.require(each <= 0.5, "at most 0.5 heap allocations for an interceptor", format(each, digits: 3))
    }
}

private struct DroppingStream: LogStream {
    func log(_ message: String, for type: LogType) {}
}

/// A call over a transport that responds immediately; the request and the response are made before.
struct StubbedCall: Sendable {
    let request: URLRequest
    let transport: ClosureTransport
    let variant: Variant

    init(
        _ name: String,
        interceptors: [any InterceptorProtocol] = [],
        logging: any NetworkLogger = .off
    ) throws {
        guard
            let url = URL(string: "http://stub.invalid/items/1"),
            let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])
        else { throw URLError(.badURL) }
        let request = URLRequest(url: url)
        let response = TransportResponse(response: head, data: Data("{}".utf8))
        let transport = ClosureTransport { _, _ in response }
        let client = NetworkClient(transport: transport, interceptors: interceptors, logging: logging)
        self.request = request
        self.transport = transport
        variant = Variant(name) { count in
            for _ in 0..<count { try await client.fetch(request: request) }
        }
    }
}
