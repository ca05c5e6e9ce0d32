import Foundation
import NetworkClient
import Synchronization

/// One soak with a new transport and a new server, which are released when it returns.
struct SoakRun {
    let plan: SoakPlan

    struct Outcome {
        let counts: [SoakKind: [SoakTally.Result: Int]]
        /// Up to ten unexpected outcomes.
        let wrong: [String]
        /// The milliseconds from cancellations to the calls' ends: the median, the 99th percentile, the longest.
        let latencies: [Double]
        let seconds: Double
        /// The number of requests that reached the server.
        let requests: Int
        let facts: ProcessFacts
        /// Whether the transport, or the client of all workers, was still in memory afterwards.
        let isHeld: Bool
        let openConnections: Int
    }

    func run() async throws -> Outcome {
        let tally = SoakTally()
        let server = try Server(respond: SoakKind.respond) { mark in
            tally.reached(CancelMoment.atServer[Int(mark % 4)], Int(mark / 4))
        }
        let watchdog = Watchdog(seconds: 30) { tally.inFlight }
        defer { watchdog.stop() }
        let start = Clocks.elapsed
        let held = try await work(try server.url("/"), tally, watchdog)
        let seconds = Clocks.seconds(since: start)
        let facts = ProcessFacts.now()
        let areClosed = await Quiescence.wait(atMost: 10) { server.connectionCount == 0 && !held.isHeld }
        let openConnections = areClosed ? 0 : server.connectionCount
        server.stop()
        let state = tally.end()
        return Outcome(
            counts: state.counts,
            wrong: state.wrong,
            latencies: [state.latencies.median, state.latencies.quantile(0.99), state.latencies.max() ?? 0],
            seconds: seconds,
            requests: server.requestCount,
            facts: facts,
            isHeld: held.isHeld,
            openConnections: openConnections
        )
    }

    /// The objects that should be released.
    private struct Held: Sendable {
        weak let transport: (any Transport & AnyObject)?
        weak let client: NetworkClient?

        var isHeld: Bool { transport != nil || client != nil }
    }

    private func work(_ server: URL, _ tally: SoakTally, _ watchdog: Watchdog) async throws -> Held {
        let transport = try plan.transport.make(connections: plan.connections)
        let sharedClient = NetworkClient(transport: transport, logging: .off)
        let next = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<plan.workers {
                let ownClient = NetworkClient(transport: transport, logging: .off)
                let worker = SoakWorker(
                    plan: plan,
                    server: server,
                    tally: tally,
                    ownClient: ownClient,
                    sharedClient: sharedClient
                )
                group.addTask {
                    while true {
                        let index = next.withLock { next in
                            next += 1
                            return next - 1
                        }
                        guard index < plan.requests else { return }
                        await worker.run(index)
                        watchdog.sign()
                    }
                }
            }
        }
        return Held(transport: transport, client: sharedClient)
    }
}

/// Makes calls one after the other, and cancels some of them.
private struct SoakWorker: Sendable {
    let plan: SoakPlan
    let server: URL
    let tally: SoakTally
    /// The client of this worker alone, for cancelling all of its calls.
    let ownClient: NetworkClient
    /// The client of all workers, for sharing exchanges.
    let sharedClient: NetworkClient

    func run(_ index: Int) async {
        var numbers = SeededGenerator(seed: UInt64(plan.seed) << 32 + UInt64(index))
        let call = SoakCall(kind: plan.kinds.randomElement(using: &numbers) ?? .get, index: index, server: server)
        let handle = CancelHandle()
        let isCancelled = Int.random(in: 0..<100, using: &numbers) < plan.cancelled
        let moment = isCancelled ? plan.moments.randomElement(using: &numbers) : nil
        tally.begin(call, moment, handle)

        let client = call.kind == .shared ? sharedClient : ownClient
        let task = Task { try await call.run(client) }
        let isForAll = call.kind != .shared && Int.random(in: 0..<4, using: &numbers) == 0
        if isForAll {
            handle.set { ownClient.cancelAll() }
        } else {
            handle.set { task.cancel() }
        }
        switch moment {
        case .immediately: handle.cancel()
        case .random:
            try? await Task.sleep(nanoseconds: UInt64.random(in: 0...3_000_000, using: &numbers))
            handle.cancel()
        case .head, .beforeEnd, .afterEnd, nil: break
        }
        let result = await task.result
        tally.end(call, result, cancelledAt: handle.end())
    }
}

/// The moments at which calls are cancelled.
enum CancelMoment: String, CaseIterable, Sendable {
    /// At a random time within 3 ms after the start.
    case random
    /// Right after the start.
    case immediately
    /// When the server has sent the head of the response.
    case head
    /// When the server is about to send the last bytes.
    case beforeEnd
    /// When the server has sent the last bytes.
    case afterEnd

    /// The moments that the server's marks report: four times the call's number, and the place in this list.
    static let atServer: [CancelMoment?] = [nil, .head, .beforeEnd, .afterEnd]
}

/// Cancels one call once, even if the cancellation comes before the call is known.
final class CancelHandle: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var isAsked = false
        var cancelledAt: UInt64?
    }

    private let state = Locked(State())

    /// The time of the cancellation; nil if the call wasn't cancelled.
    var cancelledAt: UInt64? { state.withLock { $0.cancelledAt } }

    func set(_ cancel: @escaping @Sendable () -> Void) {
        let isAsked = state.withLock { state in
            state.cancel = cancel
            return state.isAsked
        }
        if isAsked { self.cancel() }
    }

    func cancel() {
        let now = Clocks.elapsed
        let cancel: (@Sendable () -> Void)? = state.withLock { state in
            state.isAsked = true
            guard let cancel = state.cancel, state.cancelledAt == nil else { return nil }
            state.cancelledAt = now
            return cancel
        }
        cancel?()
    }

    /// Releases the call, so that a moment after its end changes nothing.
    func end() -> UInt64? {
        state.withLock { state in
            state.cancel = nil
            return state.cancelledAt
        }
    }
}

/// Random numbers that are the same in every run, so that failures can be reproduced (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
