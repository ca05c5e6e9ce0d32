#if os(Linux)
import Foundation

/// The time that only goes forward, in nanoseconds.
enum CurlClock {
    static var now: UInt64 { time(CLOCK_MONOTONIC) }

    /// Some milliseconds more than ``now`` at the most and never less, for a fraction of the price.
    static var almostNow: UInt64 { time(CLOCK_MONOTONIC_COARSE) + coarseness }

    private static let coarseness: UInt64 = {
        var step = timespec()
        clock_getres(CLOCK_MONOTONIC_COARSE, &step)
        return nanoseconds(in: step)
    }()

    private static func time(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return nanoseconds(in: time)
    }

    private static func nanoseconds(in time: timespec) -> UInt64 {
        UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// At most a year: beyond that, and for infinity, sums would overflow.
    static func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
        let year: TimeInterval = 365 * 86_400
        return UInt64(min(max(0, seconds.isNaN ? year : seconds), year) * 1_000_000_000)
    }
}
#endif
