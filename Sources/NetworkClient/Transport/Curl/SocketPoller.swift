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

    /// The times at which there is something to do without an event, in nanoseconds; `.max` for never.
    private let times = Locked(Times())

    private struct Times {
        /// When libcurl has to be called.
        var timer = UInt64.max
        /// When writing is tried again at the sockets where it is held.
        var writing = UInt64.max
    }

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

    var dueTime: UInt64 { times.withLock { min($0.timer, $0.writing) } }

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
        events = [ccurl_event](unsafeUninitializedCapacity: Self.mostEvents) { buffer, count in
            result = ccurl_sockets_wait(sockets, CInt(milliseconds), buffer.baseAddress, CInt(Self.mostEvents))
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
    func beginsCall() { calls.wrappingAdd(1, ordering: .relaxed) }

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
        /// The bytes that libcurl had read from each socket that it waits for.
        fileprivate var readCounts: [CInt: Int64] = [:]
    }

    /// Returns this moment, without the counts of the sockets.
    var moment: Moment { Moment(callCount: callCount, passedCount: passedCount) }

    /// Whether libcurl is in the same call as at a moment.
    func isInSameCall(as moment: Moment) -> Bool { callCount == moment.callCount }

    /// Adds the counts of the sockets to a moment.
    func countReading(_ moment: inout Moment) {
        // The other counts come first, so that no byte is counted as read before that is passed on afterwards.
        moment.readCounts = interests.withLock { interests in
            Dictionary(uniqueKeysWithValues: interests.inUse.map { ($0, ccurl_socket_traffic($0).most_read) })
        }
    }

    /// Ends the connections from which libcurl has read much more in one call than it has passed on.
    ///
    /// libcurl forgets a socket before it closes it, and has to wait for the lock then: so these sockets are its own.
    /// Only 7.88 to 8.1 first close one that they give up while they connect.
    ///
    /// - Parameters:
    ///   - moment: An earlier moment of the call, with the counts of the sockets.
    ///   - count: The number of bytes that libcurl may read without passing any on.
    ///   - factor: The number of bytes that libcurl may read for each that it passes on.
    func endFloods(since moment: Moment, from count: Int64, times factor: Int64) {
        interests.withLock { interests in
            let growths = interests.inUse.compactMap { socket in
                moment.readCounts[socket].map { (socket, ccurl_socket_traffic(socket).least_read - $0) }
            }
            // Afterwards, so that libcurl was in the call while the bytes were read.
            let now = self.moment
            guard isInSameCall(as: moment) else { return }
            let limit = max(count, Int64(now.passedCount - moment.passedCount) * factor)
            for (socket, growth) in growths where growth >= limit { ccurl_socket_shut(socket) }
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
    /// if it has written nothing after several events, it is told about the next one later, or after it has read.
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
        times.withLock { $0.writing = min($0.writing, time) }
    }

    /// Watches the sockets again at which writing is held, if it is time.
    func resumeWrites(dueBy now: UInt64) {
        guard take(\.writing, dueBy: now) else { return }
        for (socket, next) in interests.withLock({ $0.resumeWrites() }) { _ = change(socket, next) }
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
        times.withLock { $0.timer = milliseconds < 0 ? .max : MonotonicClock.now + delay }
    }

    /// Returns whether libcurl has to be called by now, and resets the timer then.
    func takeTimer(dueBy now: UInt64) -> Bool { take(\.timer, dueBy: now) }

    private func take(_ time: WritableKeyPath<Times, UInt64>, dueBy now: UInt64) -> Bool {
        times.withLock { times in
            guard times[keyPath: time] <= now else { return false }
            times[keyPath: time] = .max
            return true
        }
    }

    private static let mostEvents = 256
    private static let writePause = MonotonicClock.nanoseconds(0.1)
    /// A day in milliseconds.
    private static let longestWait: UInt64 = 86_400_000
}

/// The events that libcurl waits for at each socket, and the changes to be reported to the system.
///
/// Most transfers wait for one event, the response. So a socket is watched for one event, after which no system call is
/// needed to forget it. Only if libcurl still waits after the first event is the socket watched for all further events.
struct SocketInterests: Sendable {
    /// A change to be reported to the system.
    struct Change: Equatable, Sendable {
        let wanted: CInt
        let isOnce: Bool
    }

    private struct Interest: Sendable {
        /// The events that libcurl waits for.
        var wanted = nothing
        var isOnce = false
        /// Whether the event of a one-time watch was reported; the system then does not watch the socket any more.
        var isOver = false
        /// Whether arriving bytes have to stay in the system's buffer.
        var isHeld = false
        /// The number of times in a row that libcurl has written nothing, although it could.
        var idleWrites = 0
        /// The number of bytes that were written at the first of these times.
        var written: Int64 = 0

        /// The events that the system should report.
        var watched: CInt {
            var events = isHeld ? wanted & ~CInt(CURL_POLL_IN) : wanted
            if isWriteHeld { events &= ~CInt(CURL_POLL_OUT) }
            return events == 0 ? nothing : events
        }

        var isWriteHeld: Bool { idleWrites > mostIdleWrites }
    }

    private static let nothing = CInt(CURL_POLL_REMOVE)
    private static let mostIdleWrites = 4

    /// The interests by socket number; these numbers are small.
    private var interests: [Interest] = []

    /// Records that libcurl waits for other events than before; returns nil if nothing has to be reported to the
    /// system.
    mutating func want(_ wanted: CInt, at socket: CInt) -> Change? {
        guard let socket = Int(exactly: socket), socket >= 0 else { return nil }
        while interests.count <= socket { interests.append(Interest()) }
        let isHeld = interests[socket].isHeld && wanted != Self.nothing
        return replace(socket, Interest(wanted: wanted, isOnce: true, isHeld: isHeld))
    }

    func isInUse(_ socket: CInt) -> Bool {
        interests.indices.contains(Int(socket)) && interests[Int(socket)].wanted != Self.nothing
    }

    /// The sockets at which libcurl waits.
    var inUse: [CInt] { interests.indices.filter { interests[$0].wanted != Self.nothing }.map(CInt.init) }

    /// Records that the system has reported an event.
    mutating func report(at socket: CInt) {
        guard interests.indices.contains(Int(socket)) else { return }
        interests[Int(socket)].isOver = interests[Int(socket)].isOnce
    }

    /// Records that libcurl has handled an event; it may still wait.
    mutating func resume(at socket: CInt) -> Change? {
        guard interests.indices.contains(Int(socket)) else { return nil }
        var interest = interests[Int(socket)]
        guard interest.isOver, interest.watched != Self.nothing else { return nil }
        interest.isOnce = false
        interest.isOver = false
        return replace(Int(socket), interest)
    }

    /// Records how many bytes have been written to a socket at which libcurl could write and passed nothing on; nil
    /// after any other event.
    mutating func wrote(_ written: Int64?, at socket: CInt) -> Change? {
        guard interests.indices.contains(Int(socket)) else { return nil }
        let old = interests[Int(socket)]
        guard written != nil || old.idleWrites > 0 else { return nil }
        var interest = old
        let isIdle = written != nil && (old.idleWrites == 0 || old.written == written)
        (interest.idleWrites, interest.written) = (isIdle ? old.idleWrites + 1 : 0, written ?? 0)
        guard interest.isWriteHeld != old.isWriteHeld else {
            interests[Int(socket)] = interest
            return nil
        }
        (interest.isOnce, interest.isOver) = (false, false)
        return replace(Int(socket), interest)
    }

    /// Whether libcurl is not told that it can write.
    func isWriteHeld(at socket: CInt) -> Bool {
        interests.indices.contains(Int(socket)) && interests[Int(socket)].isWriteHeld
    }

    /// Reports writing again where it is held, until nothing is written once more.
    mutating func resumeWrites() -> [(CInt, Change?)] {
        interests.indices.filter { interests[$0].isWriteHeld }.map { socket in
            interests[socket].idleWrites = Self.mostIdleWrites
            return (CInt(socket), replace(socket, interests[socket]))
        }
    }

    /// Records whether arriving bytes are reported or stay in the system's buffer.
    mutating func setReceiving(_ isReceiving: Bool, at socket: CInt) -> Change? {
        guard interests.indices.contains(Int(socket)) else { return nil }
        var interest = interests[Int(socket)]
        guard interest.isHeld == isReceiving, interest.wanted != Self.nothing else { return nil }
        interest.isHeld = !isReceiving
        // The socket is watched again, so an event that was reported before and is still unhandled must not end the new
        // watch.
        if isReceiving { interest.isOver = false }
        return replace(Int(socket), interest)
    }

    /// Returns the change to be reported to the system.
    ///
    /// After the event of a one-time watch, the system watches nothing, so nothing has to be reported to stop it.
    private mutating func replace(_ socket: Int, _ interest: Interest) -> Change? {
        let old = interests[socket]
        interests[socket] = interest
        guard interest.watched == Self.nothing else { return Change(wanted: interest.watched, isOnce: interest.isOnce) }
        return old.isOver || old.watched == Self.nothing ? nil : Change(wanted: Self.nothing, isOnce: false)
    }
}
#endif
