import BenchmarkHarness

/// Calls that all wait for the server when all of them are cancelled at once.
struct StampedeBenchmark: Benchmark {
    let name = "stampede"
    let summary = "Calls over URLSession that wait for their answers, and are all cancelled at once."

    func run(_ options: Options, _ report: Report) async throws {
        let calls = try options.number("calls", quick: 100, full: 300)
        let rounds = try options.number("rounds", quick: 2, full: 5)
        let watchdog = Watchdog(seconds: 30) { "calls neither reach the server nor end" }
        defer { watchdog.stop() }
        var table = Table("cancelled by", "first caller knows", "last caller knows", "server sees all closed")
        for way in StampedeRound.Way.allCases {
            var results: [StampedeRound.Result] = []
            for _ in 0..<rounds {
                results.append(try await StampedeRound(calls: calls, way: way, watchdog: watchdog).run())
                watchdog.sign()
            }
            table.add(
                way.rawValue,
                milliseconds(results.map(\.firstSeconds)),
                milliseconds(results.map(\.lastSeconds)),
                milliseconds(results.map(\.closedSeconds))
            )
            let cancelled = results.map(\.cancelled)
            report.require(
                cancelled.allSatisfy { $0 == calls },
                "\(way.rawValue): each of \(calls) gets CancellationError",
                "\(cancelled)"
            )
            let open = results.map(\.openConnections)
            report.require(open.allSatisfy { $0 == 0 }, "\(way.rawValue): every connection closes", "\(open) are open")
        }
        report.table(table)
        report.note("\(calls) calls, \(rounds) rounds; medians.")
    }

    private func milliseconds(_ seconds: [Double]) -> String {
        Figures.number(seconds.median * 1_000) + " ms"
    }
}
