import NetworkUtilities

/// A clock for tests: its time stands still until the test advances it.
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
public final class TestClock: TimeSource {
    private struct Sleeper {
        let end: Double
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Double
        var sleeps: [Double] = []
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Int: Watcher] = [:]
        var lastID = 0

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }

        mutating func takeDueSleepers() -> [Sleeper] {
            // Ten times a tenth of a second is a little less than a second.
            let due = sleepers.filter { $0.value.end <= now + 1e-9 }
            for id in due.keys { sleepers[id] = nil }
            return due.values.sorted { $0.end < $1.end }
        }

        mutating func takeDueWatchers() -> [Watcher] {
            let due = watchers.filter { $0.value.count <= sleepers.count }
            for id in due.keys { watchers[id] = nil }
            return Array(due.values)
        }
    }

    private let state: Locked<State>
    /// Whether a sleep is over at once, so that it cannot limit how long other work takes.
    let advancesItself: Bool

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - now: The time at the beginning, in seconds.
    ///   - advancesItself: Whether each sleep returns at once and advances the time by its length. Sleeps that run at
    ///     the same time add up, so that such a clock is for one call at a time.
    public init(now: Double = 0, advancesItself: Bool = false) {
        state = Locked(State(now: now))
        self.advancesItself = advancesItself
    }

    /// The current time in seconds.
    public var now: Double { state.withLock { $0.now } }

    /// How many seconds each sleep was asked for, in the order in which they began.
    public var sleeps: [Double] { state.withLock { $0.sleeps } }

    /// The number of tasks that sleep now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Suspends until the clock was advanced by `seconds`; returns immediately for zero, a negative number and NaN.
    public func sleep(seconds: Double) async throws {
        try Task.checkCancellation()
        let id = state.withLock { $0.makeID() }
        defer { state.meet() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (isOver, watchers) = state.withLock { state -> (Bool, [Watcher]) in
                    state.sleeps.append(seconds)
                    if advancesItself { state.now += Self.step(seconds) }
                    guard !advancesItself, seconds > 0 else { return (true, []) }
                    state.sleepers[id] = Sleeper(end: state.now + seconds, continuation: continuation)
                    return (false, state.takeDueWatchers())
                }
                for watcher in watchers { watcher.continuation.resume() }
                if isOver { return continuation.resume() }
                // A cancellation before the sleeper was stored found none.
                if Task.isCancelled { wake(id) }
            }
        } onCancel: {
            wake(id)
        }
    }

    /// Advances the time and wakes the tasks whose sleep is over; returns before they run.
    ///
    /// A negative number and NaN do not change the time.
    public func advance(by seconds: Double) {
        let due = state.withLock { state in
            state.now += Self.step(seconds)
            return state.takeDueSleepers()
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Suspends until at least `count` tasks sleep at the same time.
    public func waitForSleepers(_ count: Int = 1) async throws {
        let id = state.withLock { $0.makeID() }
        defer { state.meet() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isDue = state.withLock { state in
                    guard state.sleepers.count < count else { return true }
                    state.watchers[id] = Watcher(count: count, continuation: continuation)
                    return false
                }
                if isDue { return continuation.resume() }
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    /// Returns the seconds that the time advances, at most a thousand days, so that it stays finite.
    private static func step(_ seconds: Double) -> Double { seconds > 0 ? min(seconds, 86_400_000) : 0 }

    private func wake(_ id: Int) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    private func leave(_ id: Int) {
        let watcher = state.withLock { $0.watchers.removeValue(forKey: id) }
        watcher?.continuation.resume(throwing: CancellationError())
    }
}
