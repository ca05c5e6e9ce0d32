package import Foundation

/// A port that nobody listens on, and that nobody else can get while this lives: every connection is refused.
package final class RefusingPort: Sendable {
    package let url: URL
    private let socket: Socket

    package init(on loopback: Loopback = .ipv4) throws {
        socket = try Socket.bound(to: loopback)
        url = try loopback.url(port: socket.port())
    }
}
