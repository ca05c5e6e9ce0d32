import Foundation

/// Waits until the process is idle, or until a condition holds.
public enum Quiescence {
    /// Waits until this process was nearly idle in three samples, 10 ms apart; returns false after the given seconds.
    @discardableResult
    public static func wait(atMost seconds: Double = 10) async -> Bool {
        let end = Clocks.elapsed + UInt64(seconds * 1_000_000_000)
        var quietLooks = 0
        while quietLooks < 3 {
            guard Clocks.elapsed < end else { return false }
            let before = Clocks.processor
            try? await Task.sleep(nanoseconds: 10_000_000)
            quietLooks = Clocks.processor - before < 1_000_000 ? quietLooks + 1 : 0
        }
        return true
    }

    /// Checks a condition every 10 ms until it holds; returns false after the given seconds.
    public static func wait(atMost seconds: Double, until condition: () -> Bool) async -> Bool {
        let end = Clocks.elapsed + UInt64(seconds * 1_000_000_000)
        while !condition() {
            guard Clocks.elapsed < end else { return false }
            try? await Task.sleep(nanoseconds: 10_000_000)
        }
        return true
    }
}
