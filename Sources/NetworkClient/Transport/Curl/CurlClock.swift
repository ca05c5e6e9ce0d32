#if os(Linux) || os(Android)
import Foundation

/// The time that only goes forward, in nanoseconds.
enum CurlClock {
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// At most a year: beyond that, and for infinity, sums would overflow.
    static func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
        let year: TimeInterval = 365 * 86_400
        return UInt64(min(max(0, seconds.isNaN ? year : seconds), year) * 1_000_000_000)
    }
}
#endif
