import NetworkClient

/// Time that stands still until a test moves it.
///
/// ```swift
/// let clock = TestClock()
/// let value = Task { try await retrying(clock) }
/// try await clock.waitForSleepers(1)
/// clock.advance(by: 2)
/// ```
package final class TestClock: TimeSource {
    private struct Sleeper {
        let id: Int
        let deadline: Double
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Double
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var requestedSleeps: [Double] = []
    }

    private let state: Locked<State>
    /// The sleepers, separate from the state, so that a change doesn't search ten thousand sleepers.
    private let sleeperCount = AwaitableValue(0)

    package init(now: Double = 0) {
        state = Locked(State(now: now))
    }

    package var now: Double {
        state.withLock { $0.now }
    }

    /// All requested durations in seconds, in order, including those without a wait.
    package var requestedSleeps: [Double] {
        state.withLock { $0.requestedSleeps }
    }

    /// Suspends until the clock was advanced by `seconds`; returns immediately for zero or less.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(seconds: Double) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.requestedSleeps.append(seconds)
            state.nextID += 1
            return state.nextID
        }
        guard seconds > 0 else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(id: id, seconds: seconds, continuation: continuation)
                // A cancellation before the sleeper was added found no sleeper to wake.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Advances the time and wakes the due sleepers, the earliest first; returns before they have run.
    package func advance(by seconds: Double) {
        let due = state.withLock { state in
            state.now += seconds
            let now = state.now
            let due = state.sleepers.values.filter { $0.deadline <= now }
            for sleeper in due {
                state.sleepers[sleeper.id] = nil
            }
            return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        sleeperCount.update { $0 -= due.count }
        for sleeper in due {
            sleeper.continuation.resume()
        }
    }

    /// Waits until at least `count` tasks sleep on this clock, so that advancing it reaches them.
    package func waitForSleepers(_ count: Int = 1) async throws {
        try await sleeperCount.wait { $0 >= count ? () : nil }
    }

    private func add(id: Int, seconds: Double, continuation: CheckedContinuation<Void, any Error>) {
        state.withLock { state in
            state.sleepers[id] = Sleeper(id: id, deadline: state.now + seconds, continuation: continuation)
        }
        sleeperCount.update { $0 += 1 }
    }

    private func cancel(_ id: Int) {
        guard let sleeper = state.withLock({ $0.sleepers.removeValue(forKey: id) }) else { return }
        sleeperCount.update { $0 -= 1 }
        sleeper.continuation.resume(throwing: CancellationError())
    }
}
