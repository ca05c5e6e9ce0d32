import Foundation

/// The exchanges whose time may come, with one timer of the system's for all of them, set for the earliest.
final class TimerRoster: Sendable {
    private struct State {
        var timers: [ObjectIdentifier: ExchangeTimer] = [:]
        var source: (any DispatchSourceTimer)?
        /// When the system's timer fires.
        var alarm = UInt64.max

        mutating func setAlarm(_ time: UInt64) {
            alarm = time
            source?.schedule(deadline: time == .max ? .distantFuture : DispatchTime(uptimeNanoseconds: time))
        }
    }

    static let shared = TimerRoster()

    /// The machine's time in nanoseconds.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    private let state = Locked(State())

    init() {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "NetworkClient.TimerRoster"))
        source.setEventHandler { [weak self] in self?.fire() }
        source.schedule(deadline: .distantFuture)
        source.resume()
        state.withLock { $0.source = source }
    }

    deinit {
        state.withLock { $0.source?.cancel() }
    }

    /// How many exchanges are on it.
    var count: Int { state.withLock { $0.timers.count } }

    func add(_ timer: ExchangeTimer) {
        let deadline = timer.deadline
        state.withLock { state in
            state.timers[ObjectIdentifier(timer)] = timer
            if deadline < state.alarm { state.setAlarm(deadline) }
        }
    }

    /// The alarm stays as it is: one in vain now and then is cheaper than setting it each time.
    func remove(_ timer: ExchangeTimer) {
        state.withLock { _ = $0.timers.removeValue(forKey: ObjectIdentifier(timer)) }
    }

    private func fire() {
        let now = Self.now
        let due = state.withLock { state in
            var due: [ExchangeTimer] = []
            var next = UInt64.max
            for timer in state.timers.values {
                let deadline = timer.deadline
                if deadline <= now { due.append(timer) } else { next = min(next, deadline) }
            }
            for timer in due { state.timers[ObjectIdentifier(timer)] = nil }
            state.setAlarm(next)
            return due
        }
        for timer in due { timer.fire() }
    }
}
