import BenchmarkHarness
import BenchmarkServer
import Foundation
import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Calls over one transport that all wait, for some seconds.
struct WaitingRound {
    struct Result {
        /// How many calls the server has seen.
        var reached = 0
        /// The part of one processor that the process took while all waited.
        var processors = 0.0
        var facts: ProcessFacts
        /// How many got `CancellationError` when they were cancelled at the end.
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
