/// A time limit: a moment of a clock, postponed by the time for which the limit pauses.
///
/// On a `TestClock` that advances itself, only the waits of the call make a limit pass. Such a clock has no alarms: a
/// sleep on it ends at once, however long the measured work takes.
package struct TimeLimit: Sendable {
    /// The limit has passed.
    package struct Passed: Error {}

    /// The moment in seconds of ``time``.
    private let end: Double
    private let time: any TimeSource
    /// What an error says that it causes; nil for a limit that causes none.
    package let passed: PassedLimit?
    /// Returns the number of seconds for which the limit has paused so far; nil for a limit that never pauses.
    private let pause: (@Sendable () -> Double)?

    package init(
        end: Double,
        on time: any TimeSource,
        passed: PassedLimit? = nil,
        pausedFor pause: (@Sendable () -> Double)? = nil
    ) {
        (self.end, self.time) = (end, time)
        (self.passed, self.pause) = (passed, pause)
    }

    /// Creates a limit some seconds from now; nil if the seconds are nil, infinite or NaN.
    package init?(seconds: Double?, on time: any TimeSource) {
        guard let seconds, seconds < .infinity else { return nil }
        self.init(end: time.now + seconds, on: time)
    }

    /// The seconds until the limit, 0 or less once it has passed.
    package var remaining: Double { end + (pause?() ?? 0) - time.now }

    /// Calls an action when the limit passes, unless the alarm is stopped before; nil on a clock that advances itself.
    func alarm(_ action: @escaping @Sendable () -> Void) -> Alarm? {
        guard !time.advancesItself else { return nil }
        return Alarm(self, action)
    }

    fileprivate var isOnTheSystemsClock: Bool { time is SystemTimeSource }

    fileprivate func sleep(_ seconds: Double) async throws { try await time.sleep(seconds: seconds) }

    /// Runs an operation in a separate task, at most until the limit passes.
    ///
    /// The task is cancelled with the caller and when the limit passes. The function then does not wait for its end,
    /// since the task may ignore its cancellation.
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

/// The state of an operation and of the caller that waits for it.
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
        /// The end on the system's clock, in nanoseconds of ``MonotonicClock``.
        var deadline: UInt64 = 0
        /// The task that sleeps on any other clock.
        var sleep: Task<Void, Never>?
    }

    private let limit: TimeLimit
    private let state: Locked<State>

    fileprivate init(_ limit: TimeLimit, _ action: @escaping @Sendable () -> Void) {
        self.limit = limit
        state = Locked(State(action: action))
        set()
    }

    var deadline: UInt64 { state.withLock { $0.deadline } }

    private func set() {
        let remaining = limit.remaining
        guard limit.isOnTheSystemsClock else {
            // Cancelled by `stop`.
            let sleep = Task { [weak self, limit] in
                guard (try? await limit.sleep(remaining)) != nil else { return }
                self?.expire()
            }
            return state.withLock { $0.sleep = sleep }
        }
        let deadline = MonotonicClock.now + MonotonicClock.nanoseconds(Seconds.wait(remaining))
        state.withLock { $0.deadline = deadline }
        TimerRoster.shared.add(self)
    }

    func expire() {
        // The limit may have paused since, and a timer may fire a little early.
        if limit.remaining > 0.001 {
            if state.withLock({ $0.action != nil }) { set() }
            return
        }
        let action = state.withLock { state in
            defer { state.action = nil }
            return state.action
        }
        action?()
    }

    /// Stops the alarm, which then calls nothing.
    func stop() {
        let sleep = state.withLock { state in
            state.action = nil
            return state.sleep
        }
        if let sleep { sleep.cancel() } else { TimerRoster.shared.remove(self) }
    }
}

/// The rule for all seconds that callers, servers and tests pass in.
package enum Seconds {
    /// A thousand days: the longest wait or limit, so that no sum of times overflows.
    static let longest = 86_400_000.0

    /// Returns the seconds of a wait: `usual` for a negative number and NaN, and at most ``longest``.
    package static func wait(_ seconds: Double, or usual: Double = 0) -> Double {
        seconds >= 0 ? min(seconds.magnitude, longest) : usual
    }

    /// Returns the seconds of a limit: 0 for a negative number; ``longest``, which stands for no limit, for a larger
    /// number, infinity and NaN.
    package static func limit(_ seconds: Double) -> Double { seconds < longest ? max(0, seconds) : longest }
}

extension Double {
    /// The seconds with at most three decimals, whatever the locale is: `30 s`, `0.25 s`.
    var inWords: String {
        let milliseconds = (Swift.min(Swift.max(0, self), 1e9) * 1_000).rounded()
        let text = "\(milliseconds / 1_000)"
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " s"
    }
}

/// A time limit with its seconds, which travels to where it passes.
package enum PassedLimit: Hashable, Sendable {
    /// No byte was sent or received for as long as the request's `timeoutInterval`.
    case idle(Double)
    /// No connection was made in time.
    case connection(Double)
    /// The limit of an attempt with its body, set by the call's options or the client's configuration.
    case attempt(Double)
    /// The limit of an attempt without the time in which bytes are transferred, set by an interceptor.
    case wait(Double)
    /// The limit of a call, with its attempts and the waits between them.
    case deadline(Double)
    /// The limit of an exchange that no client makes: ``TransportOptions/exchangeTimeout`` by itself.
    case exchange(Double)

    /// The limit and its number as a clause that follows "failed:".
    var sentence: String {
        switch self {
        case .idle(let seconds): "no byte was sent or received within its idle timeout of \(seconds.inWords)"
        case .connection(let seconds): "no connection was made within its connect timeout of \(seconds.inWords)"
        case .attempt(let seconds): "it took longer than its attempt timeout of \(seconds.inWords)"
        case .wait(let seconds): "it waited longer than its wait timeout of \(seconds.inWords)"
        case .deadline(let seconds): "it took longer than its deadline of \(seconds.inWords)"
        case .exchange(let seconds): "the exchange took longer than \(seconds.inWords)"
        }
    }

    var seconds: Double {
        switch self {
        case .idle(let seconds), .connection(let seconds), .attempt(let seconds), .wait(let seconds),
            .deadline(let seconds), .exchange(let seconds):
            seconds
        }
    }
}
