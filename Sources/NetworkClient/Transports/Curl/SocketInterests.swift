#if os(Linux)
import CCurl

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

        var isWriteHeld: Bool { idleWrites > maxIdleWrites }
    }

    private static let nothing = CInt(CURL_POLL_REMOVE)
    private static let maxIdleWrites = 4

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

    /// Whether events of writing are held back from libcurl.
    func isWriteHeld(at socket: CInt) -> Bool {
        interests.indices.contains(Int(socket)) && interests[Int(socket)].isWriteHeld
    }

    /// Reports writing again where it is held, until nothing is written once more.
    mutating func resumeWrites() -> [(CInt, Change?)] {
        interests.indices.filter { interests[$0].isWriteHeld }.map { socket in
            interests[socket].idleWrites = Self.maxIdleWrites
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
