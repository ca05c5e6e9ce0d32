#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The system calls for sockets, with all differences between platforms.
enum SystemSockets {
    #if canImport(Darwin)
    private static let streamType = SOCK_STREAM
    private static let sendFlags: Int32 = 0
    #elseif canImport(Musl)
    private static let streamType = SOCK_STREAM
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    static func makeStream(_ loopback: Loopback) throws -> Int32 {
        let family = loopback == .ipv4 ? AF_INET : AF_INET6
        return try checked(socket(family, streamType, 0), "socket")
    }

    static func makePair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        try checked(socketpair(AF_UNIX, streamType, 0, &ends), "socketpair")
        return (ends[0], ends[1])
    }

    /// Makes a write to a closed peer an error instead of a signal, which would end the process.
    static func configure(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        #if canImport(Darwin)
        setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
    }

    static func setBlocking(_ blocking: Bool, _ descriptor: Int32) {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK)
    }

    static func setReceiveTimeout(seconds: Int, _ descriptor: Int32) {
        var timeout = timeval()
        timeout.tv_sec = .init(seconds)
        setOption(descriptor, SOL_SOCKET, SO_RCVTIMEO, timeout)
    }

    /// Makes the next close a reset: undelivered bytes are dropped, and the peer sees an error.
    static func dropOnClose(_ descriptor: Int32) {
        setOption(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    static func bindTo(_ loopback: Loopback, port: UInt16, _ descriptor: Int32) throws {
        try withAddress(loopback, port: port) { _ = try checked(bind(descriptor, $0, $1), "bind") }
    }

    static func startListening(_ descriptor: Int32, queueLength: Int32) throws {
        try checked(listen(descriptor, queueLength), "listen")
    }

    static func connectTo(_ loopback: Loopback, port: UInt16, _ descriptor: Int32) throws {
        try withAddress(loopback, port: port) { _ = try checked(connect(descriptor, $0, $1), "connect") }
    }

    /// Accepts a connection on a nonblocking socket; nil if none is waiting.
    static func acceptFrom(_ descriptor: Int32) throws -> Int32? {
        let accepted = accept(descriptor, nil, nil)
        if accepted >= 0 { return accepted }
        if [EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED].contains(errno) { return nil }
        throw SocketError(call: "accept", code: errno)
    }

    static func port(of descriptor: Int32) throws -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        try checked(result, "getsockname")
        // In both families and on all platforms, the third and fourth byte are the port in network order.
        return withUnsafeBytes(of: &storage) { UInt16($0[2]) << 8 | UInt16($0[3]) }
    }

    static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            if errno != EINTR { throw SocketError(call: "recv", code: errno) }
        }
    }

    static func sendSome(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws -> Int {
        while true {
            let count = send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
            if count >= 0 { return count }
            if errno != EINTR { throw SocketError(call: "send", code: errno) }
        }
    }

    static func stop(writingOnly: Bool, _ descriptor: Int32) {
        _ = shutdown(descriptor, writingOnly ? Int32(SHUT_WR) : Int32(SHUT_RDWR))
    }

    static func release(_ descriptor: Int32) {
        _ = close(descriptor)
    }

    /// Waits until a descriptor is readable, has ended or failed, or for the timeout; a negative one has no limit.
    static func waitReadable(_ descriptors: [Int32], milliseconds: Int32) -> [Bool] {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        wait(&entries, milliseconds: milliseconds)
        return entries.map { $0.revents != 0 }
    }

    /// Waits without a limit until a descriptor is readable or writable, as requested for each; descriptors without a
    /// request are ignored.
    static func waitReady(_ wishes: [(descriptor: Int32, reading: Bool, writing: Bool)]) {
        var entries = wishes.filter { $0.reading || $0.writing }.map { wish in
            let events = (wish.reading ? POLLIN : 0) | (wish.writing ? POLLOUT : 0)
            return pollfd(fd: wish.descriptor, events: Int16(events), revents: 0)
        }
        wait(&entries, milliseconds: -1)
    }

    private static func wait(_ entries: inout [pollfd], milliseconds: Int32) {
        while poll(&entries, nfds_t(entries.count), milliseconds) < 0 {
            if errno != EINTR { break }
        }
    }

    private static func withAddress(
        _ loopback: Loopback,
        port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws {
        switch loopback {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            _ = inet_pton(AF_INET, loopback.address, &address.sin_addr)
            try rebound(&address, body)
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            _ = inet_pton(AF_INET6, loopback.address, &address.sin6_addr)
            try rebound(&address, body)
        }
    }

    private static func rebound<Address>(
        _ address: inout Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws {
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private static func setOption<Value>(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Value) {
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
