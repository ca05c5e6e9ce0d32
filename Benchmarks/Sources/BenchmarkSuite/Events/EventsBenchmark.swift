import Foundation
import NetworkClient
import NetworkClientTesting

/// Measures reading an event stream, compared with the lines and the chunks of the same body, and streams over sockets.
struct EventsBenchmark: Benchmark {
    let name = "events"
    let summary = "Reading 4 MB of events of 1 KB without a network, in MB/s; delays, idle streams, closing."

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
        let body: @Sendable () async throws -> ResponseBody = { try await client.stream(request).item }
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
        let allocations = measured[0].allocations.map { $0 / Double(Self.count) }
        report.goal(allocations.map { $0 <= 3 }, "at most 3 allocations an event", format(allocations, digits: 2))
        if TransportKind.available.contains(.curl) { try await measureSockets(options, report) }
    }

    private func measureSockets(_ options: Options, _ report: Report) async throws {
        let streams = StreamsOverSockets()
        for count in [1, 100] {
            let delays = try await streams.delays(streams: count, events: options.isQuick ? 50 : 500).sorted()
            let (median, late) = (delays.median, delays[delays.count * 99 / 100])
            let found = "\(format(late, digits: 0)) µs, the median \(format(median, digits: 0)) µs"
            report.goal(late <= 1_000, "99 % of the events within 1 ms, streams: \(count)", found)
        }
        for host in ["127.0.0.1", "localhost"] {
            let used = try await streams.idleCost(host: host, seconds: options.isQuick ? 3 : 60)
            report.goal(used <= 100, "an idle stream, by \(host): at most 100 µs in a second", "\(format(used)) µs")
        }
        let before = ProcessFacts.now()
        let closings = try await streams.closings(options.isQuick ? 100 : 1_000).sorted()
        await Quiescence.wait()
        let left = (ProcessFacts.now().descriptors ?? 0) - (before.descriptors ?? 0)
        let closed = "\(format(closings[closings.count - 1])) ms, the median \(format(closings.median, digits: 2)) ms"
        report.goal(closings[closings.count - 1] <= 200, "a stream that is left is closed within 200 ms", closed)
        report.require(left <= 2, "\(closings.count) streams leave no descriptor", "\(left)")
        let slow = try await streams.slowReader()
        report.require(slow.waits, "the server waits for a slow reader, who gets all events", "256 MB of events")
        report.goal(slow.bytes <= 8 << 20, "the slow reader costs at most 8 MB", megabytes(slow.bytes))
    }

    private func count<Elements: AsyncSequence>(_ elements: Elements) async throws -> Int {
        var count = 0
        for try await _ in elements { count += 1 }
        return count
    }
}
