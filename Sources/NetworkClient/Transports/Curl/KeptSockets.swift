#if os(Linux)
import CCurl

/// The sockets of the connections that libcurl keeps open, to detect bytes that arrive between two requests.
///
/// Such bytes belong to no response (RFC 9112 §9.2), but libcurl 7.80 to 7.88 takes them for the response to the next
/// request; so do 8.22 and later, if the last request was less than a second ago.
final class KeptSockets: Sendable {
    private let sockets = Locked<[ccurl_connection: CInt]>([:])
    /// Whether sockets are checked.
    ///
    /// False for a libcurl that does so itself, and with a TLS proxy, whose own messages would look like such bytes.
    private let isUsed: Bool

    init(_ configuration: CurlTransport.Configuration) {
        isUsed = CurlLibrary.takesStrayBytes && !configuration.proxy.mayBeSecure
    }

    /// Stores the socket of a finished transfer if its connection was new.
    ///
    /// A connection keeps its socket as long as it is reused. The entry of a closed connection may still be found:
    /// libcurl may reuse a new connection with the same ports before the transfer that opened it is recorded here.
    func keep(_ handle: CurlHandle) {
        guard isUsed, handle.number(CURLINFO_NUM_CONNECTS) > 0 else { return }
        var connection: ccurl_connection = 0
        // Over an idle connection of HTTP/2, libcurl expects frames, so its bytes are not checked. With TLS, the bytes
        // of HTTP/1.1 may be a message of TLS itself; libcurl gives up a connection with unread bytes when it checks
        // one, so the connection may be closed here too. The version is 0 if no response was received.
        let isHTTP1 = (1...Int(CURL_HTTP_VERSION_1_1)).contains(handle.number(CURLINFO_HTTP_VERSION))
        let withTLS = CurlLibrary.looksRarely && isHTTP1
        let socket = ccurl_easy_socket(handle.easy, &connection, withTLS ? 1 : 0)
        guard socket >= 0 else { return }
        sockets.withLock { sockets in
            if sockets.count >= Self.most { sockets.removeAll(keepingCapacity: true) }
            sockets[connection] = socket
        }
    }

    /// Returns whether bytes, or the end, arrived over the connection between these ports, which is about to be reused;
    /// if so, shuts it down.
    func isSpoiled(_ address: UnsafePointer<CChar>, _ port: CInt, _ ownPort: CInt, _ handle: CurlHandle) -> Bool {
        guard isUsed else { return false }
        let connection = ccurl_connection_between(address, port, ownPort)
        guard handle.number(CURLINFO_NUM_CONNECTS) == 0 else {
            // An earlier connection had the same ports.
            sockets.withLock { _ = $0.removeValue(forKey: connection) }
            return false
        }
        guard let socket = sockets.withLock({ $0[connection] }) else { return false }
        return ccurl_socket_empty(socket, port, ownPort) != 0
    }

    private static let most = 4_096
}
#endif
