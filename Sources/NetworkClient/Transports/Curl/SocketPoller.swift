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

    /// The work that calls of libcurl leave behind.
    let round = EngineRound()

    /// The time in nanoseconds at which libcurl has to be called without an event; `.max` for never.
    private let timer = Atomic(UInt64.max)

    /// The time at which the events that are held back are reported again.
    private let idleEnd = Atomic(UInt64.max)

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

    var dueTime: UInt64 { min(timer.load(ordering: .relaxed), idleEnd.load(ordering: .relaxed)) }

    /// Ends the current wait, or the next one if no thread waits.
    func wake() {
        ccurl_event_signal(wakeEvent)
    }

    /// Waits for events, for ``wake()`` or for a time in nanoseconds, and adds the events.
    ///
    /// Returns false if it can't wait any more because the descriptors were closed.
    func wait(until time: UInt64, into events: inout SocketEvents) -> Bool {
        let now = MonotonicClock.now
        // Rounded up, so that the wait never ends just before the deadline.
        let milliseconds = time <= now ? 0 : min((time - now) / 1_000_000 + 1, Self.longestWait)
        var result: CInt = 0
        var found = [ccurl_event](unsafeUninitializedCapacity: Self.maxEvents) { buffer, count in
            result = ccurl_sockets_wait(sockets, CInt(milliseconds), buffer.baseAddress, CInt(Self.maxEvents))
            count = max(0, Int(result))
        }
        guard result >= 0 else { return false }
        if let index = found.firstIndex(where: { $0.socket == wakeEvent }) { found.remove(at: index) }
        interests.withLock { interests in
            for event in found { interests.report(at: event.socket) }
        }
        events.add(found)
        return true
    }

    /// Lets an exchange that has paused in a long call go on after the events that have been reported by then.
    func resumeLater(_ exchange: CurlExchange) {
        round.add(leaver: exchange)
        // The next wait ends at once.
        idleEnd.store(0, ordering: .relaxed)
    }

    /// Forgets all sockets, after libcurl has closed them.
    func forgetAll() { interests.withLock { $0 = SocketInterests() } }

    /// Whether libcurl waits at a socket.
    func isInUse(_ socket: CInt) -> Bool { interests.withLock { $0.isInUse(socket) } }

    /// Sets the events that libcurl waits for at a socket; returns false if the system refuses, so that events would be
    /// missed.
    func setWanted(_ wanted: CInt, at socket: CInt) -> Bool {
        change(socket, interests.withLock { $0.want(wanted, at: socket) })
    }

    /// Watches a socket for all further events if libcurl still waits after an event.
    ///
    /// Some versions wait for what does not help them: up to 8.1, until they can write to a connection of HTTP/2 whose
    /// window is shut, and from 8.16 to 8.20, for bytes of streams that are all paused. So if libcurl has done nothing
    /// after several events, it gets the next one later.
    func resume(after event: ccurl_event, hasProgress: Bool) {
        let isIdle = !hasProgress && event.events & (event.events - 1) == 0
        let (next, isHeld) = interests.withLock { interests in
            let next = interests.handled(event.events, isIdle: isIdle, at: event.socket) {
                let traffic = ccurl_socket_traffic(event.socket)
                return traffic.read + traffic.written
            }
            return (next ?? interests.resume(at: event.socket), isIdle && interests.isIdle(at: event.socket))
        }
        _ = change(event.socket, next)
        guard isHeld else { return }
        // Not `Atomic.min`, which compares unsigned numbers as signed ones up to Swift 6.3 (swiftlang/swift#91176). No
        // other thread changes the time while this one has the turn.
        let end = MonotonicClock.now + Self.idlePause
        if end < idleEnd.load(ordering: .relaxed) { idleEnd.store(end, ordering: .relaxed) }
    }

    /// Watches the sockets again at which events are held back, if it is time; returns whether it is.
    func resumeIdle(dueBy now: UInt64) -> Bool {
        guard Self.take(idleEnd, dueBy: now) else { return false }
        for (socket, next) in interests.withLock({ $0.resumeIdle() }) { _ = change(socket, next) }
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
    private static let idlePause = MonotonicClock.nanoseconds(0.1)
    /// A day in milliseconds.
    private static let longestWait: UInt64 = 86_400_000
}
#endif
