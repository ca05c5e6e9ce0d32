import Foundation
import NetworkClient

/// Makes one call after the other and cancels some of them.
struct SoakWorker: Sendable {
    let plan: SoakPlan
    let server: URL
    let signals: SoakSignals
    let tally: SoakTally
    /// Of this worker alone, so that it can be told to cancel all of its calls.
    let ownClient: NetworkClient
    /// Of all workers, so that they can share exchanges.
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
