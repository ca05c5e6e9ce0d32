#if os(Linux)
import CCurl

/// The origins whose names are looked up by an engine, each with the exchange that does so; its callbacks and the
/// engine share them.
///
/// A look-up has a thread that nothing can stop, so that an engine makes only one at a time for each origin.
final class LookUps: Sendable {
    private let current = Locked<[Origin: (exchange: ObjectIdentifier, begin: UInt64)]>([:])

    /// Records that an exchange is about to look up its name; if another one does so, returns the time, in nanoseconds,
    /// at which that look-up began.
    func join(_ exchange: CurlExchange) -> UInt64? {
        let id = ObjectIdentifier(exchange)
        return current.withLock { current in
            let lookUp = current[exchange.origin] ?? (id, MonotonicClock.now)
            current[exchange.origin] = lookUp
            return lookUp.exchange == id ? nil : lookUp.begin
        }
    }

    /// Records that an exchange has looked up its name, or does so no more.
    func end(_ exchange: CurlExchange) {
        let id = ObjectIdentifier(exchange)
        current.withLock { current in
            guard !current.isEmpty, current[exchange.origin]?.exchange == id else { return }
            current[exchange.origin] = nil
        }
    }

    func contains(_ origin: Origin) -> Bool { current.withLock { $0[origin] != nil } }
}

/// The look-up of a name for one exchange.
struct LookUp: Sendable {
    private enum Sharing {
        case none, waits, isOver
    }

    /// Whether libcurl looks up a name for a connection.
    ///
    /// Not for one that it has a socket for: a SOCKS proxy may need the address of the server.
    private(set) var isActive = false
    private var hasSocket = false
    private var sharing = Sharing.none

    /// Whether the exchange waits for the look-up of another one, outside libcurl.
    var isAwaited: Bool { sharing == .waits }

    mutating func begin() { isActive = !hasSocket }

    /// Lets the exchange wait for the look-up of another one, in place of its own; returns false if it has done so
    /// before.
    ///
    /// Then the name server responds, but libcurl has not kept the address: from 8.20 on, it does so when it has the
    /// addresses of both kinds, and connects before.
    mutating func share() -> Bool {
        guard sharing != .isOver else { return false }
        (sharing, isActive) = (.waits, false)
        return true
    }

    /// Records that the look-up of the other exchange has found an address.
    mutating func hasShared() { sharing = .isOver }

    /// Records that libcurl is about to open a socket.
    mutating func opensSocket() {
        (isActive, hasSocket) = (false, true)
        if sharing == .waits { sharing = .isOver }
    }

    /// Records that there is a connection.
    mutating func end() { (isActive, hasSocket) = (false, false) }

    /// The results of a transfer whose name could not be looked up.
    static let failures = [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY]
}
#endif
