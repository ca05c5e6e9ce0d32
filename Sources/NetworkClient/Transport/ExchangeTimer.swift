import Foundation

/// Fires when nothing has moved for a while, or when an exchange has taken too long in all.
///
/// There is one timer, set for the earlier of the two; activity only notes the time, so that it costs next to nothing.
final class ExchangeTimer: Sendable {
    private struct State {
        var timer: (any DispatchSourceTimer)?
        var lastActivity: UInt64 = 0
        var end = UInt64.max
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
        let now = Self.now
        let timer = DispatchSource.makeTimerSource(queue: Self.queue)
        timer.setEventHandler { [weak self] in
            if self?.isDue() == true { action() }
        }
        let delay: UInt64? = state.withLock { state in
            guard !state.isStopped else { return nil }
            state.timer = timer
            state.lastActivity = now
            state.end = total.map { now + $0 } ?? UInt64.max
            return min(idle, total ?? idle)
        }
        timer.schedule(deadline: .distantFuture)
        timer.resume()
        guard let delay else { return timer.cancel() }
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: now + delay))
    }

    /// Something moved.
    func touch() {
        let now = Self.now
        state.withLock { $0.lastActivity = now }
    }

    func stop() {
        let timer = state.withLock { state in
            defer { state.timer = nil }
            state.isStopped = true
            return state.timer
        }
        timer?.cancel()
    }

    /// Whether it is time; if not, sets the timer for when it will be.
    private func isDue() -> Bool {
        let now = Self.now
        return state.withLock { state in
            guard let timer = state.timer, !state.isStopped else { return false }
            let deadline = min(state.lastActivity + idle, state.end)
            if deadline > now { timer.schedule(deadline: DispatchTime(uptimeNanoseconds: deadline)) }
            return deadline <= now
        }
    }

    private static let queue = DispatchQueue(label: "NetworkClient.ExchangeTimer")

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// At most a year: beyond that, and for infinity, sums would overflow.
    private static func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
        let year: TimeInterval = 365 * 86_400
        return UInt64(min(max(0, seconds.isNaN ? year : seconds), year) * 1_000_000_000)
    }
}
