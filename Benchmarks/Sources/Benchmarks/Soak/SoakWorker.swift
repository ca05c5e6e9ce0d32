import BenchmarkHarness
import Foundation
import NetworkClient

/// Makes calls one after the other, and cancels some of them.
struct SoakWorker: Sendable {
    let plan: SoakPlan
    let server: URL
    let signals: SoakSignals
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
        tally.begin(call, handle)
        if let moment { signals.add(index, moment, handle) }

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
        signals.remove(index)
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
struct SeededGenerator: RandomNumberGenerator, Sendable {
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
