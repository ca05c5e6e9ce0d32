import Dispatch

/// A clock that the client reads and waits on; tests replace it.
package protocol TimeSource: Sendable {
    /// Seconds since a fixed moment; never decreases.
    var now: Double { get }

    /// Waits until `seconds` have passed, or throws `CancellationError` as soon as the task is cancelled.
    func sleep(seconds: Double) async throws
}

/// The time since the machine was started.
package struct SystemTimeSource: TimeSource {
    package init() {}

    package var now: Double {
        Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }

    package func sleep(seconds: Double) async throws {
        try Task.checkCancellation()
        try await Task.sleep(nanoseconds: Self.nanoseconds(seconds))
    }

    /// Returns whole nanoseconds: 0 for negative numbers and NaN, and at most a thousand days, so that no deadline
    /// overflows.
    static func nanoseconds(_ seconds: Double) -> UInt64 {
        guard seconds > 0 else { return 0 }
        return UInt64(min(seconds, 86_400_000) * 1e9)
    }
}
