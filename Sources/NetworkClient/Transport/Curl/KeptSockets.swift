#if os(Linux)
import CCurl

/// The sockets of connections that libcurl keeps open, by which it is seen whether something has come over one.
///
/// Bytes that come before anybody has asked belong to nobody (RFC 9112 §9.2); libcurl before 8 takes them for the
/// answer to whoever asks next.
final class KeptSockets: Sendable {
    private let sockets = Locked<[ccurl_connection: CInt]>([:])
    /// Not over a proxy that is reached by TLS: that sends messages of its own, which are not the server's.
    private let isUsed: Bool

    init(_ configuration: CurlTransport.Configuration) {
        isUsed = !configuration.proxy.mayBeSecure
    }

    /// Remembers the socket of a transfer that is over, if its connection was new.
    ///
    /// As long as a connection is used again, its socket is the same; what became of one that is not does not matter.
    func keep(_ handle: CurlHandle) {
        guard isUsed, handle.number(CCURL_INFO_NEW_CONNECTIONS) > 0 else { return }
        var connection: ccurl_connection = 0
        let socket = ccurl_easy_socket(handle.easy, &connection)
        guard socket >= 0 else { return }
        sockets.withLock { sockets in
            if sockets.count >= Self.most { sockets.removeAll(keepingCapacity: true) }
            sockets[connection] = socket
        }
    }

    /// Whether something came over a connection that is to be used again, which is ended then.
    func isSpoiled(_ connection: ccurl_connection, _ handle: CurlHandle) -> Bool {
        guard handle.number(CCURL_INFO_NEW_CONNECTIONS) == 0, let socket = sockets.withLock({ $0[connection] }) else {
            return false
        }
        return ccurl_socket_empty(socket) != 0
    }

    private static let most = 4_096
}
#endif
