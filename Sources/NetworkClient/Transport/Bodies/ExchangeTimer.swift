/// A timer that fires when an exchange has been idle for too long, or has exceeded its total time.
///
/// Activity only stores the time, and all exchanges share one system timer: a separate system timer would cost up to a
/// third of a small exchange.
final class ExchangeTimer: Expiring {
    /// The limit that has passed when the timer fires.
    enum Limit {
        case idle
        case total
        /// The time for the body of a redirect.
        case redirectBody
    }

    private struct State {
        var action: (@Sendable (Limit) -> Void)?
        var lastActivity: UInt64 = 0
        var end = UInt64.max
        /// The time at which the body of a redirect is cut; it replaces the idle timeout.
        var redirectBodyEnd: UInt64?
        var isResting = false
        var isStopped = false
    }

    private let idle: UInt64
    private let total: UInt64?
    private let state = Locked(State())

    /// Creates a timer that fires after `idle` seconds without activity, or `total` seconds after its start.
    init(idle: TimeInterval, total: TimeInterval?) {
        self.idle = MonotonicClock.nanoseconds(idle)
        self.total = total.map(MonotonicClock.nanoseconds)
    }

    func start(_ action: @escaping @Sendable (Limit) -> Void) {
        let now = MonotonicClock.now
        let hasStarted = state.withLock { state in
            guard !state.isStopped else { return false }
            state.action = action
            state.lastActivity = now
            state.end = total.map { now + $0 } ?? UInt64.max
            return true
        }
        if hasStarted { register() }
    }

    /// Records activity.
    func touch() {
        let now = MonotonicClock.now
        state.withLock { $0.lastActivity = now }
    }

    /// Suspends the idle timeout until ``goOn()``; the total time continues to count.
    func rest() {
        state.withLock { $0.isResting = true }
    }

    func goOn() {
        touch()
        let isToGoOn = state.withLock { state in
            defer { state.isResting = false }
            return state.isResting && !state.isStopped && state.action != nil
        }
        // The new deadline may be earlier than the registered one.
        if isToGoOn { register() }
    }

    /// Starts the time limit for the body of a redirect, which applies whatever activity there is.
    func beginRedirectBody() {
        let end = MonotonicClock.now + MonotonicClock.nanoseconds(RedirectBodyLimit.seconds)
        state.withLock { $0.redirectBodyEnd = end }
        register()
    }

    private func register() {
        TimerRoster.shared.add(self)
        // If `stop()` was called before the timer was added, it found nothing to remove.
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

    var deadline: UInt64 { state.withLock { min($0.end, earlierEnd($0)) } }

    func expire() {
        let (action, limit) = state.withLock { state in
            (state.action, passedLimit(state))
        }
        action?(limit)
    }

    private func passedLimit(_ state: State) -> Limit {
        // There may have been activity since the timer fired.
        if state.end <= min(earlierEnd(state), MonotonicClock.now) { return .total }
        return state.redirectBodyEnd == nil ? .idle : .redirectBody
    }

    /// Returns the time at which the idle limit, or the limit for the body of a redirect, passes.
    private func earlierEnd(_ state: State) -> UInt64 {
        state.redirectBodyEnd ?? (state.isResting ? .max : state.lastActivity + idle)
    }
}

/// The limits for the body of a redirect that is followed.
///
/// The body is received only so that its connection can be reused; above these limits, a new connection is cheaper.
enum RedirectBodyLimit {
    /// The maximum number of bytes.
    static let bytes = 1 << 16

    /// The maximum number of seconds from the end of the head.
    static let seconds = 1.0
}
