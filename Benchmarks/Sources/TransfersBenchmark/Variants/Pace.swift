import BenchmarkHarness

/// What a consumer that works on each chunk is held up by.
public struct Pace: Sendable {
    static let megabytesPerSecond = 200

    private let start = Clocks.elapsed

    /// How many bytes have been taken.
    public private(set) var bytes = 0

    /// Begins now.
    public init() {}

    /// Takes a chunk.
    ///
    /// - Parameter count: How many bytes it has.
    /// - Returns: How many nanoseconds the work on what was taken so far lasts from now on; 0 for less than 1 ms, for
    ///   which no thread sleeps well.
    public mutating func take(_ count: Int) -> UInt64 {
        bytes += count
        let due = start + UInt64(bytes) * 1_000 / UInt64(Self.megabytesPerSecond)
        let now = Clocks.elapsed
        return due > now + 1_000_000 ? due - now : 0
    }
}
