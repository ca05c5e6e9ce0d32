@testable import NetworkUtilities

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A stream socket that owns its descriptor and closes it once, with or without TLS.
///
/// One thread reads, writes and closes; other threads may only call ``shutDown()``, which wakes that thread.
package final class Socket: Sendable {
    package let descriptor: Int32
    private let isOpen = Locked(true)
    private let tls = Locked<TLSSession?>(nil)

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        #if canImport(Darwin)
        // A write to a closed peer is an error instead of a signal, which would end the process.
        setOption(SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
    }

    deinit {
        closeNow()
    }

    /// Creates a listening socket, by default on a port that the system chooses.
    package static func listening(
        on loopback: Loopback,
        port: UInt16 = 0,
        queueLength: Int32 = 1024
    ) throws -> Socket {
        let socket = try bound(to: loopback, port: port)
        socket.setBlocking(false)
        try checked(listen(socket.descriptor, queueLength), "listen")
        return socket
    }

    /// Creates a socket that has a port and refuses connections.
    package static func bound(to loopback: Loopback, port: UInt16 = 0) throws -> Socket {
        let made = try make(loopback)
        try loopback.withAddress(port: port) { _ = try checked(bind(made.descriptor, $0, $1), "bind") }
        return made
    }

    package static func connected(to port: UInt16, on loopback: Loopback = .ipv4) throws -> Socket {
        let made = try make(loopback)
        try loopback.withAddress(port: port) { _ = try checked(connect(made.descriptor, $0, $1), "connect") }
        return made
    }

    package static func pair() throws -> (Socket, Socket) {
        var ends: [Int32] = [-1, -1]
        try checked(socketpair(AF_UNIX, System.streamType, 0, &ends), "socketpair")
        return (Socket(descriptor: ends[0]), Socket(descriptor: ends[1]))
    }

    private static func make(_ loopback: Loopback) throws -> Socket {
        Socket(descriptor: try checked(socket(loopback.family, System.streamType, 0), "socket"))
    }

    /// Waits for sockets with bytes, an end or an error, and returns them; a nil timeout waits without a limit.
    package static func waitReadable(_ sockets: [Socket], milliseconds: Int32? = nil) -> [Bool] {
        var entries = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        while poll(&entries, nfds_t(entries.count), milliseconds ?? -1) < 0, errno == EINTR {}
        return entries.map { $0.revents != 0 }
    }

    package func port() throws -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        try Self.checked(result, "getsockname")
        // In both families and on all platforms, the third and fourth byte are the port in network order.
        return withUnsafeBytes(of: &storage) { UInt16($0[2]) << 8 | UInt16($0[3]) }
    }

    /// Accepts a connection; nil if none is waiting.
    package func acceptNext() throws -> Socket? {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else {
            if [EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED].contains(errno) { return nil }
            throw SocketError(call: "accept", code: errno)
        }
        let socket = Socket(descriptor: accepted)
        // Some platforms inherit this option from the listening socket.
        socket.setBlocking(true)
        return socket
    }

    package func setReceiveTimeout(seconds: Int) {
        var timeout = timeval()
        timeout.tv_sec = .init(seconds)
        setOption(SOL_SOCKET, SO_RCVTIMEO, timeout)
    }

    /// Ends both directions, which wakes a thread that reads or writes; the descriptor stays open.
    package func shutDown() {
        shutDown(Int32(SHUT_RDWR))
    }

    /// Sends a FIN, under TLS after `close_notify`; reading is still possible.
    package func shutDownWriting() {
        endTLS()
        shutDown(Int32(SHUT_WR))
    }

    /// Closes the socket; the system sends a FIN, or a RST if received bytes weren't read.
    package func closeNow() {
        endTLS()
        end(withReset: false)
    }

    /// Closes the socket with a RST: undelivered bytes are dropped, and the peer sees an error.
    package func reset() {
        end(withReset: true)
    }

    /// Calls the system under the lock: after a close, it may reuse the descriptor's number at once.
    private func shutDown(_ direction: Int32) {
        isOpen.withLock { isOpen in
            if isOpen { _ = shutdown(descriptor, direction) }
        }
    }

    private func end(withReset isReset: Bool) {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            isOpen = false
            if isReset { setOption(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0)) }
            _ = close(descriptor)
        }
    }

    private func setBlocking(_ blocking: Bool) {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK)
    }

    private func setOption<Value>(_ level: Int32, _ name: Int32, _ value: Value) {
        withUnsafeBytes(of: value) { bytes in
            _ = setsockopt(descriptor, level, name, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    @discardableResult
    private static func checked(_ result: Int32, _ call: String) throws -> Int32 {
        guard result >= 0 else { throw SocketError(call: call, code: errno) }
        return result
    }
}

extension Socket {
    /// Waits for bytes and returns them; empty when the peer has ended its direction.
    package func receive(upTo limit: Int = 32 * 1024) throws -> [UInt8] {
        guard let session = tls.withLock({ $0 }) else { return try receivePlain(upTo: limit) }
        while true {
            let (bytes, isEnd) = try session.read()
            if isEnd || !bytes.isEmpty { return bytes }
            let received = try receivePlain(upTo: limit)
            guard !received.isEmpty else { return [] }
            session.putReceived(received)
        }
    }

    package func sendAll(_ bytes: [UInt8]) throws {
        guard let session = tls.withLock({ $0 }) else { return try sendPlain(bytes) }
        try session.write(bytes)
        try sendPlain(session.takeOutgoing())
    }

    /// Performs the handshake of a server; afterwards all bytes are encrypted.
    ///
    /// After a failure, the client has received an alert.
    func startTLS(_ configuration: TLSConfiguration) throws -> TLSHandshake {
        let session = try TLSSession(configuration)
        do {
            while try !session.shakeHands() {
                try sendPlain(session.takeOutgoing())
                let bytes = try receivePlain()
                guard !bytes.isEmpty else { throw TLSFailure(reason: "The client broke off the handshake.") }
                session.putReceived(bytes)
            }
        } catch {
            try sendPlain(session.takeOutgoing())
            shutDownWriting()
            // Unread bytes would turn the close into a reset, which may discard the alert.
            while try !receivePlain().isEmpty {}
            throw error
        }
        // The handshake is complete even if the client has closed the connection since.
        try? sendPlain(session.takeOutgoing())
        tls.withLock { $0 = session }
        return session.handshake
    }

    /// Sends `close_notify` once (RFC 8446, section 6.1), unless the configuration omits it.
    private func endTLS() {
        guard let session = tls.withLock({ $0 }), isOpen.withLock({ $0 }) else { return }
        session.end()
        try? sendPlain(session.takeOutgoing())
    }

    private func receivePlain(upTo limit: Int = 32 * 1024) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var result = -1
            repeat { result = recv(descriptor, buffer.baseAddress, buffer.count, 0) } while result < 0 && errno == EINTR
            guard result >= 0 else { throw SocketError(call: "recv", code: errno) }
            count = result
        }
    }

    private func sendPlain(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { all in
            var sent = 0
            while sent < all.count {
                let count = send(descriptor, all.baseAddress.map { $0 + sent }, all.count - sent, System.sendFlags)
                guard count >= 0 || errno == EINTR else { throw SocketError(call: "send", code: errno) }
                sent += max(count, 0)
            }
        }
    }
}

/// The differences between platforms.
private enum System {
    #if canImport(Darwin)
    static let streamType = SOCK_STREAM
    static let sendFlags: Int32 = 0
    #elseif canImport(Musl)
    static let streamType = SOCK_STREAM | SOCK_CLOEXEC
    static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
    // With the flag from the beginning, since a child may be started before it could be set.
    static let streamType = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif
}

/// Ends a wait for sockets from any thread.
final class Wakeup: Sendable {
    /// The socket for the waiting thread: readable after ``signal()``.
    let signalled: Socket
    private let signaller: Socket

    init() throws {
        (signalled, signaller) = try Socket.pair()
    }

    func signal() {
        signaller.shutDown()
    }

    /// Closes both descriptors, since a signalling thread may keep the object alive for a moment.
    func closeNow() {
        signalled.closeNow()
        signaller.closeNow()
    }
}

/// A failed system call and its error number.
package struct SocketError: Error, Equatable, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    package var description: String {
        "\(call): \(String(cString: strerror(code)))"
    }
}
