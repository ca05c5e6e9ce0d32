#if os(Linux)
import Synchronization

/// What one call of libcurl leaves to be done after it, and what it has moved.
///
/// All functions may be called on any thread at any time; most are by callbacks of libcurl.
final class EngineRound: Sendable {
    /// The number of times that libcurl was called for an event, or for several commands.
    private let calls = Atomic(0)

    /// The number of bytes that callbacks of transfers have received from libcurl or have given to it.
    private let moved = Atomic(0)

    /// The time, in nanoseconds, from which on the current call of libcurl is a long one.
    private let lateTime = Atomic(UInt64.max)

    /// The exchanges that paused because libcurl's call took long; the next call resumes them.
    private let leavers = Locked<[CurlExchange]>([])

    /// The exchanges whose heads, or parts of whose bodies, were received in the current round, and whose bodies are
    /// streamed.
    private let streams = Locked<[CurlExchange]>([])

    /// The exchanges whose WebSockets were opened in the current round.
    private let sockets = Locked<[CurlExchange]>([])

    /// Records that libcurl is about to be called.
    func begin() {
        calls.wrappingAdd(1, ordering: .relaxed)
        lateTime.store(MonotonicClock.coarseNow + Self.longCall, ordering: .relaxed)
    }

    var callCount: Int { calls.load(ordering: .relaxed) }

    /// Whether the current call of libcurl is a long one.
    var isLate: Bool { MonotonicClock.coarseNow > lateTime.load(ordering: .relaxed) }

    /// Records bytes that a callback has received or given.
    func move(_ count: Int) { moved.wrappingAdd(count, ordering: .relaxed) }

    var movedCount: Int { moved.load(ordering: .relaxed) }

    /// Lets a paused exchange go on in the next call.
    func add(leaver exchange: CurlExchange) { leavers.withLock { $0.append(exchange) } }

    func takeLeavers() -> [CurlExchange] { Self.takeAll(leavers) }

    /// Lets the body of an exchange begin as a stream, or its reader wake, at the end of the round, unless it has ended
    /// by then.
    func add(stream exchange: CurlExchange) {
        streams.withLock { if $0.last !== exchange { $0.append(exchange) } }
    }

    func takeStreams() -> [CurlExchange] { Self.takeAll(streams) }

    /// Lets the engine look for the end of a connection at the descriptor of an exchange.
    func add(socket exchange: CurlExchange) { sockets.withLock { $0.append(exchange) } }

    func takeSockets() -> [CurlExchange] { Self.takeAll(sockets) }

    private static func takeAll(_ exchanges: Locked<[CurlExchange]>) -> [CurlExchange] {
        exchanges.withLock { exchanges in
            guard !exchanges.isEmpty else { return [] }
            defer { exchanges = [] }
            return exchanges
        }
    }

    private static let longCall = MonotonicClock.nanoseconds(0.02)
}
#endif
