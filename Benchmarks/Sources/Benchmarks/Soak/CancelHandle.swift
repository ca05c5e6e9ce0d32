import BenchmarkHarness

/// Cancels one call once, also if it is asked to before it knows how.
final class CancelHandle: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var isAsked = false
        var cancelledAt: UInt64?
    }

    private let state = Locked(State())

    /// When the call was cancelled; nil if it was not.
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

    /// Forgets the call, so that a moment that comes after its end changes nothing.
    func end() -> UInt64? {
        state.withLock { state in
            state.cancel = nil
            return state.cancelledAt
        }
    }
}
