/// A clock for tests: its time and its date stand still until the test advances them.
///
/// ```swift
/// let clock = TestClock(advancesItself: true)
/// let client = NetworkClient(
///     transport: ClosureTransport(status: 503, json: ""),
///     interceptors: [.retry()],
///     configuration: .init(time: clock)
/// )
/// _ = try? await client.fetch(request: request)
/// print(clock.sleeps)
/// ```
public final class TestClock: SimulatedTimeSource {
    private struct State {
        var now: TimeInterval
        var sleeps: [TimeInterval] = []
        /// The tasks that sleep, each with the end of its sleep.
        var sleepers: [UInt64: (end: Double, waiter: Waiter<Void>)] = [:]
        /// The tasks that wait until a number of tasks sleep.
        var watchers: [UInt64: (count: Int, waiter: Waiter<Void>)] = [:]

        mutating func takeDueSleepers() -> [Waiter<Void>] {
            // Tolerates rounding: ten advances of 0.1 s are a little less than 1 s.
            let due = sleepers.values.filter { $0.end <= now + 1e-9 }.sorted { $0.end < $1.end }
            for sleeper in due { sleepers[sleeper.waiter.id] = nil }
            return due.map(\.waiter)
        }

        mutating func takeDueWatchers() -> [Waiter<Void>] {
            let due = watchers.values.filter { $0.count <= sleepers.count }
            for watcher in due { watchers[watcher.waiter.id] = nil }
            return due.map(\.waiter)
        }
    }

    private let state: Locked<State>
    /// The date at which the time is 0.
    private let origin: Date
    package let advancesItself: Bool

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - now: The time at the beginning, in seconds.
    ///   - date: The date at the beginning.
    ///   - advancesItself: Whether each sleep returns at once and advances the time by its length. Sleeps that run at
    ///     the same time add up, so that such a clock is for one call at a time. No sleep on it limits other work: an
    ///     event timeout, and the limit of a wait for a closure of yours, pass only on a clock that is advanced.
    public init(now: TimeInterval = 0, date: Date = Date(), advancesItself: Bool = false) {
        state = Locked(State(now: now))
        origin = date - now
        self.advancesItself = advancesItself
    }

    /// The current time in seconds.
    public var now: TimeInterval { state.withLock { $0.now } }

    /// The current date, which moves with ``now``.
    public var date: Date { origin + now }

    /// The requested length of each sleep in seconds, in the order in which the sleeps began.
    public var sleeps: [TimeInterval] { state.withLock { $0.sleeps } }

    /// The number of tasks that sleep now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Suspends until the clock has been advanced by `seconds`; returns immediately for zero, a negative number and
    /// NaN.
    public func sleep(seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        try await state.wait { [advancesItself] state, sleeper in
            state.sleeps.append(seconds)
            if advancesItself { state.now += Seconds.wait(seconds) }
            guard !advancesItself, seconds > 0 else { return () }
            state.sleepers[sleeper.id] = (state.now + seconds, sleeper)
            return nil
        } leaving: { [state] id in
            state.withLock { $0.sleepers.removeValue(forKey: id)?.waiter }
        } begun: {
            for watcher in state.withLock({ $0.takeDueWatchers() }) { watcher.resume() }
        }
    }

    /// Advances the time and wakes the tasks whose sleep is over; returns before they run.
    ///
    /// The next sleep of such a task begins at the new time: two sleeps in a row need two advances, however long the
    /// first advance is.
    ///
    /// A negative number and NaN do not change the time.
    public func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now += Seconds.wait(seconds)
            return state.takeDueSleepers()
        }
        for sleeper in due { sleeper.resume() }
    }

    /// Suspends until at least `count` tasks sleep at the same time.
    public func waitForSleepers(_ count: Int = 1) async throws {
        try await state.wait { state, watcher in
            guard state.sleepers.count < count else { return () }
            state.watchers[watcher.id] = (count, watcher)
            return nil
        } leaving: { [state] id in
            state.withLock { $0.watchers.removeValue(forKey: id)?.waiter }
        }
    }
}
