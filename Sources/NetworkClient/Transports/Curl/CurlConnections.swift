#if os(Linux)
import CCurl
import Synchronization

/// The connections that libcurl has opened for an engine.
///
/// libcurl names a connection only by its two ends, so a connection is found again by these.
final class CurlConnections: Sendable {
    /// The connections of all engines by their sockets: libcurl closes a socket without naming the engine.
    private static let open = Locked<[CInt: CurlConnection]>([:])

    /// The connections over which a request was sent.
    private let named = Locked<[ccurl_connection: CurlConnection]>([:])

    typealias Counts = [ccurl_connection: CurlConnection.Counts]

    /// Records that libcurl has opened a socket, for a connection that it may keep.
    func opens(_ socket: CInt) -> CurlConnection {
        let connection = CurlConnection(socket, of: self)
        Self.open.withLock { $0[socket] = connection }
        return connection
    }

    /// The function with which libcurl closes a socket.
    static let closes: @convention(c) (UnsafeMutableRawPointer?, CInt) -> CInt = { _, socket in
        let (connection, result) = open.withLock { ($0.removeValue(forKey: socket), close(socket)) }
        connection?.hasClosed()
        return result
    }

    /// Returns the connection with a name: one of those that the exchange has opened, or a kept one; nil for one over a
    /// Unix domain socket, which has no ports.
    func find(_ name: ccurl_connection, _ ownPort: CInt, among opened: [CurlConnection]) -> CurlConnection? {
        guard ownPort > 0 else { return nil }
        // libcurl may have opened several, and given up all but one; the descriptor of one may be that of a later one.
        guard let new = opened.last(where: { ccurl_socket_port($0.socket) == ownPort }) else {
            return named.withLock { $0[name] }
        }
        new.name.store(name, ordering: .relaxed)
        named.withLock { $0[name] = new }
        return new
    }

    /// Records that something can be read from a socket.
    static func hears(_ socket: CInt) { open.withLock { $0[socket] }?.hears() }

    fileprivate func forget(_ connection: CurlConnection) {
        let name = connection.name.load(ordering: .relaxed)
        named.withLock { named in
            if named[name] === connection { named[name] = nil }
        }
    }

    /// Performs an action with the socket of a connection, which libcurl can't close during it; nil if the socket is
    /// closed.
    ///
    /// From 7.88 to 8.1, libcurl itself closes a socket that it gives up while it connects; its descriptor may belong
    /// to another file since.
    fileprivate static func withSocket<Result>(of connection: CurlConnection, _ action: (CInt) -> Result) -> Result? {
        open.withLock { open in
            guard open[connection.socket] === connection, connection.file == ccurl_file_number(connection.socket)
            else { return nil }
            return action(connection.socket)
        }
    }

    /// Ends the connections from which libcurl has read more than their exchanges account for.
    ///
    /// A server may send frames without content for ever, and libcurl 7.88 to 8.6 reads them in one call. Other bytes
    /// are passed on, or wait for the reader of a stream, in its window, or were on their way when a stream was given
    /// up, in the buffers of two systems.
    ///
    /// - Parameter earlier: The counts of the last call of this function.
    /// - Returns: The counts of the connections in use, with which the next call goes on.
    func endFloods(since earlier: Counts) -> Counts {
        var counts: Counts = [:]
        for (name, connection) in named.withLock({ $0 }) where connection.isInUse {
            guard let now = connection.counts else { continue }
            let begin = earlier[name] ?? now
            let surplus = now.read - begin.read - (now.passed.upperBound - begin.passed.lowerBound) * Self.bytesForOne
            if surplus > Self.buffers + connection.waitingStreams * CurlConnection.window { connection.end() }
            counts[name] = surplus < 0 ? now : begin
        }
        return counts
    }

    /// The most bytes that carry one of content: DATA frames of one byte have ten, in TLS records of their own 39.
    fileprivate static let bytesForOne = 64

    /// The bytes that may be on their way for streams that were given up: Linux buffers 6 MB, and the server 4 MB.
    private static let buffers = 16 << 20
}

/// A connection that libcurl has opened, with the facts that decide whether it is used again.
final class CurlConnection: Sendable {
    /// The bytes that libcurl has read from the socket at a moment, and those that callbacks had received or given
    /// before and after it.
    struct Counts: Sendable {
        let read: Int
        let passed: ClosedRange<Int>
    }

    /// The largest window of a stream.
    fileprivate static let window = 10 << 20

    let socket: CInt
    let usesQUIC: Bool
    /// The number by which the system knows the socket.
    fileprivate let file: UInt64
    private weak let home: CurlConnections?
    fileprivate let name = Atomic<ccurl_connection>(0)
    /// Whether the connection carries several exchanges at once (HTTP/2, HTTP/3).
    private let carriesSeveral = Atomic(false)
    private let isOutOfUse = Atomic(false)
    /// The exchanges that are sent over the connection, and those among them whose readers are behind.
    private let exchangeCount = Atomic(0)
    private let pausedCount = Atomic(0)
    private let passedCount = Atomic(0)
    /// The time at which the last datagrams came.
    private let lastDatagram = Atomic(MonotonicClock.now)

    fileprivate init(_ socket: CInt, of home: CurlConnections) {
        (self.socket, usesQUIC) = (socket, CurlLibrary.hasHTTP3 && ccurl_socket_has_datagrams(socket) != 0)
        self.home = home
        file = ccurl_file_number(socket)
    }

    fileprivate func hasClosed() { home?.forget(self) }

    var isShared: Bool {
        get { carriesSeveral.load(ordering: .relaxed) }
        set { carriesSeveral.store(newValue, ordering: .relaxed) }
    }

    func begins() { exchangeCount.add(1, ordering: .relaxed) }

    /// Records that an exchange has ended; what waited for it in its window counts as passed on.
    func leaves(isPaused: Bool) {
        exchangeCount.subtract(1, ordering: .sequentiallyConsistent)
        if isPaused { pauses(false) }
        if isPaused || CurlLibrary.gathersStreams { passes(Self.window / CurlConnections.bytesForOne) }
        endIfUnused()
    }

    /// Lets no further exchange use the connection, which ends with the exchanges that it carries; returns false if it
    /// was out of use before.
    func retire() -> Bool {
        let wasOutOfUse = isOutOfUse.exchange(true, ordering: .sequentiallyConsistent)
        endIfUnused()
        return !wasOutOfUse
    }

    private func endIfUnused() {
        guard isOutOfUse.load(ordering: .sequentiallyConsistent) else { return }
        if exchangeCount.load(ordering: .sequentiallyConsistent) == 0 { shut() }
    }

    var isInUse: Bool { exchangeCount.load(ordering: .relaxed) > 0 }

    func pauses(_ isPaused: Bool) { pausedCount.add(isPaused ? 1 : -1, ordering: .relaxed) }

    /// Records bytes that a callback has received or given.
    func passes(_ count: Int) { passedCount.add(count, ordering: .relaxed) }

    fileprivate func hears() { lastDatagram.store(MonotonicClock.now, ordering: .relaxed) }

    /// The nanoseconds since the last datagrams of QUIC; nil for TCP, whose bytes the system counts.
    var quicSilence: UInt64? {
        let last = lastDatagram.load(ordering: .relaxed)
        return usesQUIC ? max(MonotonicClock.now, last) - last : nil
    }

    /// The streams of which libcurl may have bytes that it has not passed on.
    fileprivate var waitingStreams: Int {
        CurlLibrary.gathersStreams ? exchangeCount.load(ordering: .relaxed) : pausedCount.load(ordering: .relaxed)
    }

    fileprivate var counts: Counts? {
        let before = passedCount.load(ordering: .relaxed)
        guard let traffic else { return nil }
        return Counts(read: Int(traffic.read), passed: before...max(before, passedCount.load(ordering: .relaxed)))
    }

    /// The bytes that went over the connection; nil if libcurl has closed it.
    var traffic: ccurl_traffic? { CurlConnections.withSocket(of: self, ccurl_socket_traffic) }

    /// Whether the connection must not be used again: it is out of use, or has bytes that belong to no response
    /// (RFC 9112 §9.2), or its end; for the holder of the turn.
    ///
    /// Over an idle connection of HTTP/2, libcurl expects frames. With TLS, the bytes in the socket may be a message of
    /// TLS itself: then a new connection is made for nothing.
    func isSpoiled(_ ssl: UnsafeRawPointer?) -> Bool {
        if isOutOfUse.load(ordering: .relaxed) { return true }
        guard !isShared,
            ccurl_ssl_has_unread(ssl) != 0 || CurlLibrary.takesStrayBytes && ccurl_socket_has_unread(socket) != 0
        else { return false }
        end()
        return true
    }

    /// Ends the connection: what libcurl still has to send or to receive over it fails.
    func end() {
        isOutOfUse.store(true, ordering: .relaxed)
        shut()
    }

    private func shut() { _ = CurlConnections.withSocket(of: self, ccurl_socket_shut) }
}
#endif
