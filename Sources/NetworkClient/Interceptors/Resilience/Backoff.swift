/// The waits before a request is sent again: they double up to a limit, and are shortened at random.
///
/// With the defaults, the longest waits are 1, 2, 4 … 20 seconds after 429 and 503, with which a server reports
/// overload, and 0.05, 0.1, 0.2 … 20 seconds after other failures. All times are in seconds; a negative number and NaN
/// count as the default, and more than a thousand days count as a thousand days.
public struct Backoff: Sendable {
    /// The longest wait before the first retry after a transient failure, such as a lost connection.
    public var base: TimeInterval

    /// The longest wait before the first retry after 429 or 503.
    public var throttledBase: TimeInterval

    /// The limit of the doubled waits, before jitter.
    public var maximum: TimeInterval

    /// The random shortening of the waits, so that many clients don't come back at the same moment.
    public var jitter: Jitter

    /// Creates a backoff.
    public init(
        base: TimeInterval = 0.05,
        throttledBase: TimeInterval = 1,
        maximum: TimeInterval = 20,
        jitter: Jitter = .full
    ) {
        self.base = base
        self.throttledBase = throttledBase
        self.maximum = maximum
        self.jitter = jitter
    }

    private static let usual = Backoff()

    /// Returns the seconds to wait before a retry.
    ///
    /// - Parameters:
    ///   - number: The number of the retry, from 1.
    ///   - isThrottled: Whether the status was 429 or 503.
    /// - Returns: The seconds, from 0 to the limit.
    public func delay(beforeRetry number: Int, isThrottled: Bool = false) -> TimeInterval {
        wait(beforeRetry: number, isThrottled: isThrottled).delay
    }

    /// Returns the seconds to wait before a retry, and those by which the jitter has shortened them.
    func wait(beforeRetry number: Int, isThrottled: Bool) -> (delay: TimeInterval, saved: TimeInterval) {
        let usual = Self.usual
        let first =
            isThrottled
            ? Seconds.wait(throttledBase, or: usual.throttledBase) : Seconds.wait(base, or: usual.base)
        // A power of two that stays finite, so that no product is NaN.
        let factor = Double(sign: .plus, exponent: min(max(1, number) - 1, 900), significand: 1)
        let longest = min(first * factor, Seconds.wait(maximum, or: usual.maximum))
        let delay = longest * jitter.fraction()
        return (delay, longest - delay)
    }
}

/// The random part of a wait that remains.
///
/// ```swift
/// let equal = Jitter { .random(in: 0.5...1) }
/// let policy = RetryPolicy(backoff: Backoff(jitter: equal))
/// ```
public struct Jitter: Sendable {
    private let source: @Sendable () -> Double

    /// Creates a jitter from a source of fractions.
    ///
    /// - Parameter fraction: Returns the part of the wait that remains, from 0 to 1; numbers outside are clamped to
    ///   this range, and NaN counts as 0. It is called once for each wait, from any thread.
    public init(_ fraction: @escaping @Sendable () -> Double) {
        source = fraction
    }

    /// Any part of the wait, with equal probability: spreads the load best.
    public static let full = Jitter { .random(in: 0...1) }

    /// The whole wait, always.
    public static let none = Jitter { 1 }

    /// Returns the next fraction, 0…1.
    func fraction() -> Double {
        let fraction = source()
        return fraction > 0 ? min(fraction, 1) : 0
    }
}
