package import Foundation

/// The loopback address in one of the two families.
package enum Loopback: Sendable {
    case ipv4
    case ipv6

    package var address: String {
        self == .ipv4 ? "127.0.0.1" : "::1"
    }

    /// The host in a URL.
    package var host: String {
        self == .ipv4 ? "127.0.0.1" : "[::1]"
    }
}

extension Loopback {
    func url(port: UInt16) throws -> URL {
        guard let url = URL(string: "http://\(host):\(port)") else { throw URLError(.badURL) }
        return url
    }
}

/// A reserved port without a listener: every connection is refused.
package final class RefusingPort: Sendable {
    package let url: URL
    private let socket: Socket

    package init(on loopback: Loopback = .ipv4) throws {
        socket = try Socket.bound(to: loopback)
        url = try loopback.url(port: socket.port())
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
        url = try Loopback.ipv4.url(port: port)
        guest = try Socket.connected(to: port)
    }

    /// The number of clients that wait for the connection.
    package var waitingCount: Int {
        let suffix = ":" + String(port, radix: 16, uppercase: true).leftPadded(to: 4)
        // Only a handle reads a file of unknown length to its end.
        let bytes = FileHandle(forReadingAtPath: Self.connectionsFile)?.readDataToEndOfFile() ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").count { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[2].hasSuffix(suffix) && columns[3] == Self.waitingState
        }
    }
}

extension String {
    fileprivate func leftPadded(to length: Int) -> String {
        String(repeating: "0", count: max(0, length - count)) + self
    }
}
