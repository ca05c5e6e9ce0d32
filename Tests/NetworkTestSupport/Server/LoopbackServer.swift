package import Foundation

/// An HTTP/1.1 server in this process, on a port of its own, that records what it receives and plays scripts.
///
/// ```swift
/// let server = try LoopbackServer { request in .json("{\"path\":\"\(request.path)\"}") }
/// // … send something to server.url("/items?page=2") …
/// let request = try await server.request(at: 0)
/// ```
/// It blocks threads of its own and none of Swift's. A request is parsed strictly; what is not one is answered with 400
/// and stands in ``malformed``. Its threads and descriptors are gone when ``stop()`` returns or the server is released.
package final class LoopbackServer: Sendable {
    /// Scheme, host and port.
    package let url: URL
    package let port: UInt16
    let engine: ServerEngine

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - loopback: IPv4 or IPv6; the latter throws where the machine has none.
    ///   - recording: How much is remembered.
    ///   - onHead: Asked before a request's body is read, which by default happens without further ado.
    ///   - handler: Asked when the body is there. Runs on the connection's thread; must not call ``stop()``.
    /// - Throws: ``SocketError``.
    package init(
        on loopback: Loopback = .ipv4,
        recording: Recording = .everything,
        onHead: @escaping @Sendable (RecordedRequest) -> EarlyAnswer = { _ in .none },
        handler: @escaping @Sendable (RecordedRequest) -> Script
    ) throws {
        let listener = try Socket.listening(on: loopback)
        port = try listener.port()
        url = try loopback.url(port: port)
        engine = ServerEngine(listener: listener, recording: recording, onHead: onHead, handler: handler)
        try engine.start()
    }

    /// Answers by path, or by method and path as in `"POST /items"`, and with 404 to everything else.
    package convenience init(
        on loopback: Loopback = .ipv4,
        recording: Recording = .everything,
        onHead: @escaping @Sendable (RecordedRequest) -> EarlyAnswer = { _ in .none },
        routes: [String: Script]
    ) throws {
        try self.init(on: loopback, recording: recording, onHead: onHead) { request in
            routes["\(request.method) \(request.path)"] ?? routes[request.path] ?? .respond(status: 404)
        }
    }

    deinit {
        engine.stop()
    }

    /// The address of a path and query, which must be valid in a URL as they are.
    package func url(_ path: String) -> URL {
        guard let url = URL(string: url.absoluteString + path) else { preconditionFailure("Not a path: \(path)") }
        return url
    }

    /// Ends every connection and script, and returns when all threads are done and all descriptors closed.
    package func stop() {
        engine.stop()
    }
}
