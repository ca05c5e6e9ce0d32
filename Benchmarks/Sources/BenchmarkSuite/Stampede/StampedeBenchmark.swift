import Foundation
import NetworkClient

/// Measures what calls cost that wait for the server, and the cancellation of all of them at once.
struct StampedeBenchmark: Benchmark {
    let name = "stampede"
    let summary = "Calls that wait for their responses, and are all cancelled at once: processor time, latencies."

    func run(_ options: Options, _ report: Report) async throws {
        let calls = try options.number("calls", quick: 100, full: 300)
        let rounds = try options.number("rounds", quick: 2, full: 5)
        let watchdog = Watchdog(seconds: 30) { "calls neither reach the server nor end" }
        defer { watchdog.stop() }
        var rows: [[String]] = []
        for transport in TransportKind.available {
            for way in StampedeRound.Way.allCases {
                let round = StampedeRound(transport: transport, way: way, calls: calls, watchdog: watchdog)
                var results: [StampedeRound.Result] = []
                for _ in 0..<rounds { results.append(try await round.run()) }
                let processors = results.map { $0.processors * 100 }.median
                let seconds = [results.map(\.firstSeconds), results.map(\.lastSeconds), results.map(\.closedSeconds)]
                let name = "\(transport.rawValue), \(way.rawValue)"
                rows.append([name, format(processors, digits: 2)] + seconds.map { format($0.median * 1_000) + " ms" })
                let cancelled = results.map(\.cancelled)
                let fact = "\(name): each of \(calls) gets CancellationError"
                report.require(cancelled.allSatisfy { $0 == calls }, fact, "\(cancelled)")
                let open = results.map(\.openConnections)
                report.require(open.allSatisfy { $0 == 0 }, "\(name): every connection closes", "\(open) are open")
                // URLSession on Linux is only measured for comparison.
                guard transport == .curl else { continue }
                let goal = "\(name): waiting takes under 1 % of a processor"
                report.goal(processors < 1, goal, "\(format(processors, digits: 2)) %")
            }
        }
        let columns = ["percent of a processor", "first caller knows", "last caller knows", "server sees all closed"]
        report.table(["cancelled by"] + columns, rows)
        report.note("\(calls) calls that wait for one second, \(rounds) rounds; medians.")
    }
}

/// One round: many calls are cancelled while the server holds back the responses.
private struct StampedeRound {
    /// The way the calls are cancelled.
    enum Way: String, CaseIterable {
        case cancelAll = "cancelAll()"
        case tasks = "each task's cancel()"
    }

    struct Result {
        /// The share of one processor that the process used while all calls waited.
        var processors = 0.0
        var cancelled = 0
        var firstSeconds = 0.0
        var lastSeconds = 0.0
        var closedSeconds = 0.0
        var openConnections = 0
    }

    let transport: TransportKind
    let way: Way
    let calls: Int
    let watchdog: Watchdog

    func run() async throws -> Result {
        let server = try Server { _ in [] }
        defer { server.stop() }
        let client = NetworkClient(transport: try transport.make(connections: calls), logging: .off)
        var request = URLRequest(url: try server.url("/"))
        request.timeoutInterval = 600
        let tasks = (0..<calls).map { [request] _ in Self.start(request, with: client) }
        // On Linux each new connection that waits keeps URLSession busy, which delays the next connection.
        var reached = 0
        _ = await Quiescence.wait(atMost: 120) {
            if server.requestCount > reached { watchdog.sign() }
            reached = server.requestCount
            return reached == calls
        }
        var result = Result()
        await Quiescence.wait(atMost: 2)
        let (waitStart, processorStart) = (Clocks.elapsed, Clocks.processor)
        try await Task.sleep(nanoseconds: 1_000_000_000)
        result.processors = Double(Clocks.processor - processorStart) / Double(Clocks.elapsed - waitStart)
        let start = Clocks.elapsed
        switch way {
        case .cancelAll: client.cancelAll()
        case .tasks: for task in tasks { task.cancel() }
        }
        var ends: [UInt64] = []
        for task in tasks {
            let (isCancelled, end) = await task.value
            ends.append(end)
            if isCancelled { result.cancelled += 1 }
        }
        _ = await Quiescence.wait(atMost: 10) { server.connectionCount == 0 }
        result.closedSeconds = Clocks.seconds(since: start)
        result.openConnections = server.connectionCount
        result.firstSeconds = Double((ends.min() ?? start) - start) / 1_000_000_000
        result.lastSeconds = Double((ends.max() ?? start) - start) / 1_000_000_000
        watchdog.sign()
        return result
    }

    /// Makes a call, and returns whether it was cancelled and when it ended.
    private static func start(_ request: URLRequest, with client: NetworkClient) -> Task<(Bool, UInt64), Never> {
        Task {
            var isCancelled = false
            do {
                try await client.fetch(request: request)
            } catch {
                isCancelled = error is CancellationError
            }
            return (isCancelled, Clocks.elapsed)
        }
    }
}
