import BenchmarkHarness

/// What has come of the calls of a soak, and which are under way.
final class SoakTally: Sendable {
    /// The outcomes of one kind of call.
    struct Counts {
        var completed = 0
        var cancelled = 0
        /// Cancelled so late that the answer was there already.
        var completedThough = 0
        /// Failed on a connection that the server had closed.
        var lost = 0
        var wrong = 0

        var all: Int { completed + cancelled + completedThough + lost + wrong }
    }

    private struct State {
        var counts: [SoakKind: Counts] = [:]
        var wrong: [String] = []
        var latencies: [Double] = []
        var underWay: [Int: (kind: SoakKind, start: UInt64, handle: CancelHandle)] = [:]
    }

    private let state = Locked(State())

    var counts: [SoakKind: Counts] { state.withLock { $0.counts } }

    /// Up to ten outcomes that should not have been.
    var wrong: [String] { state.withLock { $0.wrong } }

    /// Milliseconds from the cancellation to the moment when the caller knows; they are forgotten, so that they are not
    /// taken for something that was left over.
    func takeLatencies() -> [Double] {
        state.withLock { state in
            defer { state.latencies = [] }
            return state.latencies
        }
    }

    var done: Int {
        counts.values.reduce(0) { $0 + $1.all }
    }

    func begin(_ call: SoakCall, _ handle: CancelHandle) {
        state.withLock { $0.underWay[call.index] = (call.kind, Clocks.elapsed, handle) }
    }

    func end(_ call: SoakCall, _ result: Result<SoakKind.Answer, any Error>, cancelledAt: UInt64?) {
        let now = Clocks.elapsed
        state.withLock { state in
            state.underWay[call.index] = nil
            switch result {
            case .success(let answer) where call.kind.permits(answer, of: call.number) && cancelledAt == nil:
                state.counts[call.kind, default: Counts()].completed += 1
            case .success(let answer) where call.kind.permits(answer, of: call.number):
                state.counts[call.kind, default: Counts()].completedThough += 1
            case .success(.failure(let reason)) where call.kind.isLoss(reason):
                state.counts[call.kind, default: Counts()].lost += 1
            case .failure(is CancellationError) where cancelledAt != nil:
                state.counts[call.kind, default: Counts()].cancelled += 1
            default:
                state.counts[call.kind, default: Counts()].wrong += 1
                if state.wrong.count < 10 {
                    let cancelled = cancelledAt == nil ? "not cancelled" : "cancelled"
                    let expected = call.kind.expectation(of: call.number)
                    state.wrong.append("\(call.kind) \(call.index), \(cancelled): \(result) for \(expected)")
                }
            }
            if let cancelledAt { state.latencies.append(Double(now - cancelledAt) / 1_000_000) }
        }
    }

    /// For the message of the watchdog.
    var underWay: String {
        state.withLock { state in
            let now = Clocks.elapsed
            let calls = state.underWay.sorted { $0.value.start < $1.value.start }.prefix(20).map { index, call in
                let cancelled = call.handle.cancelledAt.map { ", cancelled \((now - $0) / 1_000_000) ms ago" } ?? ""
                return "\(call.kind) \(index) for \((now - call.start) / 1_000_000) ms\(cancelled)"
            }
            return "\(state.underWay.count) calls are under way: \(calls.joined(separator: "; "))"
        }
    }
}
