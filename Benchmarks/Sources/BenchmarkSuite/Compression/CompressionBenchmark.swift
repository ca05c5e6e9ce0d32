import Foundation
import NetworkClient
import NetworkClientTesting

/// Measures the compression of request bodies, over a transport that responds immediately.
struct CompressionBenchmark: Benchmark {
    let name = "compression"
    let summary = "Compressing a body of JSON of 1 KiB and of 10 MB."

    func run(_ options: Options, _ report: Report) async throws {
        let events = try MadeJSON.array(of: Repository.self, count: 1_800)
        let bodies = [Data(events.utf8.prefix(1_024)), Data(events.utf8)]
        let small = try Comparison(options, rounds: (7, 41), operations: (200, 1_000))
        let large = try Comparison(options, rounds: (3, 9), operations: (1, 1))
        var rows: [[String]] = []
        var costs: [Double] = []
        for (body, comparison) in zip(bodies, [small, large]) {
            let calls = [try Self.call(body, []), try Self.call(body, [.compression()])]
            let measured = try await comparison.measure(calls)
            let cost = measured[1].processorNanoseconds.median - measured[0].processorNanoseconds.median
            let more = measured[1].allocations.flatMap { all in measured[0].allocations.map { all - $0 } }
            costs.append(cost)
            let speed = Double(body.count) / cost * 1_000
            rows.append(["\(body.count)", format(cost / 1_000), format(speed), format(more, digits: 1)])
        }
        report.note("The processor time and the allocations above those of the call without the interceptor; medians.")
        report.table(["bytes", "µs", "MB/s", "allocations"], rows)
        report.goal(costs[0] <= 40_000, "1 KiB takes at most 40 µs", "\(format(costs[0] / 1_000)) µs")
        let speed = Double(bodies[1].count) / costs[1] * 1_000
        report.goal(speed >= 80, "at least 80 MB/s", "\(format(speed)) MB/s")
    }

    private static func call(_ body: Data, _ interceptors: [any InterceptorProtocol]) throws -> Variant {
        guard
            let url = URL(string: "http://stub.invalid/items"),
            let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])
        else { throw URLError(.badURL) }
        let response = TransportResponse(response: head, data: Data("{}".utf8))
        let transport = ClosureTransport { _, _ in response }
        let client = NetworkClient(transport: transport, interceptors: interceptors, logging: .off)
        let request = URLRequest.post(url: url).bodyData(body, type: .json).build()
        return Variant(interceptors.isEmpty ? "plain" : "compressed") { count in
            for _ in 0..<count { try await client.fetch(request: request) }
        }
    }
}
