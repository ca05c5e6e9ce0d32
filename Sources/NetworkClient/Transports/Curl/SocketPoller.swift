#if os(Linux)
import CCurl
import Synchronization

/// Waits for events at the sockets of an engine's transfers: libcurl sets the events, and a thread waits for them.
///
/// All functions may be called on any thread at any time, even while another thread waits.
final class SocketPoller: Sendable {
    private let sockets: CInt
    /// An event descriptor that is signalled when the wait has to end.
    private let wakeEvent: CInt

    private let interests = Locked(SocketInterests())

    /// The number of times that libcurl was called for an event, or for several commands.
    private let calls = Atomic(0)

    /// The number of bytes that callbacks of transfers have received from libcurl or have given to it.
    private let passed = Atomic(0)

    /// The number of transfers.
    private let transfers = Atomic(0)

    /// The time, in nanoseconds, from which on the current call of libcurl is a long one.
    private let lateTime = Atomic(UInt64.max)

    /// The exchanges that have left a long call, and go on in the next one.
    private let leavers = Locked<[CurlExchange]>([])

    /// The exchanges whose heads were received in the current round, and whose bodies are streamed.
    private let streams = Locked<[CurlExchange]>([])

    /// The time in nanoseconds at which libcurl has to be called without an event; `.max` for never.
    private let timer = Atomic(UInt64.max)

    /// The time at which writing is tried again at the sockets where it is held.
    private let writing = Atomic(UInt64.max)

    /// Creates a poller; nil if the process has no descriptors left.
    init?() {
        sockets = ccurl_sockets_make()
        wakeEvent = ccurl_event_make()
        guard sockets >= 0, wakeEvent >= 0, ccurl_event_watch(sockets, wakeEvent) == 0 else {
            return nil
        }
    }

    deinit {
        if sockets >= 0 { close(sockets) }
        if wakeEvent >= 0 { close(wakeEvent) }
    }

    var dueTime: UInt64 { min(timer.load(ordering: .relaxed), writing.load(ordering: .relaxed)) }

    /// Ends the current wait, or the next one if no thread waits.
    func wake() {
        ccurl_event_signal(wakeEvent)
    }

    /// Waits for events, for ``wake()`` or for a time in nanoseconds, and replaces the contents of `events`.
    ///
    /// Returns false if it can't wait any more because the descriptors were closed.
    func wait(until time: UInt64, into events: inout [ccurl_event]) -> Bool {
        let now = MonotonicClock.now
        // Rounded up, so that the wait never ends just before the deadline.
        let milliseconds = time <= now ? 0 : min((time - now) / 1_000_000 + 1, Self.longestWait)
        var result: CInt = 0
        events = [ccurl_event](unsafeUninitializedCapacity: Self.maxEvents) { buffer, count in
            result = ccurl_sockets_wait(sockets, CInt(milliseconds), buffer.baseAddress, CInt(Self.maxEvents))
            count = max(0, Int(result))
        }
        guard result >= 0 else { return false }
        if let index = events.firstIndex(where: { $0.socket == wakeEvent }) { events.remove(at: index) }
        interests.withLock { interests in
            for event in events { interests.report(at: event.socket) }
        }
        return true
    }

    /// Records that libcurl is about to be called.
    func beginsCall() {
        calls.wrappingAdd(1, ordering: .relaxed)
        lateTime.store(MonotonicClock.coarseNow + Self.longCall, ordering: .relaxed)
    }

    /// Whether the current call of libcurl is a long one.
    var isLate: Bool { MonotonicClock.coarseNow > lateTime.load(ordering: .relaxed) }

    /// Lets a paused exchange go on after the events that have been reported by then.
    func leavesCall(_ exchange: CurlExchange) {
        leavers.withLock { $0.append(exchange) }
        writing.store(0, ordering: .relaxed)
    }

    func takeLeavers() -> [CurlExchange] { Self.takeAll(leavers) }

    /// Lets the body of an exchange begin as a stream at the end of the current round, unless it has ended by then.
    func beginsStream(of exchange: CurlExchange) { streams.withLock { $0.append(exchange) } }

    func takeStreams() -> [CurlExchange] { Self.takeAll(streams) }

    private static func takeAll(_ exchanges: Locked<[CurlExchange]>) -> [CurlExchange] {
        exchanges.withLock { exchanges in
            guard !exchanges.isEmpty else { return [] }
            defer { exchanges = [] }
            return exchanges
        }
    }

    var callCount: Int { calls.load(ordering: .relaxed) }

    /// Records bytes that a callback has received or given.
    func passes(_ count: Int) { passed.wrappingAdd(count, ordering: .relaxed) }

    var passedCount: Int { passed.load(ordering: .relaxed) }

    var transferCount: Int {
        get { transfers.load(ordering: .relaxed) }
        set { transfers.store(newValue, ordering: .relaxed) }
    }

    /// Forgets all sockets, after libcurl has closed them.
    func forgetAll() { interests.withLock { $0 = SocketInterests() } }

    /// Whether libcurl waits at a socket.
    func isInUse(_ socket: CInt) -> Bool { interests.withLock { $0.isInUse(socket) } }

    /// What has happened up to a moment during a call of libcurl.
    struct Moment: Sendable {
        fileprivate let callCount: Int
        fileprivate let passedCount: Int
        /// The bytes that libcurl had read from each socket.
        fileprivate var readCounts: [CInt: Int64] = [:]
    }

    /// Returns this moment, without the counts of the sockets.
    var moment: Moment { Moment(callCount: callCount, passedCount: passedCount) }

    /// Whether libcurl is in the same call as at a moment.
    func isInSameCall(as moment: Moment) -> Bool { callCount == moment.callCount }

    /// Adds the counts of the sockets to a moment.
    func countReading(_ moment: inout Moment) {
        // The other counts come first, so that no byte is counted as read before that is passed on afterwards.
        moment.readCounts = Self.owners.withLock { owners in
            let sockets = owners.keys.filter { isOwn($0, owners) }
            return Dictionary(uniqueKeysWithValues: sockets.map { ($0, ccurl_socket_traffic($0).most_read) })
        }
    }

    /// Ends the connections from which libcurl has read much more in one call than it has passed on.
    ///
    /// - Parameters:
    ///   - moment: An earlier moment of the call, with the counts of the sockets.
    ///   - count: The number of bytes that libcurl may read without passing any on.
    ///   - factor: The number of bytes that libcurl may read for each that it passes on.
    func endFloods(since moment: Moment, from count: Int64, times factor: Int64) {
        // libcurl needs this lock to close a socket, so these are numbers of its sockets while the lock is held.
        Self.owners.withLock { owners in
            let growths = moment.readCounts.filter { isOwn($0.key, owners) }.map { socket, earlier in
                (socket, ccurl_socket_traffic(socket).least_read - earlier)
            }
            // Checked after the sockets were measured: so libcurl was in the same call while it read the bytes.
            let now = self.moment
            guard isInSameCall(as: moment) else { return }
            let limit = max(count, Int64(now.passedCount - moment.passedCount) * factor)
            for (socket, growth) in growths where growth >= limit { ccurl_socket_shut(socket) }
        }
    }

    /// The poller of a socket, and the number by which the system knows the socket.
    private struct Owner: Sendable {
        let poller: CInt
        let file: UInt64
    }

    /// The owner of each socket that libcurl has opened.
    private static let owners = Locked<[CInt: Owner]>([:])

    /// Records that libcurl has opened a socket, for a connection that it may keep.
    func opens(_ socket: CInt) {
        Self.owners.withLock { $0[socket] = Owner(poller: sockets, file: ccurl_file_number(socket)) }
    }

    /// Whether a socket is one that libcurl has opened for this poller.
    ///
    /// From 7.88 to 8.1, libcurl itself closes a socket that it gives up while it connects; its descriptor may belong
    /// to another file since.
    private func isOwn(_ socket: CInt, _ owners: [CInt: Owner]) -> Bool {
        guard let owner = owners[socket], owner.poller == sockets else { return false }
        return owner.file == ccurl_file_number(socket)
    }

    /// The bytes that went over a socket; nil if libcurl has closed the socket.
    func traffic(of socket: CInt) -> ccurl_traffic? {
        Self.owners.withLock { isOwn(socket, $0) ? ccurl_socket_traffic(socket) : nil }
    }

    /// The function with which libcurl closes a socket.
    static let closes: @convention(c) (UnsafeMutableRawPointer?, CInt) -> CInt = { _, socket in
        owners.withLock { owners in
            owners[socket] = nil
            return close(socket)
        }
    }

    /// Sets the events that libcurl waits for at a socket; returns false if the system refuses, so that events would be
    /// missed.
    func setWanted(_ wanted: CInt, at socket: CInt) -> Bool {
        change(socket, interests.withLock { $0.want(wanted, at: socket) })
    }

    /// Watches a socket for all further events if libcurl still waits after an event.
    ///
    /// Up to 8.1, libcurl waits until it can write to a connection of HTTP/2 although the server's window is shut. So
    /// if it has written nothing after several events, it gets the next one later, or after it has read.
    func resume(after event: ccurl_event, hasProgress: Bool) {
        let isIdle = !hasProgress && event.events == CInt(CURL_CSELECT_OUT)
        let written = isIdle ? ccurl_socket_traffic(event.socket).written : 0
        let (next, isHeld) = interests.withLock { interests in
            let next =
                interests.wrote(written > 0 ? written : nil, at: event.socket)
                ?? interests.resume(at: event.socket)
            return (next, isIdle && interests.isWriteHeld(at: event.socket))
        }
        _ = change(event.socket, next)
        guard isHeld else { return }
        let time = MonotonicClock.now + Self.writePause
        writing.min(time, ordering: .relaxed)
    }

    /// Watches the sockets again at which writing is held, if it is time; returns whether it is.
    func resumeWrites(dueBy now: UInt64) -> Bool {
        guard Self.take(writing, dueBy: now) else { return false }
        for (socket, next) in interests.withLock({ $0.resumeWrites() }) { _ = change(socket, next) }
        return true
    }

    /// Sets whether bytes that arrive at a socket are received or stay in the system's buffer, even if libcurl waits
    /// for them.
    func setReceiving(_ isReceiving: Bool, at socket: CInt) {
        _ = change(socket, interests.withLock { $0.setReceiving(isReceiving, at: socket) })
    }

    private func change(_ socket: CInt, _ change: SocketInterests.Change?) -> Bool {
        guard let change else { return true }
        let isDone = ccurl_sockets_watch(sockets, socket, change.wanted, change.isOnce ? 1 : 0) == 0
        // A socket that libcurl has already closed is no longer in the set.
        return isDone || change.wanted == CInt(CURL_POLL_REMOVE)
    }

    /// Sets the time at which libcurl has to be called; a negative number means never.
    func setTimer(milliseconds: Int) {
        let delay = UInt64(min(max(0, milliseconds), Int(Self.longestWait))) * 1_000_000
        timer.store(milliseconds < 0 ? .max : MonotonicClock.now + delay, ordering: .relaxed)
    }

    /// Returns whether libcurl has to be called by now, and resets the timer then.
    func takeTimer(dueBy now: UInt64) -> Bool { Self.take(timer, dueBy: now) }

    private static func take(_ time: borrowing Atomic<UInt64>, dueBy now: UInt64) -> Bool {
        guard time.load(ordering: .relaxed) <= now else { return false }
        time.store(.max, ordering: .relaxed)
        return true
    }

    private static let maxEvents = 256
    private static let longCall = MonotonicClock.nanoseconds(0.02)
    private static let writePause = MonotonicClock.nanoseconds(0.1)
    /// A day in milliseconds.
    private static let longestWait: UInt64 = 86_400_000
}
#endif
