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
    private let configuration: CurlTransport.Configuration
    /// Transfers that nobody waits for, whose names are still being looked up.
    private var abandonedCount = 0

    private var multi: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// Nil if libcurl has no memory.
    init?(poller: SocketPoller, configuration: CurlTransport.Configuration) {
        guard let multi = ccurl_multi_make() else { return nil }
        self.poller = poller
        self.configuration = configuration
        address = UInt(bitPattern: multi)
        let context = Unmanaged.passUnretained(poller).toOpaque()
        _ = ccurl_multi_set_callbacks(multi, setWanted, setTimer, context)
        // Each engine keeps its part, and one that has all of a host's exchanges can keep all of their connections.
        let kept = max(configuration.connectionsPerHost, configuration.connections / CurlEngines.most)
        _ = ccurl_multi_set_number(multi, CCURL_MULTI_OPTION_IDLE_CONNECTIONS, kept)
        setLimits()
    }

    /// Sets the hard limits; how many exchanges run is decided before they come here.
    ///
    /// An abandoned transfer has a place in libcurl that does not count.
    private func setLimits() {
        let perHost = max(1, configuration.connectionsPerHost) + abandonedCount
        _ = ccurl_multi_set_number(multi, CCURL_MULTI_OPTION_HOST_CONNECTIONS, perHost)
        _ = ccurl_multi_set_number(
            multi,
            CCURL_MULTI_OPTION_CONNECTIONS,
            max(1, configuration.connections) + abandonedCount
        )
    }

    var isEmpty: Bool { exchanges.members.isEmpty }

    /// When libcurl has something to do even if nothing happens.
    var dueTime: UInt64 { poller.dueTime }

    mutating func start(_ exchange: CurlExchange) {
        guard !exchange.isOver else { return }
        guard ccurl_multi_add(multi, exchange.handle.easy) == 0 else {
            return finished.append(Finished(exchange: exchange, result: 0, failure: .outOfMemory))
        }
        exchanges.add(exchange)
    }

    /// Stops a transfer that nobody waits for any more.
    ///
    /// One whose name is still being looked up stays: up to 8.19 libcurl waits for the look-up's thread when it removes
    /// or frees such a transfer, which may take a minute where a name server does not respond. Its exchange is over and
    /// refuses the connection.
    mutating func stop(_ exchange: CurlExchange) {
        guard exchanges.contains(exchange) else { return }
        guard exchange.isLookingUp else { return remove(exchange) }
        guard exchange.abandon() else { return }
        abandonedCount += 1
        setLimits()
    }

    private mutating func remove(_ exchange: CurlExchange) {
        guard exchanges.remove(exchange) else { return }
        _ = ccurl_multi_remove(multi, exchange.handle.easy)
        guard exchange.isAbandoned else { return }
        abandonedCount -= 1
        setLimits()
    }

    /// Ends all transfers, because libcurl cannot be told of their sockets any more.
    mutating func failAll(_ failure: CurlFailure) {
        for exchange in exchanges.members {
            remove(exchange)
            finished.append(Finished(exchange: exchange, result: 0, failure: failure))
        }
    }

    /// Tells a connection that was made in time from one that is still being made, for a libcurl before 7.80, which
    /// does not call when there is a connection.
    mutating func checkConnection(_ exchange: CurlExchange) {
        guard exchanges.contains(exchange), !exchange.isOver else { return }
        if exchange.handle.count(CCURL_TIME_READY_TO_SEND) > 0 { return exchange.connected() }
        finished.append(Finished(exchange: exchange, result: 0, failure: .timedOut))
        stop(exchange)
    }

    /// Goes on with a transfer that a callback has paused.
    mutating func goOn(_ exchange: CurlExchange) {
        guard exchanges.contains(exchange), exchange.goesOn() else { return }
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
            remove(exchange)
            if exchange.beginsAgain(after: result) {
                start(exchange)
                continue
            }
            finished.append(Finished(exchange: exchange, result: result))
        }
    }

    private static let mostRoundsInARow = 8
}

private let setWanted: ccurl_socket_callback = { easy, socket, wanted, context, _ in
    guard let context else { return 0 }
    let poller = Unmanaged<SocketPoller>.fromOpaque(context).takeUnretainedValue()
    if !poller.setWanted(wanted, at: socket), let owner = ccurl_easy_owner(easy) {
        CurlExchange.at(owner).failLater(.unwatchable)
    }
    // Anything else would end all transfers, and every later one.
    return 0
}

private let setTimer: ccurl_timer_callback = { _, milliseconds, context in
    guard let context else { return 0 }
    Unmanaged<SocketPoller>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    return 0
}
#endif
