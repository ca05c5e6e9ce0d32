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
        /// The event that libcurl has handled several times in a row without passing bytes on, and how often.
        var idleEvent: CInt = 0
        var idleCount = 0
        /// The number of bytes that had been read and written at the last of these times; -1 if they were not counted.
        var movedCount: Int64 = -1

        /// The events that the system should report.
        var watched: CInt {
            var events = isHeld ? wanted & ~CInt(CURL_POLL_IN) : wanted
            if isIdle { events &= ~idleEvent }
            return events == 0 ? nothing : events
        }

        var isIdle: Bool { idleCount > maxIdleCount }
    }

    private static let nothing = CInt(CURL_POLL_REMOVE)
    private static let maxIdleCount = 4

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

    /// Records an event that libcurl has handled, perhaps without passing any bytes on.
    ///
    /// If it does so again and again, and has neither read nor written a byte either, the event is not reported any
    /// more. `moved` returns the number of bytes that were read and written.
    mutating func handled(_ event: CInt, isIdle: Bool, at socket: CInt, moved: () -> Int64) -> Change? {
        guard interests.indices.contains(Int(socket)) else { return nil }
        let old = interests[Int(socket)]
        guard isIdle || old.idleCount > 0 else { return nil }
        var interest = old
        if !isIdle || event != old.idleEvent {
            (interest.idleEvent, interest.idleCount, interest.movedCount) = (event, isIdle ? 1 : 0, -1)
        } else if old.idleCount < Self.maxIdleCount {
            interest.idleCount += 1
        } else {
            // No bytes are counted at other descriptors than those of TCP, such as that of a look-up.
            interest.movedCount = moved()
            let isIdle = interest.movedCount > 0 && interest.movedCount == old.movedCount
            interest.idleCount = Self.maxIdleCount + (isIdle ? 1 : 0)
        }
        guard interest.isIdle != old.isIdle else {
            interests[Int(socket)] = interest
            return nil
        }
        (interest.isOnce, interest.isOver) = (false, false)
        return replace(Int(socket), interest)
    }

    /// Whether an event is held back from libcurl.
    func isIdle(at socket: CInt) -> Bool {
        interests.indices.contains(Int(socket)) && interests[Int(socket)].isIdle
    }

    /// Reports again, once, the events that are held back.
    mutating func resumeIdle() -> [(CInt, Change?)] {
        interests.indices.filter { interests[$0].isIdle }.map { socket in
            interests[socket].idleCount = Self.maxIdleCount
            return (CInt(socket), replace(socket, interests[socket]))
        }
    }

    /// Records whether arriving bytes are reported or stay in the system's buffer.
    mutating func setReceiving(_ isReceiving: Bool, at socket: CInt) -> Change? {
        guard interests.indices.contains(Int(socket)) else { return nil }
        var interest = interests[Int(socket)]
        let isIdle = isReceiving && interest.isIdle
        guard interest.isHeld == isReceiving || isIdle, interest.wanted != Self.nothing else { return nil }
        interest.isHeld = !isReceiving
        if isIdle { interest.idleCount = 0 }
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

/// The events that libcurl has to handle, in rounds: a socket whose last event moved many bytes has to wait until the
/// events of others were handled.
///
/// Otherwise, beside parallel downloads, a handshake would take as many rounds of all of them as it has steps.
struct SocketEvents: Sendable {
    private var light: [ccurl_event] = []
    private var heavy: [ccurl_event] = []
    /// The sockets whose last events moved many bytes.
    private var heavySockets: Set<CInt> = []

    var isEmpty: Bool { light.isEmpty && heavy.isEmpty }

    /// Adds events, except to a heavy socket that has one already.
    mutating func add(_ events: [ccurl_event]) {
        guard !heavySockets.isEmpty else { return light = events }
        for event in events {
            if !heavySockets.contains(event.socket) {
                light.append(event)
            } else if !heavy.contains(where: { $0.socket == event.socket }) {
                heavy.append(event)
            }
        }
    }

    /// Removes and returns the events of the next round: all but those of heavy sockets, and one of these.
    mutating func takeRound() -> [ccurl_event] {
        defer { light = [] }
        return heavy.isEmpty ? light : light + [heavy.removeFirst()]
    }

    /// Records how many bytes the last event of a socket has moved.
    mutating func moved(_ count: Int, at socket: CInt) {
        if count >= Self.many {
            heavySockets.insert(socket)
        } else if !heavySockets.isEmpty {
            heavySockets.remove(socket)
        }
    }

    private static let many = 1 << 18
}
#endif
