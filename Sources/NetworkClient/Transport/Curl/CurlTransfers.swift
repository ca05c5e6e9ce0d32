#if os(Linux)
import CCurl
import Foundation

/// The transfers that are under way: what one thread at a time does with libcurl.
struct CurlTransfers: Sendable {
    /// A transfer that is over, of which somebody has to be told.
    struct Finished: Sendable {
        let exchange: CurlExchange
        /// One of libcurl's results.
        let result: CInt
        /// What was found wrong here, in place of a result.
        var failure: CurlFailure?

        func tell() {
            if let failure { exchange.fail(failure) } else { exchange.finish(result) }
        }
    }

    private let poller: SocketPoller
    private let address: UInt
    private var exchanges = Register<CurlExchange>()
    private var finished: [Finished] = []
    /// Before this time nobody is late, so that nobody has to be asked.
    private var nextDeadline = UInt64.max

    private var multi: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// Nil if libcurl has no memory.
    init?(poller: SocketPoller, configuration: CurlTransport.Configuration) {
        guard let multi = ccurl_multi_make() else { return nil }
        self.poller = poller
        address = UInt(bitPattern: multi)
        let context = Unmanaged.passUnretained(poller).toOpaque()
        _ = ccurl_multi_set_callbacks(multi, setWanted, setTimer, context)
        // The hard limits; how many exchanges run is decided before they come here.
        _ = ccurl_multi_set_number(multi, CCURL_MULTI_OPTION_HOST_CONNECTIONS, configuration.connectionsPerHost)
        _ = ccurl_multi_set_number(multi, CCURL_MULTI_OPTION_CONNECTIONS, configuration.connections)
        // Each engine keeps its part, and one that has all of a host's exchanges can keep all of their connections.
        let kept = max(configuration.connectionsPerHost, configuration.connections / CurlEngines.most)
        _ = ccurl_multi_set_number(multi, CCURL_MULTI_OPTION_IDLE_CONNECTIONS, kept)
    }

    var isEmpty: Bool { exchanges.members.isEmpty }

    /// When something has to be done even if nothing happens.
    var dueTime: UInt64 { min(nextDeadline, poller.dueTime) }

    mutating func start(_ exchange: CurlExchange) {
        guard !exchange.isOver else { return }
        guard ccurl_multi_add(multi, exchange.handle.easy) == 0 else {
            return finished.append(Finished(exchange: exchange, result: 0, failure: .outOfMemory))
        }
        exchanges.add(exchange)
        nextDeadline = min(nextDeadline, exchange.deadline)
    }

    mutating func stop(_ exchange: CurlExchange) {
        guard exchanges.remove(exchange) else { return }
        _ = ccurl_multi_remove(multi, exchange.handle.easy)
    }

    /// Goes on with a transfer that a callback has paused.
    mutating func goOn(_ exchange: CurlExchange) {
        guard exchanges.contains(exchange), exchange.goesOn() else { return }
        nextDeadline = min(nextDeadline, exchange.deadline)
        _ = ccurl_easy_go_on(exchange.handle.easy)
    }

    /// Moves what can be moved at a socket.
    mutating func move(_ event: ccurl_event) {
        _ = ccurl_multi_move(multi, event.socket, event.readiness)
        poller.resume(at: event.socket)
    }

    /// Does what is due by now.
    mutating func moveWhatIsDue() {
        let now = CurlClock.now
        // What libcurl does may be due at once again, and again; anything beyond that comes after the next wait.
        for _ in 0..<Self.mostRoundsInARow {
            guard poller.takeTimer(dueBy: now) else { break }
            _ = ccurl_multi_move(multi, CInt(CCURL_TIMER), 0)
        }
        collect()
        endLate(now)
    }

    mutating func takeFinished() -> [Finished] {
        guard !finished.isEmpty else { return [] }
        defer { finished.removeAll(keepingCapacity: true) }
        return finished
    }

    /// Gives everything back; there must be no transfer left.
    mutating func free() {
        _ = ccurl_multi_free(multi)
    }

    private mutating func collect() {
        var easy: OpaquePointer?
        var owner: UnsafeMutableRawPointer?
        var result: CInt = 0
        while ccurl_multi_next_finished(multi, &easy, &owner, &result) != 0 {
            guard let owner else { continue }
            let exchange = CurlExchange.at(owner)
            exchange.keepSocket()
            stop(exchange)
            if exchange.beginsAgain(after: result) {
                start(exchange)
                continue
            }
            finished.append(Finished(exchange: exchange, result: result))
        }
    }

    private mutating func endLate(_ now: UInt64) {
        guard nextDeadline <= now else { return }
        var earliest = UInt64.max
        for exchange in exchanges.members {
            let deadline = exchange.deadline
            if deadline <= now {
                stop(exchange)
                finished.append(Finished(exchange: exchange, result: 0, failure: .timedOut))
            } else {
                earliest = min(earliest, deadline)
            }
        }
        nextDeadline = earliest
    }

    private static let mostRoundsInARow = 8
}

private let setWanted: ccurl_socket_callback = { _, socket, wanted, context, _ in
    guard let context else { return 0 }
    Unmanaged<SocketPoller>.fromOpaque(context).takeUnretainedValue().setWanted(wanted, at: socket)
    return 0
}

private let setTimer: ccurl_timer_callback = { _, milliseconds, context in
    guard let context else { return 0 }
    Unmanaged<SocketPoller>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    return 0
}
#endif
