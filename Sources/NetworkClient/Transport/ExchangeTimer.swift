import Foundation

/// Fires when nothing has moved for a while, or when an exchange has taken too long in all.
///
/// Activity only notes the time, and all exchanges share one timer of the system's: making one for each costs as much
/// as a third of a small exchange.
final class ExchangeTimer: Expiring {
    private struct State {
        var action: (@Sendable () -> Void)?
        var lastActivity: UInt64 = 0
        var end = UInt64.max
        var isResting = false
        var isStopped = false
    }

    private let idle: UInt64
    private let total: UInt64?
    private let state = Locked(State())

    /// Takes seconds.
    init(idle: TimeInterval, total: TimeInterval?) {
        self.idle = Self.nanoseconds(idle)
        self.total = total.map(Self.nanoseconds)
    }

    func start(_ action: @escaping @Sendable () -> Void) {
        let now = TimerRoster.now
        let hasStarted = state.withLock { state in
            guard !state.isStopped else { return false }
            state.action = action
            state.lastActivity = now
            state.end = total.map { now + $0 } ?? UInt64.max
            return true
        }
        guard hasStarted else { return }
        TimerRoster.shared.add(self)
        // It may have been stopped before there was anything to remove.
        if state.withLock({ $0.isStopped }) { TimerRoster.shared.remove(self) }
    }

    /// Something moved.
    func touch() {
        let now = TimerRoster.now
        state.withLock { $0.lastActivity = now }
    }

    /// Nothing is to move until ``goOn()``, so that only the total time counts.
    func rest() {
        state.withLock { $0.isResting = true }
    }

    func goOn() {
        touch()
        let isToGoOn = state.withLock { state in
            defer { state.isResting = false }
            return state.isResting && !state.isStopped && state.action != nil
        }
        // The time may now be earlier than the one that is waited for.
        guard isToGoOn else { return }
        TimerRoster.shared.add(self)
        if state.withLock({ $0.isStopped }) { TimerRoster.shared.remove(self) }
    }

    func stop() {
        let hadStarted = state.withLock { state in
            defer { state.action = nil }
            state.isStopped = true
            return state.action != nil
        }
        if hadStarted { TimerRoster.shared.remove(self) }
    }

    /// When it is time if nothing moves from now on.
    var deadline: UInt64 {
        state.withLock { $0.isResting ? $0.end : min($0.lastActivity + idle, $0.end) }
    }

    func expire() {
        state.withLock { $0.action }?()
    }

    /// At most a year: beyond that, and for infinity, sums would overflow.
    private static func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
        let year: TimeInterval = 365 * 86_400
        return UInt64(min(max(0, seconds.isNaN ? year : seconds), year) * 1_000_000_000)
    }
}
