#if os(Linux)
import CCurl
import Foundation

/// Waits at the sockets of an engine's transfers: where libcurl says what it waits for, and a thread learns of it.
///
/// Everything may be called on any thread at any time, also while another one waits.
final class SocketPoller: Sendable {
    private let sockets: CInt
    private let bell: CInt

    private let interests = Locked(SocketInterests())

    /// When libcurl wants to be called without an event, in nanoseconds; `.max` for never.
    private let timer = Locked(UInt64.max)

    /// Nil if the process has no descriptors left.
    init?() {
        sockets = ccurl_sockets_make()
        bell = ccurl_bell_make()
        guard sockets >= 0, bell >= 0, ccurl_sockets_want(sockets, bell, CInt(CCURL_WANTS_READING), 0) == 0 else {
            return nil
        }
    }

    deinit {
        if sockets >= 0 { close(sockets) }
        if bell >= 0 { close(bell) }
    }

    var dueTime: UInt64 { timer.withLock { $0 } }

    /// Ends the wait that is under way, or else the next.
    func wake() {
        ccurl_bell_ring(bell)
    }

    /// Waits for events, for ``wake()`` or for a time in nanoseconds, and puts the events in place of the old ones.
    ///
    /// - Returns: False if it is not possible to wait any more, because somebody has closed the descriptors.
    func wait(until time: UInt64, into events: inout [ccurl_event]) -> Bool {
        let now = CurlClock.now
        // Rounded up, so that nobody is asked a moment before it is late.
        let milliseconds = time <= now ? 0 : min((time - now) / 1_000_000 + 1, Self.longestWait)
        var result: CInt = 0
        events = [ccurl_event](unsafeUninitializedCapacity: Self.mostEvents) { buffer, count in
            result = ccurl_sockets_wait(sockets, CInt(milliseconds), buffer.baseAddress, CInt(Self.mostEvents))
            count = max(0, Int(result))
        }
        guard result >= 0 else { return false }
        if let index = events.firstIndex(where: { $0.socket == bell }) {
            ccurl_bell_silence(bell)
            events.remove(at: index)
        }
        interests.withLock { interests in
            for event in events { interests.report(at: event.socket) }
        }
        return true
    }

    /// What libcurl waits for at a socket from now on; false if the system refuses, so that nobody would notice.
    func setWanted(_ wanted: CInt, at socket: CInt) -> Bool {
        change(socket, interests.withLock { $0.want(wanted, at: socket) })
    }

    /// Has all that follows an event reported, if libcurl still waits for more.
    func resume(at socket: CInt) {
        _ = change(socket, interests.withLock { $0.resume(at: socket) })
    }

    private func change(_ socket: CInt, _ change: SocketInterests.Change?) -> Bool {
        guard let change else { return true }
        let isDone = ccurl_sockets_want(sockets, socket, change.wanted, change.isOnce ? 1 : 0) == 0
        // A socket that libcurl has closed is not known any more, and need not be.
        return isDone || change.wanted == CInt(CCURL_WANTS_NOTHING)
    }

    /// When libcurl wants to be called; negative for never.
    func setTimer(milliseconds: Int) {
        let delay = UInt64(min(max(0, milliseconds), Int(Self.longestWait))) * 1_000_000
        timer.withLock { $0 = milliseconds < 0 ? .max : CurlClock.now + delay }
    }

    /// Whether libcurl wants to be called by now; if so, it is taken to be.
    func takeTimer(dueBy now: UInt64) -> Bool {
        timer.withLock { timer in
            guard timer <= now else { return false }
            timer = .max
            return true
        }
    }

    private static let mostEvents = 256
    /// A day in milliseconds: less than what fits, and more than anybody waits.
    private static let longestWait: UInt64 = 86_400_000
}
#endif
