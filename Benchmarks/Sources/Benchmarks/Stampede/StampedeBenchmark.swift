import BenchmarkHarness
import BenchmarkServer
import Foundation
import NetworkClient

/// Measures the cancellation of many calls at once, while all of them wait for the server.
struct StampedeBenchmark: Benchmark {
    let name = "stampede"
    let summary = "Calls over URLSession that wait for their responses, and are all cancelled at once."

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

/// One round: many calls are cancelled while the server holds back the responses.
struct StampedeRound {
    /// The way the calls are cancelled.
    enum Way: String, CaseIterable {
        case cancelAll = "cancelAll()"
        case tasks = "each task's cancel()"
    }

    struct Result {
        var cancelled = 0
        var firstSeconds = 0.0
        var lastSeconds = 0.0
        var closedSeconds = 0.0
        var openConnections = 0
    }

    let calls: Int
    let way: Way
    let watchdog: Watchdog

    func run() async throws -> Result {
        let server = try LoopbackServer { _, connection in connection.waitForEnd() }
        defer { server.stop() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = calls
        let client = NetworkClient(
            transport: URLSessionTransport(session: URLSession(configuration: configuration)),
            logging: .off
        )
        let request = URLRequest(url: try server.url("/"))
        let tasks = (0..<calls).map { _ in Self.start(request, with: client) }
        // On Linux each new connection that waits keeps URLSession busy, which delays the next connection.
        var reached = 0
        _ = await Quiescence.wait(atMost: 120) {
            if server.requestCount > reached { watchdog.sign() }
            reached = server.requestCount
            return reached == calls
        }
        let start = Clocks.elapsed
        switch way {
        case .cancelAll: client.cancelAll()
        case .tasks: for task in tasks { task.cancel() }
        }
        var result = Result()
        var ends: [UInt64] = []
        for task in tasks {
            let (isCancelled, end) = await task.value
            ends.append(end)
            if isCancelled { result.cancelled += 1 }
        }
        _ = await Quiescence.wait(atMost: 10) { server.connectionCount == 0 }
        result.closedSeconds = Double(Clocks.elapsed - start) / 1_000_000_000
        result.openConnections = server.connectionCount
        result.firstSeconds = Double((ends.min() ?? start) - start) / 1_000_000_000
        result.lastSeconds = Double((ends.max() ?? start) - start) / 1_000_000_000
        return result
    }

    /// Makes a call, and returns whether it was cancelled and when it ended.
    private static func start(_ request: URLRequest, with client: NetworkClient) -> Task<(Bool, UInt64), Never> {
        Task {
            let isCancelled: Bool
            do {
                try await client.fetch(request: request)
                isCancelled = false
            } catch {
                isCancelled = error is CancellationError
            }
            return (isCancelled, Clocks.elapsed)
        }
    }
}
