import Foundation

/// Waits until a process has nothing more to do.
public enum Quiescence {
    /// Returns when three looks, 10 ms apart, found processors nearly unused by this process, or after so many seconds.
    ///
    /// - Parameter seconds: After which it gives up.
    /// - Returns: Whether it became quiet.
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

    /// Looks every 10 ms until a condition holds, or for so many seconds.
    ///
    /// - Parameters:
    ///   - seconds: After which it gives up.
    ///   - condition: What is waited for.
    /// - Returns: Whether it came to hold.
    public static func wait(atMost seconds: Double, until condition: () -> Bool) async -> Bool {
        let end = Clocks.elapsed + UInt64(seconds * 1_000_000_000)
        while !condition() {
            guard Clocks.elapsed < end else { return false }
            try? await Task.sleep(nanoseconds: 10_000_000)
        }
        return true
    }
}
