/// A timer that fires when an exchange has been idle for too long, or has exceeded its total time.
///
/// Activity only stores the time, and all exchanges share one system timer: a separate system timer would cost up to a
/// third of a small exchange.
final class ExchangeTimer: Expiring {
    private struct State {
        var action: (@Sendable (ExchangeLimits.Passed) -> Void)?
        var limits: ExchangeLimits
        var isStopped = false
    }

    private let total: UInt64?
    private let state: Locked<State>

    /// Creates a timer that fires after `idle` seconds without activity, or `total` seconds after its start.
    init(idle: TimeInterval, total: TimeInterval?) {
        state = Locked(State(limits: ExchangeLimits(idle: MonotonicClock.nanoseconds(idle))))
        self.total = total.map(MonotonicClock.nanoseconds)
    }

    func start(_ action: @escaping @Sendable (ExchangeLimits.Passed) -> Void) {
        let now = MonotonicClock.now
        let hasStarted = state.withLock { state in
            guard !state.isStopped else { return false }
            state.action = action
            state.limits.lastActivity = now
            state.limits.end = total.map { now + $0 } ?? .max
            return true
        }
        if hasStarted { register() }
    }

    /// Records activity.
    func touch() {
        let now = MonotonicClock.now
        state.withLock { $0.limits.lastActivity = now }
    }

    /// Suspends the idle timeout until ``goOn()``; the total time continues to count.
    func rest() {
        state.withLock { $0.limits.isResting = true }
    }

    func goOn() {
        touch()
        let isToGoOn = state.withLock { state in
            defer { state.limits.isResting = false }
            return state.limits.isResting && !state.isStopped && state.action != nil
        }
        // The new deadline may be earlier than the registered one.
        if isToGoOn { register() }
    }

    /// Starts the time limit for the body of a redirect, which applies whatever activity there is.
    func beginRedirectBody() {
        let end = MonotonicClock.now + MonotonicClock.nanoseconds(RedirectBodyLimit.seconds)
        state.withLock { $0.limits.redirectBodyEnd = end }
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

    var deadline: UInt64 { state.withLock { $0.limits.deadline } }

    func expire() {
        let (action, limit) = state.withLock { ($0.action, $0.limits.passed(at: MonotonicClock.now)) }
        guard let action else { return }
        // There may have been activity since the timer fired.
        if let limit { action(limit) } else { register() }
    }
}

/// When an exchange passes its limits, in nanoseconds of ``MonotonicClock``; `.max` for no limit.
struct ExchangeLimits {
    /// The limit that has passed.
    enum Passed {
        case idle
        /// The limit of the whole exchange.
        case total
        case connection
        /// The time for the body of a redirect.
        case redirectBody
    }

    let idle: UInt64
    var lastActivity: UInt64 = 0
    var end = UInt64.max
    var connectionEnd = UInt64.max
    /// When the body of a redirect is cut, whatever activity there is; it replaces the idle timeout.
    var redirectBodyEnd: UInt64?
    /// Whether the exchange waits for its reader, which no idle timeout limits.
    var isResting = false

    private var idleEnd: UInt64 { isResting || redirectBodyEnd != nil ? .max : lastActivity + idle }

    /// The time at which the first limit passes if there is no further activity.
    var deadline: UInt64 { min(end, idleEnd, connectionEnd, redirectBodyEnd ?? .max) }

    /// Returns the limit that has passed; nil if none has.
    func passed(at now: UInt64) -> Passed? {
        guard deadline <= now else { return nil }
        if end <= now { return .total }
        if let redirectBodyEnd, redirectBodyEnd <= now { return .redirectBody }
        return idleEnd < connectionEnd ? .idle : .connection
    }
}
