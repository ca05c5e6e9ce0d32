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

extension LoopbackServer {
    /// Every request whose body was read, or that was answered without it, in the order in which that happened.
    package var requests: [RecordedRequest] {
        engine.log.read { $0.requests }
    }

    /// How many those are, also where they are not kept.
    package var requestCount: Int {
        engine.log.read { $0.requestCount }
    }

    /// Every request as it was when its head had arrived, so without body.
    package var heads: [RecordedRequest] {
        engine.log.read { $0.heads }
    }

    /// Requests whose body ended too soon or was malformed, with what came of it.
    package var truncated: [RecordedRequest] {
        engine.log.read { $0.truncated }
    }

    /// Why bytes were refused as no request, once for each connection that sent such.
    package var malformed: [String] {
        engine.log.read { $0.malformed }
    }

    /// Waits for a request, the first being 0, on a server that keeps requests.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func request(at index: Int) async throws -> RecordedRequest {
        try await wait("request \(index)") { $0.requests.count > index ? $0.requests[index] : nil }
    }

    /// Like ``request(at:)``, as soon as the head is there.
    package func head(at index: Int) async throws -> RecordedRequest {
        try await wait("head \(index)") { $0.heads.count > index ? $0.heads[index] : nil }
    }

    /// Waits until at least `count` requests have arrived.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func waitForRequests(count: Int) async throws {
        try await wait("\(count) requests") { $0.requestCount >= count ? () : nil }
    }

    /// Like ``waitForRequests(count:)``, for requests of which the body may still be on its way.
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
    /// How many connections were ever accepted.
    package var connectionCount: Int {
        engine.log.read { $0.connectionCount }
    }

    /// How many of them the server has not closed yet, which it does when the peer has.
    package var openConnectionCount: Int {
        engine.log.read { $0.openConnections.count }
    }

    /// What scripts have handed to the system; more than a peer that does not read will let pass cannot be.
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

/// All that a server knows of its past and of its connections.
struct ServerLog: Sendable {
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
    /// The one that accepts and those of the connections.
    private(set) var runningThreads = 1

    /// The number for a new connection, nil if it came too late.
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

    mutating func threadEnded() {
        runningThreads -= 1
    }

    /// From now on no connection is opened; returns those that are, to be shut down.
    mutating func stop() -> [Socket] {
        isStopped = true
        return Array(openConnections.values)
    }
}

/// How much a server remembers of its requests.
package enum Recording: Sendable {
    case everything
    /// Requests with their lengths but not their bodies, so that an upload of any size takes no memory.
    case withoutBodies
    /// Numbers only, for runs of many thousand requests; handlers do get the bodies.
    case countsOnly
}

/// The server was stopped before what a test waited for came.
package struct ServerStopped: Error, CustomStringConvertible {
    package let waitingFor: String

    package var description: String {
        "The server was stopped before \(waitingFor)."
    }
}
