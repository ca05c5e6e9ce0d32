import BenchmarkHarness
import BenchmarkServer
import Foundation
import NetworkClient
import Synchronization

/// One soak with a new transport and a new server, which are released when it returns.
struct SoakRun {
    let plan: SoakPlan

    struct Outcome {
        let tally: SoakTally
        let latencies: SoakLatencies
        let seconds: Double
        /// The number of requests that reached the server.
        let requests: Int
        let facts: ProcessFacts
        /// Whether the transport, or the client of all workers, was still in memory afterwards.
        let isHeld: Bool
        let openConnections: Int
    }

    func run() async throws -> Outcome {
        let signals = SoakSignals()
        let handler = SoakServer(signals: signals)
        let server = try LoopbackServer { try handler.respond($0, $1) }
        let tally = SoakTally()
        let watchdog = Watchdog(seconds: 30) { tally.inFlight }
        defer { watchdog.stop() }
        let start = Clocks.elapsed
        let held = try await work(server, signals, tally, watchdog)
        let seconds = Double(Clocks.elapsed - start) / 1_000_000_000
        let facts = ProcessFacts.now()
        let areClosed = await Quiescence.wait(atMost: 10) { server.connectionCount == 0 && !held.isHeld }
        let openConnections = areClosed ? 0 : server.connectionCount
        server.stop()
        return Outcome(
            tally: tally,
            latencies: SoakLatencies(tally.takeLatencies()),
            seconds: seconds,
            requests: server.requestCount,
            facts: facts,
            isHeld: held.isHeld,
            openConnections: openConnections
        )
    }

    /// The objects that should be released.
    private final class Held: Sendable {
        private struct Objects {
            weak var transport: (any Transport & AnyObject)?
            weak var client: NetworkClient?
        }

        private let objects: Locked<Objects>

        init(_ transport: any Transport & AnyObject, _ client: NetworkClient) {
            objects = Locked(Objects(transport: transport, client: client))
        }

        var isHeld: Bool { objects.withLock { $0.transport != nil || $0.client != nil } }
    }

    /// Numbers the calls.
    private final class Counter: Sendable {
        private let value = Atomic(0)

        func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
    }

    private func work(
        _ server: LoopbackServer,
        _ signals: SoakSignals,
        _ tally: SoakTally,
        _ watchdog: Watchdog
    ) async throws -> Held {
        let transport = try plan.transport.make(connections: plan.connections)
        let sharedClient = NetworkClient(transport: transport, logging: .off)
        let url = try server.url("/")
        let next = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<plan.workers {
                let worker = SoakWorker(
                    plan: plan,
                    server: url,
                    signals: signals,
                    tally: tally,
                    ownClient: NetworkClient(transport: transport, logging: .off),
                    sharedClient: sharedClient
                )
                group.addTask { await Self.work(worker, next, watchdog) }
            }
        }
        return Held(transport, sharedClient)
    }

    private static func work(_ worker: SoakWorker, _ next: Counter, _ watchdog: Watchdog) async {
        while true {
            let index = next.next()
            guard index < worker.plan.requests else { return }
            await worker.run(index)
            watchdog.sign()
        }
    }
}
