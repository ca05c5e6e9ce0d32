package import Foundation

/// An HTTP/1.1 server in this process, on a free port, that records requests and plays scripts.
///
/// ```swift
/// let server = try LoopbackServer { request in .json("{\"path\":\"\(request.path)\"}") }
/// // … send something to server.url("/items?page=2") …
/// let request = try await server.request(at: 0)
/// ```
/// With TLS (on Linux with OpenSSL), it plays the same scripts, and `localhost` is the host of its URLs.
/// The server has separate threads and never blocks threads of Swift's pool. Requests are parsed strictly; invalid ones
/// receive 400 and are recorded in ``malformed``. All threads have ended and all descriptors are closed when ``stop()``
/// returns or the server is released.
package final class LoopbackServer: Sendable {
    /// The URL of the server: scheme, host and port.
    package let url: URL
    private let engine: ServerEngine

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - loopback: IPv4 or IPv6; IPv6 throws if the machine doesn't have it. With TLS, the server listens in both.
    ///   - tls: The configuration of TLS; nil for plain HTTP.
    ///   - recording: The parts of requests that are recorded.
    ///   - onHead: Returns the action before a request's body is read.
    ///   - handler: Returns the script for a complete request, on the connection's thread; must not call ``stop()``.
    /// - Throws: ``SocketError``; with TLS, also if OpenSSL is missing or the identity is invalid.
    package init(
        on loopback: Loopback = .ipv4,
        tls: TLSConfiguration? = nil,
        recording: Recording = .everything,
        onHead: @escaping @Sendable (RecordedRequest) -> EarlyAnswer = { _ in .none },
        handler: @escaping @Sendable (RecordedRequest) -> Script
    ) throws {
        let behavior = ServerBehavior(recording: recording, onHead: onHead, handler: handler)
        engine = try ServerEngine(on: loopback, tls: tls) { socket, number, engine in
            Connection(socket, number: number, engine: engine, behavior: behavior).serveRequests()
        }
        url = tls == nil ? loopback.url(port: engine.port) : NetworkTestSupport.url("https://localhost:\(engine.port)")
    }

    /// Creates a server with scripts by path, or by method and path as in `"POST /items"`; other requests receive 404.
    package convenience init(
        onHead: @escaping @Sendable (RecordedRequest) -> EarlyAnswer = { _ in .none },
        routes: [String: Script]
    ) throws {
        try self.init(onHead: onHead) { request in
            routes["\(request.method) \(request.path)"] ?? routes[request.path] ?? .respond(status: 404)
        }
    }

    deinit {
        engine.stop()
    }

    package var port: UInt16 { engine.port }

    /// Returns the URL of a path and query, which must already be escaped.
    package func url(_ path: String) -> URL {
        NetworkTestSupport.url(url.absoluteString + path)
    }

    /// Ends every connection and script, and returns when all threads are done and all descriptors closed.
    package func stop() {
        engine.stop()
    }
}

extension LoopbackServer {
    /// All requests whose body was read, or that were responded to without it, in that order.
    package var requests: [RecordedRequest] {
        engine.log.read { $0.requests }
    }

    /// The number of requests, also if they aren't kept.
    package var requestCount: Int {
        engine.log.read { $0.requestCount }
    }

    /// All requests as of the arrival of their heads, so without bodies.
    package var heads: [RecordedRequest] {
        engine.log.read { $0.heads }
    }

    /// The requests whose bodies were truncated or malformed, with the received part.
    package var truncated: [RecordedRequest] {
        engine.log.read { $0.truncated }
    }

    /// The reasons for invalid requests, one for each connection that sent such.
    package var malformed: [String] {
        engine.log.read { $0.malformed }
    }

    /// Waits for a request by its number, from 0, on a server that keeps requests.
    package func request(at index: Int) async throws -> RecordedRequest {
        try await engine.log.wait { $0.requests.count > index ? $0.requests[index] : nil }
    }

    /// Waits until at least `count` requests have arrived.
    package func waitForRequests(count: Int) async throws {
        try await engine.log.wait { $0.requestCount >= count ? () : nil }
    }

    /// Waits until the heads of at least `count` requests have arrived.
    package func waitForHeads(count: Int) async throws {
        try await engine.log.wait { $0.headCount >= count ? () : nil }
    }

    /// The number of accepted connections; with TLS, those with a successful handshake.
    package var connectionCount: Int {
        engine.log.read { $0.connectionCount }
    }

    /// Waits until exactly `count` connections are open; the server closes its end after the peer.
    package func waitForOpenConnections(_ count: Int) async throws {
        try await engine.log.wait { $0.openConnections.count == count ? () : nil }
    }

    /// Waits for a successful handshake by its number, from 0.
    package func handshake(at index: Int) async throws -> TLSHandshake {
        try await engine.log.wait { $0.handshakes.count > index ? $0.handshakes[index] : nil }
    }
}

/// The closures of a server.
struct ServerBehavior: Sendable {
    let recording: Recording
    let onHead: @Sendable (RecordedRequest) -> EarlyAnswer
    let handler: @Sendable (RecordedRequest) -> Script
}

/// The parts of requests that a server records.
package enum Recording: Sendable {
    case everything
    /// Requests without their bodies, so that uploads of any size take no memory.
    case withoutBodies
    /// Only the number of requests, for runs of many thousand requests; handlers still receive the bodies.
    case countsOnly
}
