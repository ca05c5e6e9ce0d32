#if os(Linux)
import CCurl

/// The look-up, the sockets and the connection of an exchange.
extension CurlExchange {
    /// Records that libcurl is about to look up a name; returns false if it must not.
    ///
    /// This may be for another connection, if a kept one was dead. If another exchange looks up the same name, this one
    /// waits for that look-up, outside libcurl, and connects as if it had begun with it.
    func beginsLookUp() -> Bool {
        let (connectsAgain, isActive, isOver) = state.withLock {
            ($0.beginsLookUp(), $0.connecting.lookUp.isActive, $0.isOver)
        }
        guard !isOver else { return false }
        if connectsAgain { self.connectsAgain() }
        guard isActive, let begin = engine.lookUps.join(self) else { return true }
        let isShared = state.withLock { state in
            guard state.connecting.lookUp.share() else { return false }
            // A look-up that has taken longer may be about to end.
            let end = max(begin + MonotonicClock.nanoseconds(connectTimeout), MonotonicClock.now + Self.lateWait)
            state.connecting.end = min(state.connecting.end, end)
            return true
        }
        if isShared { watch() }
        return !isShared
    }

    /// The wait for a look-up that has taken longer than the time to connect.
    private static let lateWait = MonotonicClock.nanoseconds(0.25)

    /// Records that libcurl is about to open a socket; returns false if it must not.
    func opensSocket() -> Bool {
        engine.lookUps.end(self)
        let areCurrent = engine.sessions.areCurrent()
        return state.withLock { $0.connecting.opensSocket(hasCurrentSessions: areCurrent) }
    }

    /// Records that libcurl has opened a socket.
    func opens(_ socket: CInt) {
        let connection = engine.connections.opens(socket)
        state.withLock { $0.connecting.opens(connection) }
    }

    /// Whether a name is being looked up.
    var isLookingUp: Bool { state.withLock { $0.connecting.lookUp.isActive } }

    /// Whether the exchange waits for the look-up of another one.
    var sharesLookUp: Bool { state.withLock { $0.connecting.lookUp.isAwaited && !$0.isOver } }

    func hasSharedLookUp() { state.withLock { $0.connecting.lookUp.hasShared() } }

    /// Returns whether the request may be sent over the connection with a name.
    func accepts(_ name: ccurl_connection, _ ownPort: CInt) -> Bool {
        let ssl = ccurl_easy_ssl(handle.easy)
        let newCount = handle.number(CURLINFO_NUM_CONNECTS)
        let opened = state.withLock { $0.connecting.opened }
        let connection = engine.connections.find(name, ownPort, among: opened)
        let isShared = ccurl_ssl_uses_http2(ssl) != 0 || connection?.usesQUIC == true
        connection?.isShared = isShared
        // The other streams of the connection may all be paused.
        if isShared, let connection { engine.setReceiving(true, at: connection.socket) }
        // Over a new connection, a message of TLS may have come before the request.
        let isKept = !opened.contains { $0 === connection }
        let isSpoiled = isKept && connection?.isSpoiled(ssl) == true
        let isAccepted = event {
            $0.connected(connection, isSpoiled: isSpoiled, newConnectionCount: newCount, isShared: isShared)
        }
        if !isAccepted, !isSpoiled, newCount > 0 { handle.forbidReuse() }
        passOnConnection()
        return isAccepted
    }

    /// Finds the connection, for libcurl before 7.80, which does not report it.
    func findConnection() {
        guard !CurlLibrary.reportsConnections, connection == nil else { return }
        var ownPort: CInt = 0
        let name = ccurl_easy_connection(handle.easy, &ownPort)
        let ssl = ccurl_easy_ssl(handle.easy)
        state.withLock { state in
            let found = engine.connections.find(name, ownPort, among: state.connecting.opened)
            found?.isShared = ccurl_ssl_uses_http2(ssl) != 0
            state.connecting.finds(found, ssl)
        }
    }

    /// Returns whether the other side has acknowledged bytes of the request since libcurl wrote the last ones, which
    /// counts as activity: the system accepts up to 4 MB that are not sent yet, and libcurl up to 10 MB for QUIC.
    ///
    /// Of QUIC, nothing tells what was acknowledged. All that comes before the response is taken for it, for 4 s, and
    /// for ten idle timeouts in all: the replies to pings come too, which libcurl sends at half of the time for which
    /// the server keeps an idle connection, and so do the bytes of other streams.
    func uploads(_ now: UInt64) -> Bool {
        guard sendsBody, let connection else { return false }
        if let silence = connection.quicSilence {
            let longest = min(idleTimeout / 2, Self.longestQUICSilence)
            guard silence < longest else { return false }
            let end = now - silence + longest
            return state.withLock { state in
                guard !state.head.isComplete || !state.head.isFinal,
                    state.connecting.uploads(now, until: end, idleTimeout: idleTimeout)
                else { return false }
                state.lastActivity = max(state.lastActivity, end - idleTimeout)
                return true
            }
        }
        guard let traffic = connection.traffic else { return false }
        return state.withLock { $0.uploads(traffic, now) }
    }

    private static let longestQUICSilence = MonotonicClock.nanoseconds(4)

    /// The connection over which the request is sent; nil before, and for one that has no ports.
    var connection: CurlConnection? { state.withLock { $0.connecting.connection } }

    /// Takes the connection out of use, and returns true, if it carries HTTP/2 or HTTP/3 and the exchange is the first
    /// one that has ended early without a byte over it: since the exchange began, or for its idle timeout.
    ///
    /// Such a connection may have died in silence, and libcurl would use it again. A cancellation within a second says
    /// nothing about it, unlike a limit.
    func retiresConnection() -> Bool {
        guard let (connection, begin, failure) = state.withLock({ $0.givenUp }), connection.isShared,
            let traffic = connection.traffic
        else { return false }
        // The coarse clock, which has begun the exchange, may be ahead.
        let age = max(MonotonicClock.now, begin) - begin
        let time = failure is CancellationError ? max(age, MonotonicClock.nanoseconds(1)) : age
        let longest = min(time, idleTimeout)
        // Half of that time is enough over QUIC, since the acknowledgement of the request is a datagram, too.
        let quicSilence = connection.quicSilence.map { age < longest ? $0 : $0 * 2 }
        let silence = quicSilence ?? UInt64(traffic.silence) * 1_000_000
        guard silence + Self.silenceStep >= longest else { return false }
        return connection.retire()
    }

    /// The steps in which the system counts the time since the last byte.
    private static let silenceStep = MonotonicClock.nanoseconds(0.01)

    /// Records that libcurl has released the transfer, and its connection.
    func leavesConnection() { state.withLock { $0.leavesConnection() } }

    /// Ends the connection of the finished transfer if it has bytes behind the response, for libcurl before 7.80, which
    /// does not ask before it uses a connection again.
    func checkConnection() {
        guard !CurlLibrary.reportsConnections else { return }
        let (connection, ssl) = state.withLock { ($0.connecting.connection, $0.connecting.ssl) }
        // `traffic` is nil if libcurl has closed the connection, which then needs no check.
        if let connection, connection.traffic != nil { _ = connection.isSpoiled(UnsafeRawPointer(bitPattern: ssl)) }
    }
}
#endif
