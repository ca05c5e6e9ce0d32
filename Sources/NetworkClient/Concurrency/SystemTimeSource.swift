import Dispatch

/// The machine's time since it was started.
package struct SystemTimeSource: TimeSource {
    package init() {}

    package var now: Double {
        Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }

    package func sleep(seconds: Double) async throws {
        try Task.checkCancellation()
        try await Task.sleep(nanoseconds: Self.nanoseconds(seconds))
    }

    /// Whole nanoseconds: none for what is negative or no number, and a thousand days for what is longer than that, so
    /// that no deadline overflows.
    static func nanoseconds(_ seconds: Double) -> UInt64 {
        guard seconds > 0 else { return 0 }
        return UInt64(min(seconds, 86_400_000) * 1e9)
    }
}
