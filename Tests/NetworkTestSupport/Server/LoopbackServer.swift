package import Foundation

/// An HTTP/1.1 server in this process, on a free port, that records requests and plays scripts.
///
/// ```swift
/// let server = try LoopbackServer { request in .json("{\"path\":\"\(request.path)\"}") }
/// // … send something to server.url("/items?page=2") …
/// let request = try await server.request(at: 0)
/// ```
/// The server has separate threads and never blocks threads of Swift's pool. Requests are parsed strictly; invalid ones
/// receive 400 and are recorded in ``malformed``. All threads have ended and all descriptors are closed when ``stop()``
/// returns or the server is released.
package final class LoopbackServer: Sendable {
    /// The URL of the server: scheme, host and port.
    package let url: URL
    package let port: UInt16
    let engine: ServerEngine

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - loopback: IPv4 or IPv6; IPv6 throws if the machine doesn't have it.
    ///   - recording: The parts of requests that are recorded.
    ///   - onHead: Returns the action before a request's body is read.
    ///   - handler: Returns the script for a complete request, on the connection's thread; must not call ``stop()``.
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

    /// Creates a server with scripts by path, or by method and path as in `"POST /items"`; other requests receive 404.
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

    /// Returns the URL of a path and query, which must already be escaped.
    package func url(_ path: String) -> URL {
        guard let url = URL(string: url.absoluteString + path) else { preconditionFailure("Not a path: \(path)") }
        return url
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
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func request(at index: Int) async throws -> RecordedRequest {
        try await wait("request \(index)") { $0.requests.count > index ? $0.requests[index] : nil }
    }

    /// Waits for the head of a request by its number, from 0.
    package func head(at index: Int) async throws -> RecordedRequest {
        try await wait("head \(index)") { $0.heads.count > index ? $0.heads[index] : nil }
    }

    /// Waits until at least `count` requests have arrived.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func waitForRequests(count: Int) async throws {
        try await wait("\(count) requests") { $0.requestCount >= count ? () : nil }
    }

    /// Waits until the heads of at least `count` requests have arrived.
    package func waitForHeads(count: Int) async throws {
        try await wait("\(count) heads") { $0.headCount >= count ? () : nil }
    }

    func wait<Answer: Sendable>(
        _ what: String,
        until condition: @escaping @Sendable (ServerLog) -> Answer?
    ) async throws -> Answer {
        try await engine.log.wait { log in
            if let answer = condition(log) { return answer }
            if log.isStopped { throw ServerStopped(waitingFor: what) }
            return nil
        }
    }
}

extension LoopbackServer {
    /// The number of accepted connections.
    package var connectionCount: Int {
        engine.log.read { $0.connectionCount }
    }

    /// The number of open connections; the server closes its end after the peer.
    package var openConnectionCount: Int {
        engine.log.read { $0.openConnections.count }
    }

    /// The number of bytes that scripts have written to the system, which stops growing if the peer doesn't read.
    package var bytesSent: Int {
        engine.log.read { $0.bytesSent }
    }

    /// Waits until exactly `count` connections are open.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func waitForOpenConnections(_ count: Int) async throws {
        try await wait("\(count) open connections") { $0.openConnections.count == count ? () : nil }
    }

    /// Waits until at least `count` connections were accepted, open or not.
    package func waitForConnections(count: Int) async throws {
        try await wait("\(count) connections") { $0.connectionCount >= count ? () : nil }
    }
}

/// The history and the connections of a server.
struct ServerLog: ConnectionLog {
    var requests: [RecordedRequest] = []
    var requestCount = 0
    var heads: [RecordedRequest] = []
    var headCount = 0
    var truncated: [RecordedRequest] = []
    var malformed: [String] = []
    var bytesSent = 0

    private(set) var connectionCount = 0
    private(set) var openConnections: [Int: Socket] = [:]
    private(set) var isStopped = false
    var runningThreads = 1

    mutating func open(_ socket: Socket) -> Int? {
        guard !isStopped else { return nil }
        defer { connectionCount += 1 }
        openConnections[connectionCount] = socket
        runningThreads += 1
        return connectionCount
    }

    mutating func close(_ connection: Int) {
        openConnections[connection] = nil
    }

    mutating func stop() -> [Socket] {
        isStopped = true
        return Array(openConnections.values)
    }
}

/// The parts of requests that a server records.
package enum Recording: Sendable {
    case everything
    /// Requests without their bodies, so that uploads of any size take no memory.
    case withoutBodies
    /// Only the number of requests, for runs of many thousand requests; handlers still receive the bodies.
    case countsOnly
}

/// The server was stopped while a test waited for a request or connection.
package struct ServerStopped: Error, CustomStringConvertible {
    package let waitingFor: String

    package var description: String {
        "The server was stopped before \(waitingFor)."
    }
}
