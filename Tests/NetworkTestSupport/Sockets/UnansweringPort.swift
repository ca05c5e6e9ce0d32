package import Foundation

/// A port that neither accepts nor refuses: whoever connects to it waits.
///
/// Its queue has room for one connection, which is taken, and Linux lets everyone else try again and again.
package final class UnansweringPort: Sendable {
    package let url: URL
    private let port: UInt16
    private let listener: Socket
    private let guest: Socket

    /// Whether the system treats a full queue so, and tells who waits.
    package static let isAvailable = FileManager.default.isReadableFile(atPath: connectionsFile)

    private static let connectionsFile = "/proc/self/net/tcp"
    /// `SYN_SENT`: the request for a connection is out.
    private static let waitingState = "02"

    package init() throws {
        listener = try Socket.listening(on: .ipv4, queueLength: 0)
        port = try listener.port()
        url = try Loopback.ipv4.url(port: port)
        guest = try Socket.connected(to: port)
    }

    /// How many try to connect at the moment.
    package var waitingCount: Int {
        let suffix = ":" + String(port, radix: 16, uppercase: true).leftPadded(to: 4)
        // A file of a length that nobody knows is read to its end by a handle only.
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
