import Foundation

/// The clocks of the measurements, in nanoseconds.
public enum Clocks {
    /// The monotonic time.
    public static var elapsed: UInt64 { read(CLOCK_MONOTONIC) }

    /// The processor time of this process, over all threads.
    public static var processor: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
