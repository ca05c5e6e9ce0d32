#if os(Linux)
import CCurl

/// A multi handle of libcurl and its transfers, used by one thread at a time.
struct CurlTransfers: Sendable {
    /// A transfer that has ended, whose exchange has to be ended.
    struct Finished: Sendable {
        let exchange: CurlExchange
        let result: ccurl_code
        /// A failure that this library detected, which overrides the result.
        var failure: CurlFailure?

        func endExchange() {
            if let failure { exchange.fail(failure) } else { exchange.finish(result) }
        }
    }

    private let poller: SocketPoller
    private var address: UInt
    private let sessions: CurlSessions
    private var exchanges = SlotArray<CurlExchange>()
    private var finished: [Finished] = []
    private let configuration: CurlTransport.Configuration
    private let lookUps: LookUps
    /// The exchanges that wait for the look-up of another one, outside libcurl.
    private var waiting: [Origin: [CurlExchange]] = [:]
    /// The exchanges of open WebSockets by their descriptors.
    private var sockets: [CInt: CurlExchange] = [:]
    private var keptConnections = 0
    /// The maximum number of idle connections, without those that the steps allow.
    private let idleLimit = max(1, (CurlLibrary.descriptorLimit / 4 - step) / CurlEngines.most - step)

    /// The time at which the idle connections are closed, in nanoseconds; `.max` while there are transfers.
    private var closeTime = UInt64.max

    private var multi: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// Creates a multi handle; nil if libcurl has no memory.
    init?(
        poller: SocketPoller,
        lookUps: LookUps,
        sessions: CurlSessions,
        configuration: CurlTransport.Configuration
    ) {
        guard let multi = ccurl_multi_init() else { return nil }
        self.sessions = sessions
        self.poller = poller
        self.lookUps = lookUps
        self.configuration = configuration
        address = UInt(bitPattern: multi)
        prepare()
    }

    private mutating func prepare() {
        ccurl_multi_set_callbacks(multi, Unmanaged.passUnretained(poller).toOpaque(), setWanted, setTimer)
        // Only backs up the transport's limits: connections that are being shut down have no other one.
        _ = ccurl_multi_setopt_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, CurlLibrary.descriptorLimit / 4 * 3)
        if CurlLibrary.gathersStreams {
            _ = ccurl_multi_setopt_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, CurlEngine.maxStreams)
        }
        if CurlLibrary.limitsLookUps {
            // Names that hang must not keep others from being looked up.
            _ = ccurl_multi_setopt_long(multi, CURLMOPT_RESOLVE_THREADS_MAX, 1 << 16)
            // Otherwise libcurl waits for the threads of its look-ups when it frees the handle.
            _ = ccurl_multi_setopt_long(multi, CURLMOPT_QUICK_EXIT, 1)
        }
        keptConnections = 0
        setKeptConnections()
    }

    /// Closes all connections of an engine that has had no transfer for some time.
    ///
    /// libcurl looks for connections that their servers have closed only when it needs one, so that they would keep
    /// their descriptors for ever.
    private mutating func closeConnections() {
        guard let fresh = ccurl_multi_init() else { return closeTime = MonotonicClock.now + configuration.keepTime }
        closeTime = .max
        _ = ccurl_multi_cleanup(multi)
        poller.forgetAll()
        address = UInt(bitPattern: fresh)
        prepare()
    }

    /// Sets how many connections stay open: the engine's share of the idle ones, and those in use, which libcurl counts
    /// too.
    ///
    /// The share is at least as many as one host may have, but the idle connections of all engines have at most a
    /// quarter of the descriptors that the process may have, and those in use a half.
    private mutating func setKeptConnections() {
        let inUse = (exchanges.count + Self.step - 1) / Self.step * Self.step
        let share = max(configuration.connectionsPerHost, configuration.connections / CurlEngines.most)
        let kept = min(share, idleLimit) + inUse
        guard kept != keptConnections else { return }
        keptConnections = kept
        _ = ccurl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, kept)
    }

    var isEmpty: Bool { exchanges.count == 0 }

    /// The time at which there is something to do even without an event.
    var dueTime: UInt64 { min(poller.dueTime, closeTime) }

    mutating func start(_ exchange: CurlExchange) {
        guard !exchange.isOver else { return }
        sessions.enter(exchange.handle)
        guard ccurl_multi_add_handle(multi, exchange.handle.easy) == 0 else {
            exchange.handle.setSessions(nil)
            return finished.append(Finished(exchange: exchange, result: CURLE_OK, failure: .outOfMemory))
        }
        exchange.slot = exchanges.add(exchange)
        closeTime = .max
        setKeptConnections()
    }

    /// Stops a transfer whose exchange is over.
    ///
    /// A transfer whose name is still being looked up stays, and refuses the connection: up to 8.19, libcurl waits for
    /// the look-up's thread when it removes or frees such a transfer, which may take a minute if a name server does not
    /// respond.
    mutating func stop(_ exchange: CurlExchange) {
        guard exchange.slot != nil else {
            waiting[exchange.origin]?.removeAll { $0 === exchange }
            return
        }
        if exchange.isLookingUp { exchange.handle.refuseConnection() } else { remove(exchange) }
    }

    private mutating func remove(_ exchange: CurlExchange) {
        guard let slot = exchange.slot else { return }
        exchanges.remove(slot)
        exchange.slot = nil
        if exchange.hasSocket, let descriptor = exchange.descriptor, sockets[descriptor] === exchange {
            sockets[descriptor] = nil
        }
        if isEmpty { closeTime = MonotonicClock.coarseNow + configuration.keepTime }
        setKeptConnections()
        _ = ccurl_multi_remove_handle(multi, exchange.handle.easy)
        exchange.handle.setSessions(nil)
        exchange.leavesConnection()
        lookUps.end(exchange)
    }

    /// Ends all transfers, because their sockets can't be watched any more.
    mutating func failAll(_ failure: CurlFailure) {
        for exchange in exchanges.members + waiting.values.joined() {
            remove(exchange)
            finished.append(Finished(exchange: exchange, result: CURLE_OK, failure: failure))
        }
        waiting = [:]
    }

    /// Ends an exchange with a timeout if it has no connection yet, for libcurl before 7.80, which does not report
    /// connections.
    mutating func checkConnection(_ exchange: CurlExchange) {
        guard !exchange.isOver else { return }
        // libcurl keeps this time while it makes another connection.
        let wasReady = exchange.handle.count(CURLINFO_PRETRANSFER_TIME_T) > 0
        if wasReady, !exchange.isLookingUp { return exchange.connected() }
        finished.append(Finished(exchange: exchange, result: CURLE_OK, failure: exchange.connectionTimeout))
        stop(exchange)
    }

    /// Ends the body of a redirect with the bytes received so far, and closes its connection or its HTTP/2 stream.
    mutating func endRedirectBody(_ exchange: CurlExchange) {
        guard exchange.slot != nil, exchange.cutBody() else { return }
        remove(exchange)
        finished.append(Finished(exchange: exchange, result: CURLE_WRITE_ERROR))
    }

    /// Continues a transfer that a callback has paused.
    ///
    /// The callbacks get what libcurl has kept. If they refuse it, or a trailer among it is malformed, libcurl may
    /// report this only here, and end the transfer without an error.
    ///
    /// A transfer that was paused while it sent may have no connection by now, which is no failure.
    mutating func goOn(_ exchange: CurlExchange) {
        guard exchange.slot != nil, let wasPaused = exchange.goesOn() else { return }
        let pause = exchange.keepsReceivingPaused ? CURLPAUSE_RECV : CURLPAUSE_CONT
        let result = ccurl_easy_pause(exchange.handle.easy, pause)
        guard wasPaused, result != CURLE_OK else { return }
        remove(exchange)
        finished.append(Finished(exchange: exchange, result: result))
    }

    /// Lets libcurl handle an event at a socket; returns the number of bytes that it has passed on or taken.
    mutating func handle(_ event: ccurl_event) -> Int {
        if CurlLibrary.leavesWakeups, poller.isInUse(event.socket) { ccurl_wakeup_empty(event.socket) }
        if configuration.versions == .http3, event.events & CInt(CURL_CSELECT_IN) != 0 {
            CurlConnections.hears(event.socket)
        }
        poller.round.begin()
        let passed = poller.round.movedCount
        _ = ccurl_multi_socket_action(multi, event.socket, event.events)
        let count = poller.round.movedCount &- passed
        for exchange in poller.round.takeSockets() where exchange.slot != nil {
            exchange.descriptor.map { sockets[$0] = exchange }
        }
        if count == 0 { sockets[event.socket]?.findsNothing(at: event.socket) }
        poller.resume(after: event, hasProgress: count != 0)
        collect()
        return count
    }

    /// Calls libcurl if its timer is due, and collects the transfers that have ended.
    ///
    /// After `end`, libcurl is called only once.
    mutating func handleTimer(until end: UInt64) {
        var now = MonotonicClock.now
        if poller.resumeIdle(dueBy: now) {
            for exchange in poller.round.takeLeavers() { goOn(exchange) }
        }
        if closeTime <= now { closeConnections() }
        // libcurl may set the timer to the current time repeatedly. Further rounds follow after the next wait, but
        // callers have to wake the thread for it.
        for round in 0..<Self.maxRoundsInARow where round == 0 || now < end {
            guard poller.takeTimer(dueBy: now) else { break }
            poller.round.begin()
            _ = ccurl_multi_socket_action(multi, CInt(CURL_SOCKET_TIMEOUT), 0)
            now = MonotonicClock.now
        }
        collect()
    }

    mutating func takeFinished() -> [Finished] {
        guard !finished.isEmpty else { return [] }
        defer { finished.removeAll(keepingCapacity: true) }
        return finished
    }

    /// Frees the multi handle, which must not have any transfer left.
    mutating func free() {
        _ = ccurl_multi_cleanup(multi)
        sessions.free()
    }

    private mutating func collect() {
        var easy: OpaquePointer?
        var context: UnsafeMutableRawPointer?
        var result = CURLE_OK
        while ccurl_multi_next_finished(multi, &easy, &context, &result) != 0 {
            guard let context else { continue }
            let exchange = CurlExchange.at(context)
            exchange.checkConnection()
            remove(exchange)
            if exchange.sharesLookUp {
                waiting[exchange.origin, default: []].append(exchange)
            } else if exchange.beginsAgain(after: result) {
                start(exchange)
            } else {
                finished.append(Finished(exchange: exchange, result: result))
                guard exchange.isLookingUp, LookUp.failures.contains(result) else { continue }
                // Otherwise each exchange would look up the same name, one after the other.
                let others = waiting.removeValue(forKey: exchange.origin) ?? []
                finished += others.map { Finished(exchange: $0, result: result) }
            }
        }
        guard !waiting.isEmpty else { return }
        for origin in waiting.keys where !lookUps.contains(origin) {
            for exchange in waiting.removeValue(forKey: origin) ?? [] {
                exchange.hasSharedLookUp()
                start(exchange)
            }
        }
    }

    private static let maxRoundsInARow = 8
    /// The steps in which the number of kept connections follows that of transfers.
    private static let step = max(1, min(16, CurlLibrary.descriptorLimit / 64))
}

private let setWanted: ccurl_socket_callback = { easy, socket, wanted, context, _ in
    guard let context else { return 0 }
    let poller = Unmanaged<SocketPoller>.fromOpaque(context).takeUnretainedValue()
    let isWatched = poller.setWanted(wanted, at: socket)
    guard !isWatched || wanted == CURL_POLL_REMOVE, let transfer = ccurl_easy_context(easy) else { return 0 }
    let exchange = CurlExchange.at(transfer)
    if isWatched { exchange.waitsForNothing(at: socket) } else { exchange.failLater(.unwatchable) }
    // Any other result would end all transfers of the handle, and every later one.
    return 0
}

private let setTimer: ccurl_timer_callback = { _, milliseconds, context in
    guard let context else { return 0 }
    Unmanaged<SocketPoller>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    return 0
}
#endif
