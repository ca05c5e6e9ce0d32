import Foundation
import NetworkClient

/// Measures reading an event stream, compared with the lines and the chunks of the same body.
struct EventsBenchmark: Benchmark {
    let name = "events"
    let summary = "Reading 4 MB of events of 1 KB in chunks of 16 KB, without a network, in MB/s."

    private static let count = 4_096
    private static let chunks: [Data] = {
        let data = String(repeating: "The quick brown fox. ", count: 48)
        let event = "id: 12345\nevent: token\ndata: \(data)\n\n"
        return Array(repeating: Data(String(repeating: event, count: 16).utf8), count: count / 16)
    }()

    func run(_ options: Options, _ report: Report) async throws {
        let comparison = try Comparison(options, rounds: (5, 21), operations: (1, 2))
        let transport = StubTransport()
        transport.on(.any, .chunks(Self.chunks, type: .eventStream))
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: try URL(http: "http://localhost/"))
        let body: @Sendable () async throws -> ResponseBody = { try await client.stream(request: request).item }
        report.require(
            try await count(body().events) == Self.count,
            "all events are read",
            "\(Self.count) events"
        )
        let measured = try await comparison.measure([
            Variant("events") { count in for _ in 0..<count { keep(try await self.count(body().events)) } },
            Variant("lines") { count in for _ in 0..<count { keep(try await self.count(body().lines)) } },
            Variant("chunks") { count in for _ in 0..<count { keep(try await self.count(body())) } },
        ])
        let bytes = Double(Self.chunks.reduce(0) { $0 + $1.count })
        let rates = measured.map { bytes / $0.median * 1_000 }
        let rows = zip(measured, rates).map { [$0.name, format($0.median / 1_000), format($1)] }
        report.table(["read as", "µs", "MB/s"], rows)
        report.goal(rates[0] >= 300, "events at 300 MB/s", format(rates[0]))
    }

    private func count<Elements: AsyncSequence>(_ elements: Elements) async throws -> Int {
        var count = 0
        for try await _ in elements { count += 1 }
        return count
    }
}
