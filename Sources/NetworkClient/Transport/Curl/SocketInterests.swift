#if os(Linux)
import CCurl

/// What libcurl waits for at each socket, and what of that the system has to be told.
///
/// Most wait for one event only, that of the answer. So the system is asked for one, after which it reports nothing of
/// the socket until it is asked again: no call is needed to end that. Only where libcurl waits on after the first event
/// is the system asked for all that follow.
struct SocketInterests: Sendable {
    /// What the system is to be told.
    struct Change: Equatable, Sendable {
        let wanted: CInt
        let isOnce: Bool
    }

    private struct Interest: Sendable {
        var wanted = nothing
        var isOnce = false
        /// Whether the one event has come.
        var isOver = false
    }

    private static let nothing = CInt(CCURL_WANTS_NOTHING)

    /// By the sockets' numbers, which are small.
    private var interests: [Interest] = []

    /// libcurl waits for something else than before; nil if the system need not know.
    mutating func want(_ wanted: CInt, at socket: CInt) -> Change? {
        guard let socket = Int(exactly: socket), socket >= 0 else { return nil }
        while interests.count <= socket { interests.append(Interest()) }
        let old = interests[socket]
        interests[socket] = Interest(wanted: wanted, isOnce: true)
        guard wanted == Self.nothing else { return Change(wanted: wanted, isOnce: true) }
        return old.isOver || old.wanted == wanted ? nil : Change(wanted: wanted, isOnce: false)
    }

    /// The system has reported an event.
    mutating func report(at socket: CInt) {
        guard interests.indices.contains(Int(socket)) else { return }
        interests[Int(socket)].isOver = interests[Int(socket)].isOnce
    }

    /// libcurl has done what it does after an event, and may wait on.
    mutating func resume(at socket: CInt) -> Change? {
        guard interests.indices.contains(Int(socket)) else { return nil }
        let interest = interests[Int(socket)]
        guard interest.isOver, interest.wanted != Self.nothing else { return nil }
        interests[Int(socket)] = Interest(wanted: interest.wanted)
        return Change(wanted: interest.wanted, isOnce: false)
    }
}
#endif
