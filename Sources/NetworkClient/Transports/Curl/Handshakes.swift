#if os(Linux)
/// Lets one exchange connect to an https origin alone, while others wait for its connection: if that uses HTTP/2, it
/// carries them all.
///
/// libcurl would make a connection for each of them, since it knows the protocol only after the handshake. An origin
/// without an exchange in flight may have lost its connection, so the next exchange goes first again; over a connection
/// that is still open, the others go on at once. As long as there is no connection, another exchange connects too each
/// second, since a packet may be lost, or a server hang.
final class Handshakes: Sendable {
    /// The part of an exchange in the handshake with its origin.
    struct Part: Sendable {
        /// Whether the exchange connects, and has to open the lane.
        let isFirst: Bool
        /// The time, in nanoseconds, at which the exchange began to wait, which is part of connecting.
        let begin: UInt64
    }

    /// The exchanges of one origin that are in flight, or wait for the first of them.
    private struct Lane {
        var count = 0
        /// Whether the others go on: an exchange that goes first has a connection, or has failed.
        var isOpen = false
        /// The time at which another exchange goes first.
        var nextTime: UInt64 = 0
        var waiters = Waiters<Void>()

        /// Returns whether an exchange goes first; nil if it has to wait.
        mutating func goesFirst(at now: UInt64) -> Bool? {
            guard !isOpen else { return false }
            guard now >= nextTime else { return nil }
            nextTime = now + Handshakes.timeBetweenFirsts
            return true
        }

        mutating func open() -> [Waiter<Void>] {
            isOpen = true
            return waiters.isEmpty ? [] : waiters.removeAll()
        }
    }

    private let lanes = Locked<[Origin: Lane]>([:])

    /// Waits while another exchange connects to the origin, and returns the exchange's own part.
    ///
    /// `longest` is the time, in seconds, that the exchange has to connect, waiting included.
    ///
    /// - Throws: ``TimeLimit/Passed`` if the limit has passed; `CancellationError`.
    nonisolated(nonsending) func enter(
        _ origin: Origin,
        within longest: TimeInterval,
        until limit: TimeLimit?
    ) async throws -> Part {
        let begin = MonotonicClock.now
        lanes.withLock { $0[origin, default: Lane()].count += 1 }
        let end = begin + MonotonicClock.nanoseconds(min(longest, limit?.remaining ?? .infinity))
        do {
            while true {
                let now = MonotonicClock.now
                let (isFirst, nextTime) = lanes.withLock { lanes in
                    (lanes[origin]?.goesFirst(at: now) ?? nil, lanes[origin]?.nextTime ?? 0)
                }
                if let isFirst { return Part(isFirst: isFirst, begin: begin) }
                if now >= end {
                    if let limit, limit.remaining <= 0.001 { throw TimeLimit.Passed() }
                    return Part(isFirst: false, begin: begin)
                }
                do {
                    try await wait(origin, until: min(end, nextTime), from: now)
                } catch is TimeLimit.Passed {}
            }
        } catch {
            leave(origin, Part(isFirst: false, begin: begin))
            throw error
        }
    }

    private nonisolated(nonsending) func wait(_ origin: Origin, until time: UInt64, from now: UInt64) async throws {
        let limit = TimeLimit(seconds: Double(time - min(now, time)) / 1e9, on: SystemTimeSource())
        try await lanes.wait(until: limit) { lanes, waiter in
            guard lanes[origin]?.isOpen == false else { return () }
            lanes[origin]?.waiters.add(waiter)
            return nil
        } leaving: { [lanes] id in
            lanes.withLock { $0[origin]?.waiters.remove(id) }
        }
    }

    /// Lets the other exchanges go on, since there is a connection.
    func open(_ origin: Origin) {
        let waiters = lanes.withLock { $0[origin]?.open() ?? [] }
        for waiter in waiters { waiter.resume() }
    }

    /// Lets the next exchange connect alone again, since the connection is out of use.
    func close(_ origin: Origin) {
        lanes.withLock { lanes in
            lanes[origin]?.isOpen = false
            lanes[origin]?.nextTime = 0
        }
    }

    /// Records that an exchange has ended; if it is a first one, lets the others go on, even if it has failed.
    func leave(_ origin: Origin, _ part: Part) {
        let waiters = lanes.withLock { lanes -> [Waiter<Void>] in
            lanes[origin]?.count -= 1
            guard lanes[origin]?.count != 0 else {
                lanes[origin] = nil
                return []
            }
            return part.isFirst ? lanes[origin]?.open() ?? [] : []
        }
        for waiter in waiters { waiter.resume() }
    }

    private static let timeBetweenFirsts = MonotonicClock.nanoseconds(1)
}
#endif
