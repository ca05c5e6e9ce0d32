import Foundation

/// The system calls that the server needs.
enum Sockets {
    #if canImport(Darwin)
    private static let streamType = SOCK_STREAM
    private static let sendFlags: Int32 = 0
    #else
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw SocketError("socket") }
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutableBytes(of: &address) { bytes in
            guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return bind(descriptor, pointer, length) == 0 && Foundation.listen(descriptor, 1_024) == 0
                && getsockname(descriptor, pointer, &length) == 0
        }
        guard isListening else { throw SocketError("bind or listen") }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Accepts a connection; nil when the listening socket was shut down.
    static func accept(_ listener: Int32) -> Int32? {
        while true {
            let descriptor = Foundation.accept(listener, nil, nil)
            if descriptor >= 0 {
                setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
                #if canImport(Darwin)
                setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
                #endif
                return descriptor
            }
            guard [EINTR, ECONNABORTED].contains(errno) else { return nil }
        }
    }

    /// Reads some bytes; none at the end, and after a reset.
    static func receive(_ descriptor: Int32) -> [UInt8] {
        let limit = 16 * 1_024
        return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var received = 0
            repeat {
                received = recv(descriptor, buffer.baseAddress, limit, 0)
            } while received < 0 && errno == EINTR
            count = max(0, received)
        }
    }

    static func sendAll(_ bytes: [UInt8], _ descriptor: Int32) throws {
        try bytes.withUnsafeBytes { all in
            var sent = 0
            while sent < all.count {
                let rest = UnsafeRawBufferPointer(rebasing: all[sent...])
                let count = send(descriptor, rest.baseAddress, rest.count, sendFlags)
                if count > 0 { sent += count } else if errno != EINTR { throw SocketError("send") }
            }
        }
    }

    /// Wakes the accepting thread: on Linux by shutting down its socket, elsewhere by connecting once more.
    static func endAccepting(_ listener: Int32, _ port: UInt16) {
        shutDown(listener)
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, streamType, 0)
        var address = loopback(port: port)
        withUnsafeMutableBytes(of: &address) { bytes in
            guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
            _ = connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        close(descriptor)
        #endif
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    static func shutDown(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    static func close(_ descriptor: Int32) {
        _ = Foundation.close(descriptor)
    }

    private static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32) {
        var one: Int32 = 1
        setsockopt(descriptor, level, name, &one, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// A system call that failed.
public struct SocketError: Error, CustomStringConvertible {
    /// The call and the system's message.
    public let description: String

    init(_ call: String) {
        description = "\(call): \(String(cString: strerror(errno)))"
    }
}
