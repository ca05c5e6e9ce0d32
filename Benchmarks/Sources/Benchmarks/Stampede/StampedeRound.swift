import BenchmarkHarness
import BenchmarkServer
import Foundation
import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One time that many calls are cancelled while the server has their requests and does not answer.
struct StampedeRound {
    /// How they are cancelled.
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
        // On Linux each connection that is new and waits keeps URLSession busy, so that the next is slow to come.
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

    /// A call that says whether it was cancelled, and when it ended.
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
