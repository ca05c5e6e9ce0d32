#if os(Linux)

extension CurlExchangeState {
    /// The way of an exchange to its connection, which may be repeated.
    struct Connecting: Sendable {
        private enum Repetition {
            case none
            /// The transfer was stopped before anything was sent, to begin again over a new connection.
            case isDue
            case isOver
        }

        /// The time at which the exchange has taken too long to connect; `.max` once there is a connection.
        var end: UInt64
        /// The look-up of the name for a connection.
        var lookUp = LookUp()
        /// The connection over which the request is, or was, sent; nil before, and for one that has no ports.
        private(set) var connection: CurlConnection?
        private var hasLeft = true
        /// The time at which the connection was accepted.
        private(set) var acceptTime: UInt64 = 0
        /// The address of its state of TLS, for libcurl before 7.80; 0 without TLS.
        private(set) var ssl: UInt = 0
        /// The connections that libcurl has opened since it got the last one.
        private(set) var opened: [CurlConnection] = []
        private(set) var acceptedCount = 0
        /// The number of connections that were made for the request.
        private var newCount = 0
        /// Whether the last connection was made for the request.
        private var isOnNewOne = false
        private var repetition = Repetition.none
        /// Whether the exchange got no socket, since the TLS sessions of its engine were not current.
        private var awaitsSessions = false
        private var hasAwaitedSessions = false
        /// The number of bytes of the connection that were acknowledged at the last idle timeout; nil before.
        private var acknowledgedCount: Int64?

        /// The time at which an upload over QUIC passed its idle timeout, and the time until which it may go on.
        private var extra: (begin: UInt64, end: UInt64) = (0, 0)

        init(end: UInt64) {
            self.end = end
        }

        /// Records that libcurl is about to open a socket; returns false if it must not, so that the transfer begins
        /// again, once, without the TLS sessions of earlier connections.
        mutating func opensSocket(hasCurrentSessions: Bool) -> Bool {
            awaitsSessions = !hasCurrentSessions && !hasAwaitedSessions
            if awaitsSessions { lookUp.end() } else { lookUp.opensSocket() }
            return !awaitsSessions
        }

        mutating func opens(_ connection: CurlConnection) { opened.append(connection) }

        /// Returns whether a transfer that got no socket has to begin again.
        mutating func beginsWithoutSessions() -> Bool {
            guard awaitsSessions else { return false }
            (awaitsSessions, hasAwaitedSessions) = (false, true)
            return true
        }

        /// Records that libcurl has a connection, of `count` new ones; returns whether it repeats a request whose
        /// stream the server has refused.
        ///
        /// Over HTTP/2, there is no other reason to send it again after a new connection.
        mutating func accept(_ connection: CurlConnection?, _ count: Int, isShared: Bool, _ now: UInt64) -> Bool {
            leave(isPaused: false)
            (acceptTime, end) = (now, .max)
            begin(connection)
            lookUp.end()
            acceptedCount += 1
            defer { (isOnNewOne, newCount) = (count > newCount, count) }
            return isOnNewOne && isShared
        }

        /// Records the connection that is in use already.
        mutating func finds(_ connection: CurlConnection?, _ ssl: UnsafeRawPointer?) {
            self.ssl = UInt(bitPattern: ssl)
            begin(connection)
        }

        private mutating func begin(_ connection: CurlConnection?) {
            // One over a Unix domain socket has no name, and is known by its descriptor only.
            (self.connection, opened, hasLeft) = (connection, connection == nil ? opened : [], false)
            connection?.begins()
        }

        /// Records that the exchange does not use its connection any more.
        mutating func leave(isPaused: Bool) {
            if !hasLeft { connection?.leaves(isPaused: isPaused) }
            hasLeft = true
        }

        /// Lets a transfer that was stopped before anything was sent begin again.
        mutating func refuses(_ isSpoiled: Bool) { repetition = isSpoiled ? .isDue : repetition }

        /// Returns whether a transfer that was stopped before anything was sent has to begin again; it does so only
        /// once.
        mutating func beginsAgain() -> Bool {
            guard repetition == .isDue else { return false }
            // Over an earlier connection, the request may have been sent.
            acceptedCount -= 1
            return beginsElsewhere()
        }

        /// Returns whether a transfer whose kept connection was dead may begin again over a new one; it does so only
        /// once.
        mutating func beginsElsewhere() -> Bool {
            defer { (repetition, newCount, isOnNewOne) = (.isOver, 0, false) }
            return repetition != .isOver
        }

        /// Records that an upload over QUIC has passed its idle timeout, and may go on until `end`; returns false if it
        /// has gone on so for ten idle timeouts.
        mutating func uploads(_ now: UInt64, until end: UInt64, idleTimeout: UInt64) -> Bool {
            if now - min(now, extra.end) >= idleTimeout / 2 { extra.begin = now }
            extra.end = end
            return (now - extra.begin) / 10 < idleTimeout
        }

        /// Records how many bytes of the connection are acknowledged at the idle timeout; returns whether that counts
        /// as activity: some were acknowledged since the last timeout, or, at the first one, some are not yet.
        mutating func uploads(_ acknowledged: Int64, of written: Int64) -> Bool {
            defer { acknowledgedCount = acknowledged }
            return acknowledgedCount.map { acknowledged > $0 } ?? (acknowledged < written)
        }
    }
}
#endif
