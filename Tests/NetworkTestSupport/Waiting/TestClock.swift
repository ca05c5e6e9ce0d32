import NetworkClient

/// Time that stands still until a test moves it.
package final class TestClock: TimeSource {
    private let time: AwaitableValue<Double>

    package init(now: Double = 0) {
        time = AwaitableValue(now)
    }

    package var now: Double {
        time.current
    }

    /// Suspends until the clock was advanced by `seconds`; returns immediately for zero or less.
    package func sleep(seconds: Double) async throws {
        let end = now + seconds
        try await time.wait { $0 >= end ? () : nil }
    }

    /// Advances the time and wakes the due sleepers; returns before they have run.
    package func advance(by seconds: Double) {
        time.update { $0 += seconds }
    }
}
