#if os(Linux)
/// Lets one exchange connect to an https origin alone, while others wait for its connection: if that uses HTTP/2, it
/// carries them all.
///
/// libcurl would make a connection for each of them, since it knows the protocol only after the handshake. An origin
/// without an exchange in flight may have lost its connection, so the next exchange goes first again; over a connection
/// that is still open, the others go on at once.
final class Handshakes: Sendable {
    /// The part of an exchange in the handshake with its origin.
    enum Part: Sendable {
        /// The exchange connects, and has to open the lane.
        case first
        case later
    }

    /// The exchanges of one origin that are in flight, or wait for the first of them.
    private struct Lane {
        var count = 0
        /// Whether the others go on: the first exchange has a connection, or has failed.
        var isOpen = false
        var waiters = Waiters<Void>()

        /// Adds an exchange, and returns its part; nil if it has to wait.
        mutating func add() -> Part? {
            count += 1
            return count == 1 ? .first : isOpen ? .later : nil
        }

        mutating func open() -> [Waiter<Void>] {
            isOpen = true
            return waiters.isEmpty ? [] : waiters.removeAll()
        }
    }

    private let lanes = Locked<[Origin: Lane]>([:])

    /// Waits while another exchange connects to the origin, and returns the exchange's own part; nil if it shares no
    /// connection.
    ///
    /// The exchange waits at most a second, since the origin may never respond, and then connects as well.
    ///
    /// - Throws: ``TimeLimit/Passed`` if the limit has passed; `CancellationError`.
    nonisolated(nonsending) func enter(
        _ transfer: CurlTransfer,
        _ options: TransportOptions,
        until limit: TimeLimit?
    ) async throws -> Part? {
        let origin = transfer.origin
        // Nothing else can use the connection of a stream that is alone on it.
        guard origin.scheme == "https", !(options.streamsBody && CurlLibrary.streamsAlone) else { return nil }
        if let part = lanes.withLock({ $0[origin, default: Lane()].add() }) { return part }
        let longest = min(transfer.request.timeoutInterval, limit?.remaining ?? .infinity, Self.longestWait)
        do {
            try await lanes.wait(until: TimeLimit(seconds: longest, on: SystemTimeSource())) { lanes, waiter in
                guard lanes[origin]?.isOpen == false else { return () }
                lanes[origin]?.waiters.add(waiter)
                return nil
            } leaving: { [lanes] id in
                lanes.withLock { $0[origin]?.waiters.remove(id) }
            }
            return .later
        } catch is TimeLimit.Passed where (limit?.remaining ?? .infinity) > 0.001 {
            return .first
        } catch {
            leave(origin, .later)
            throw error
        }
    }

    /// Lets the other exchanges go on, since there is a connection.
    func open(_ origin: Origin) {
        let waiters = lanes.withLock { $0[origin]?.open() ?? [] }
        for waiter in waiters { waiter.resume() }
    }

    /// Records that an exchange has ended; if it is the first one, lets the others go on, even if it has failed.
    func leave(_ origin: Origin, _ part: Part) {
        let waiters = lanes.withLock { lanes -> [Waiter<Void>] in
            lanes[origin]?.count -= 1
            guard lanes[origin]?.count != 0 else {
                lanes[origin] = nil
                return []
            }
            return part == .first ? lanes[origin]?.open() ?? [] : []
        }
        for waiter in waiters { waiter.resume() }
    }

    private static let longestWait = 1.0
}
#endif
