import BenchmarkHarness

/// The outcomes of a soak's calls, and the calls in flight.
final class SoakTally: Sendable {
    /// The outcomes of one kind of call.
    struct Counts {
        var completed = 0
        var cancelled = 0
        /// Cancelled so late that the response had already arrived.
        var completedThough = 0
        /// Failed because the server had closed the connection.
        var lost = 0
        var wrong = 0

        var all: Int { completed + cancelled + completedThough + lost + wrong }
    }

    private struct State {
        var counts: [SoakKind: Counts] = [:]
        var wrong: [String] = []
        var latencies: [Double] = []
        var inFlight: [Int: (kind: SoakKind, start: UInt64, handle: CancelHandle)] = [:]
    }

    private let state = Locked(State())

    var counts: [SoakKind: Counts] { state.withLock { $0.counts } }

    /// Up to ten unexpected outcomes.
    var wrong: [String] { state.withLock { $0.wrong } }

    /// Returns and removes the milliseconds from cancellations to the calls' ends, so that they don't look like a leak.
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
        state.withLock { $0.inFlight[call.index] = (call.kind, Clocks.elapsed, handle) }
    }

    func end(_ call: SoakCall, _ result: Result<SoakKind.Outcome, any Error>, cancelledAt: UInt64?) {
        let now = Clocks.elapsed
        state.withLock { state in
            state.inFlight[call.index] = nil
            switch result {
            case .success(let outcome) where call.kind.permits(outcome, of: call.number) && cancelledAt == nil:
                state.counts[call.kind, default: Counts()].completed += 1
            case .success(let outcome) where call.kind.permits(outcome, of: call.number):
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

    /// The calls in flight, for the message of the watchdog.
    var inFlight: String {
        state.withLock { state in
            let now = Clocks.elapsed
            let calls = state.inFlight.sorted { $0.value.start < $1.value.start }.prefix(20).map { index, call in
                let cancelled = call.handle.cancelledAt.map { ", cancelled \((now - $0) / 1_000_000) ms ago" } ?? ""
                return "\(call.kind) \(index) for \((now - call.start) / 1_000_000) ms\(cancelled)"
            }
            return "\(state.inFlight.count) calls are in flight: \(calls.joined(separator: "; "))"
        }
    }
}

/// The milliseconds from cancellations to the ends of the calls.
struct SoakLatencies: Sendable {
    let median: Double
    let high: Double
    let longest: Double

    init(_ latencies: [Double]) {
        median = latencies.median
        high = latencies.quantile(0.99)
        longest = latencies.max() ?? 0
    }
}
