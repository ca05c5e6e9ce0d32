/// The outcomes of a soak's calls, and the calls in flight.
final class SoakTally: Sendable {
    /// What became of a call.
    enum Result: String, CaseIterable, Sendable {
        case completed = "as expected"
        case cancelled
        /// Cancelled so late that the response had already arrived.
        case completedThough = "cancelled, but done before"
        /// Failed because the server had closed the connection.
        case lost
        case wrong
    }

    struct State: Sendable {
        var counts: [SoakKind: [Result: Int]] = [:]
        var wrong: [String] = []
        var latencies: [Double] = []
        fileprivate var inFlight: [Int: CallInFlight] = [:]
    }

    fileprivate struct CallInFlight: Sendable {
        let kind: SoakKind
        let start = Clocks.elapsed
        /// When the server cancels the call.
        let moment: CancelMoment?
        let handle: CancelHandle
    }

    private let state = Locked(State())

    /// Returns and removes all outcomes, so that they don't look like a leak.
    func end() -> State {
        state.withLock { state in
            defer { state = State() }
            return state
        }
    }

    func begin(_ call: SoakCall, _ moment: CancelMoment?, _ handle: CancelHandle) {
        state.withLock { $0.inFlight[call.index] = CallInFlight(kind: call.kind, moment: moment, handle: handle) }
    }

    /// Cancels a call if this is the moment for it.
    func reached(_ moment: CancelMoment?, _ index: Int) {
        let call = state.withLock { $0.inFlight[index] }
        if let call, call.moment == moment { call.handle.cancel() }
    }

    func end(_ call: SoakCall, _ outcome: Swift.Result<SoakOutcome, any Error>, cancelledAt: UInt64?) {
        let now = Clocks.elapsed
        let result = result(call, outcome, isCancelled: cancelledAt != nil)
        state.withLock { state in
            state.inFlight[call.index] = nil
            state.counts[call.kind, default: [:]][result, default: 0] += 1
            if let cancelledAt { state.latencies.append(Double(now - cancelledAt) / 1_000_000) }
            guard result == .wrong, state.wrong.count < 10 else { return }
            let cancelled = cancelledAt == nil ? "not cancelled" : "cancelled"
            let expected = call.kind.expectation(of: call.number)
            state.wrong.append("\(call.kind) \(call.index), \(cancelled): \(outcome) for \(expected)")
        }
    }

    private func result(
        _ call: SoakCall,
        _ outcome: Swift.Result<SoakOutcome, any Error>,
        isCancelled: Bool
    ) -> Result {
        switch outcome {
        case .success(let outcome) where call.kind.permits(outcome, of: call.number):
            isCancelled ? .completedThough : .completed
        case .success(.failure(let reason)) where call.kind.isLoss(reason): .lost
        case .failure(is CancellationError) where isCancelled: .cancelled
        default: .wrong
        }
    }

    /// The oldest calls in flight, for the message of the watchdog.
    var inFlight: String {
        state.withLock { state in
            let oldest = state.inFlight.sorted { $0.value.start < $1.value.start }.prefix(20)
            let calls = oldest.map { index, call in
                "\(call.kind) \(index) for \(Clocks.seconds(since: call.start)) s, "
                    + (call.handle.cancelledAt == nil ? "not cancelled" : "cancelled")
            }
            return "\(state.inFlight.count) calls are in flight: \(calls.joined(separator: "; "))"
        }
    }
}
