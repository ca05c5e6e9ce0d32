import NetworkUtilities

/// A limit of time: until a moment of a clock.
///
/// On a ``TestClock`` that advances itself a limit passes by the waits of its call alone: no alarm rings there, since
/// its sleep would be over at once, whatever the work beside it does.
struct TimeLimit: Sendable {
    /// The limit has passed.
    struct Passed: Error {}

    /// The moment in seconds of ``time``.
    let end: Double
    let time: any TimeSource

    init(end: Double, on time: any TimeSource) {
        self.end = end
        self.time = time
    }

    /// Creates a limit some seconds from now; nil if the seconds are no limit: nil, infinity or NaN.
    init?(seconds: Double?, on time: any TimeSource) {
        guard let seconds, seconds < .infinity else { return nil }
        self.init(end: time.now + seconds, on: time)
    }

    /// The seconds until the limit, 0 or less once it has passed.
    var remaining: Double { end - time.now }

    /// Calls an action when the limit passes, unless the alarm is stopped before; nil on a clock that advances itself.
    func alarm(_ action: @escaping @Sendable () -> Void) -> Alarm? {
        guard !time.advancesItself else { return nil }
        return Alarm(self, action)
    }

    /// Runs an operation in a task of its own, at most until the limit passes.
    ///
    /// The task is cancelled with the caller and when the limit passes; its end is not waited for then, since it may
    /// ignore its cancellation.
    ///
    /// - Throws: ``Passed``; `CancellationError`; the errors of the operation.
    nonisolated(nonsending) func run<Output: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let state = Locked(Race<Output>())
        // Cancelled below, when the wait for it has ended.
        let task = Task {
            let result: Result<Output, any Error>
            do {
                result = .success(try await operation())
            } catch {
                result = .failure(error)
            }
            state.withLock { $0.end(with: result) }?.resume(with: result)
        }
        defer { task.cancel() }
        return try await state.wait(until: self) { state, waiter in
            try state.result?.get() ?? state.wait(waiter)
        } leaving: { _ in
            state.withLock { $0.leave() }
        }
    }
}

/// An operation, and the one that waits for it.
private struct Race<Output: Sendable>: Sendable {
    private(set) var result: Result<Output, any Error>?
    private var waiter: Waiter<Output>?

    mutating func wait(_ waiter: Waiter<Output>) -> Output? {
        self.waiter = waiter
        return nil
    }

    mutating func leave() -> Waiter<Output>? {
        defer { waiter = nil }
        return waiter
    }

    mutating func end(with result: Result<Output, any Error>) -> Waiter<Output>? {
        self.result = result
        return leave()
    }
}

/// Calls an action at the end of a ``TimeLimit``.
final class Alarm: Expiring {
    private struct State {
        var action: (@Sendable () -> Void)?
        /// The sleep on a clock other than the system's.
        var sleep: Task<Void, Never>?
    }

    let deadline: UInt64
    private let state: Locked<State>

    fileprivate init(_ limit: TimeLimit, _ action: @escaping @Sendable () -> Void) {
        let remaining = limit.remaining
        deadline = MonotonicClock.now + MonotonicClock.nanoseconds(Seconds.wait(remaining))
        state = Locked(State(action: action))
        guard !(limit.time is SystemTimeSource) else {
            TimerRoster.shared.add(self)
            return
        }
        // Cancelled by `stop`.
        let sleep = Task { [weak self, time = limit.time] in
            guard (try? await time.sleep(seconds: remaining)) != nil else { return }
            self?.expire()
        }
        state.withLock { $0.sleep = sleep }
    }

    func expire() {
        let action = state.withLock { state in
            defer { state.action = nil }
            return state.action
        }
        action?()
    }

    /// Makes the alarm call nothing any more.
    func stop() {
        let sleep = state.withLock { state in
            state.action = nil
            return state.sleep
        }
        if let sleep { sleep.cancel() } else { TimerRoster.shared.remove(self) }
    }
}

/// The one rule for seconds that callers, servers and tests give.
enum Seconds {
    /// A thousand days, so that no sum overflows.
    static let longest = 86_400_000.0

    /// The seconds of a wait: 0 for a negative number and NaN, and at most ``longest``.
    static func wait(_ seconds: Double) -> Double { seconds > 0 ? min(seconds, longest) : 0 }

    /// The seconds of a limit: 0 for a negative number, and ``longest`` for more, infinity and NaN: no limit.
    static func limit(_ seconds: Double) -> Double { seconds < longest ? max(0, seconds) : longest }
}
