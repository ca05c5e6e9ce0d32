import Dispatch

/// A clock that the client and its interceptors read and wait on, with its calendar.
///
/// Use ``SystemTimeSource`` for real time, and `TestClock` of NetworkClientTesting in tests. Set the clock of a client
/// with ``NetworkClient/Configuration/time``.
public protocol TimeSource: Sendable {
    /// Seconds since a fixed moment; never decreases.
    var now: TimeInterval { get }

    /// The date by the calendar, which may be set at any time, such as for the age of stored responses, the expiry of
    /// tokens and a `Retry-After` with a date; by default the system's.
    var date: Date { get }

    /// Waits until `seconds` have passed, or throws `CancellationError` as soon as the task is cancelled.
    ///
    /// Returns immediately for zero, a negative number and NaN.
    func sleep(seconds: TimeInterval) async throws
}

/// A moment on both parts of a clock: the calendar may be set back or forward, and the other part may stop while the
/// machine sleeps.
struct Moment: Sendable {
    let date: Date
    /// Seconds that never decrease.
    let clock: Double

    init(date: Date, clock: Double) {
        (self.date, self.clock) = (date, clock)
    }

    /// The present moment.
    init(_ time: any TimeSource) {
        self.init(date: time.date, clock: time.now)
    }
}

/// A clock for tests.
package protocol SimulatedTimeSource: TimeSource {
    /// Whether a sleep is over at once, so that it cannot limit how long other work takes.
    var advancesItself: Bool { get }
}

extension TimeSource {
    /// The system's date.
    public var date: Date { Date() }

    /// Whether this is a clock that advances itself.
    var advancesItself: Bool { (self as? any SimulatedTimeSource)?.advancesItself == true }
}

/// The system's clock, which counts the time since the machine was started.
public struct SystemTimeSource: TimeSource {
    /// Creates the real clock.
    public init() {}

    /// Seconds since the machine was started, without the time in which it was asleep.
    public var now: TimeInterval {
        Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }

    /// Waits until `seconds` have passed, at most a thousand days.
    public func sleep(seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        try await Task.sleep(nanoseconds: UInt64(Seconds.wait(seconds) * 1e9))
    }
}

extension TimeSource where Self == SystemTimeSource {
    /// The system's clock.
    public static var system: SystemTimeSource { SystemTimeSource() }
}

extension CallScope {
    /// Waits until `seconds` have passed, or throws `CancellationError` as soon as the task, or the call that runs in
    /// it, is cancelled.
    package nonisolated(nonsending) static func sleep(seconds: TimeInterval, on time: any TimeSource) async throws {
        try checkCancellation()
        guard seconds > 0 else { return }
        guard current != nil else { return try await time.sleep(seconds: seconds) }
        // Cancelled with the task and with the call.
        let sleep = Task { try await time.sleep(seconds: seconds) }
        try await withCancellationHandler {
            try await sleep.value
        } onCancel: {
            sleep.cancel()
        }
    }
}

/// The time since the system started, in nanoseconds, which never goes back; the same time as in `DispatchTime`.
enum MonotonicClock {
    #if os(Linux)
    static var now: UInt64 { time(CLOCK_MONOTONIC) }

    /// A time that is never earlier than ``now``, and at most some milliseconds later; reading it costs a fraction of
    /// reading ``now``.
    static var coarseNow: UInt64 { time(CLOCK_MONOTONIC_COARSE) + resolution }

    private static let resolution: UInt64 = {
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
    #else
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
    #endif

    /// Returns the nanoseconds of a limit in seconds.
    static func nanoseconds(_ limit: TimeInterval) -> UInt64 { UInt64(Seconds.limit(limit) * 1_000_000_000) }
}
