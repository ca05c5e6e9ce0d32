package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The loopback address in one of the two families, or the path of a Unix domain socket.
package enum Loopback: Sendable {
    case ipv4
    case ipv6
    case unix(String)

    var family: Int32 {
        switch self {
        case .ipv4: AF_INET
        case .ipv6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    func url(port: UInt16) -> URL {
        switch self {
        case .ipv4: NetworkTestSupport.url("http://127.0.0.1:\(port)")
        case .ipv6: NetworkTestSupport.url("http://[::1]:\(port)")
        case .unix: NetworkTestSupport.url("http://localhost")
        }
    }

    /// Calls `body` with the address of a port, as the system expects it.
    func withAddress(port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void) throws {
        switch self {
        case .ipv4:
            var place = sockaddr_in()
            place.sin_family = sa_family_t(family)
            place.sin_port = port.bigEndian
            _ = inet_pton(family, "127.0.0.1", &place.sin_addr)
            try Self.rebound(place, body)
        case .ipv6:
            var place = sockaddr_in6()
            place.sin6_family = sa_family_t(family)
            place.sin6_port = port.bigEndian
            _ = inet_pton(family, "::1", &place.sin6_addr)
            try Self.rebound(place, body)
        case .unix(let path):
            var place = sockaddr_un()
            place.sun_family = sa_family_t(family)
            withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            try Self.rebound(place, body)
        }
    }

    private static func rebound<Address>(
        _ address: Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws {
        try withUnsafePointer(to: address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

/// A reserved port without a listener: every connection is refused.
package final class RefusingPort: Sendable {
    package let url: URL
    private let socket: Socket

    package init() throws {
        socket = try Socket.bound(to: .ipv4)
        url = Loopback.ipv4.url(port: try socket.port())
    }
}

/// A port that neither accepts nor refuses connections, so that clients wait.
///
/// Its queue has room for one connection, which is occupied; Linux lets all other clients retry.
package final class UnansweringPort: Sendable {
    package let url: URL
    private let port: UInt16
    private let listener: Socket
    private let guest: Socket

    /// Whether the system handles a full queue like that, and lists waiting connections.
    package static let isAvailable = FileManager.default.isReadableFile(atPath: connectionsFile)

    private static let connectionsFile = "/proc/self/net/tcp"
    /// The state `SYN_SENT`: the client waits for the connection.
    private static let waitingState = "02"

    package init() throws {
        listener = try Socket.listening(on: .ipv4, queueLength: 0)
        port = try listener.port()
        url = Loopback.ipv4.url(port: port)
        guest = try Socket.connected(to: port)
    }

    /// The number of clients that wait for the connection.
    package var waitingCount: Int {
        let suffix = String(format: ":%04X", Int(port))
        // Only a handle reads a file of unknown length to its end.
        let bytes = FileHandle(forReadingAtPath: Self.connectionsFile)?.readDataToEndOfFile() ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").count { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[2].hasSuffix(suffix) && columns[3] == Self.waitingState
        }
    }
}
