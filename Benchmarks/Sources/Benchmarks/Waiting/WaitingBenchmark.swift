import BenchmarkHarness
import Foundation
import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Calls whose answers don't come, and what it costs to wait for them.
struct WaitingBenchmark: Benchmark {
    let name = "waiting"
    let summary = "Calls that wait for a server that does not answer: how much of a processor they take."

    private static let goal = 0.01

    func run(_ options: Options, _ report: Report) async throws {
        let calls = try options.number("calls", quick: 100, full: 100)
        let seconds = Double(try options.number("seconds", quick: 1, full: 5))
        var table = Table("transport", "calls at the server", "percent of a processor", "descriptors", "threads")
        var results: [(kind: TransportKind, result: WaitingRound.Result)] = []
        for kind in TransportKind.available {
            let round = WaitingRound(transport: try kind.make(connections: calls), calls: calls, seconds: seconds)
            let result = try await round.run()
            results.append((kind, result))
            table.add(
                kind.rawValue,
                "\(result.reached)",
                Figures.number(result.processors * 100, digits: 2),
                Figures.count(result.facts.descriptors),
                Figures.count(result.facts.threads)
            )
        }
        report.note(
            "\(calls) calls for \(Figures.number(seconds, digits: 0)) s each, to a server of which each connection "
                + "has a thread in this process."
        )
        report.table(table)
        report.note("")
        for (kind, result) in results {
            report.require(
                result.reached == calls && result.cancelled == calls,
                "\(kind.rawValue): each call reaches the server, waits, and gets CancellationError in the end",
                "\(result.reached), \(result.cancelled)"
            )
            // URLSession on Linux is measured only to be seen beside it.
            guard kind == .curl else { continue }
            let percent = Figures.number(result.processors * 100, digits: 2)
            report.goal(result.processors < Self.goal, "\(kind.rawValue): under 1 % of a processor", "\(percent) %")
        }
    }
}
