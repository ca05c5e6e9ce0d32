import BenchmarkHarness
import BenchmarkServer
import Foundation
import NetworkClient

/// Measures the cost of waiting for responses that don't come.
struct WaitingBenchmark: Benchmark {
    let name = "waiting"
    let summary = "Calls that wait for a server that does not respond: the share of a processor they use."

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
            // URLSession on Linux is only measured for comparison.
            guard kind == .curl else { continue }
            let percent = Figures.number(result.processors * 100, digits: 2)
            report.goal(result.processors < Self.goal, "\(kind.rawValue): under 1 % of a processor", "\(percent) %")
        }
    }
}

/// Calls over one transport that all wait for some seconds.
struct WaitingRound {
    struct Result {
        /// The number of calls that reached the server.
        var reached = 0
        /// The share of one processor that the process used while all calls waited.
        var processors = 0.0
        var facts: ProcessFacts
        /// The number of calls that threw `CancellationError` when they were cancelled at the end.
        var cancelled = 0
    }

    let transport: any Transport
    let calls: Int
    let seconds: Double

    func run() async throws -> Result {
        let server = try LoopbackServer { _, connection in connection.waitForEnd() }
        defer { server.stop() }
        let client = NetworkClient(transport: transport, logging: .off)
        var request = URLRequest(url: try server.url("/"))
        request.timeoutInterval = 600
        let tasks = (0..<calls).map { _ in Self.start(request, with: client) }
        _ = await Quiescence.wait(atMost: 60) { server.requestCount == calls }
        await Quiescence.wait(atMost: 2)
        let (start, processorStart) = (Clocks.elapsed, Clocks.processor)
        try await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
        let processors = Double(Clocks.processor - processorStart) / Double(Clocks.elapsed - start)
        var result = Result(processors: processors, facts: ProcessFacts.now())
        result.reached = server.requestCount
        client.cancelAll()
        for task in tasks where await task.value { result.cancelled += 1 }
        return result
    }

    private static func start(_ request: URLRequest, with client: NetworkClient) -> Task<Bool, Never> {
        Task {
            do {
                try await client.fetch(request: request)
                return false
            } catch {
                return error is CancellationError
            }
        }
    }
}
