import Foundation

/// The clocks that measurements read, in nanoseconds.
public enum Clocks {
    /// Time on the wall; never goes back.
    public static var elapsed: UInt64 { read(CLOCK_MONOTONIC) }

    /// Time that processors have spent on this process.
    public static var processor: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
