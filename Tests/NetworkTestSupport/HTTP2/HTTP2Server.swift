package import Foundation

/// A server on the loopback that speaks HTTP/2 under TLS (RFC 9113), as little of it as tests need.
///
/// To a client that offers only HTTP/1.1 it speaks even less of that: such requests have the stream 0.
///
/// ```swift
/// let server = try HTTP2Server { $0.number == 0 ? .reset($0) : .respond(to: $0) }
/// // … send something to server.url("/items"), trusting TLSFixtures.root …
/// let requests = try await server.requests(1)
/// ```
/// It decodes no header fields. All threads and descriptors are gone when ``stop()`` returns or the server is released.
package final class HTTP2Server: Sendable {
    /// Called on the thread of a connection when a request is complete.
    package typealias Handler = @Sendable (HTTP2Request) -> HTTP2Answer

    private let engine: TLSEngine
    private let log = AwaitableValue(HTTP2ServerLog())

    /// - Throws: ``TLSFailure`` if there is no OpenSSL; ``SocketError``.
    package init(handler: @escaping Handler) throws {
        let configuration = TLSConfiguration(
            .server(demandsCertificate: false),
            identity: TLSFixtures.localhost,
            applicationProtocol: "h2"
        )
        engine = try TLSEngine(configuration) { [log] in
            let (near, far) = try Socket.pair()
            let number = log.update { $0.openConnection() }
            let thread = Thread {
                var connection = HTTP2Connection(far, number: number, log: log, handler: handler)
                connection.run()
                log.update { $0.runningThreads -= 1 }
            }
            thread.stackSize = 512 * 1024
            thread.name = "HTTP2Server"
            thread.start()
            return near
        }
        try engine.start()
    }

    deinit {
        stop()
    }

    /// The address of a path and query, which must be valid in a URL as they are.
    package func url(_ path: String) -> URL {
        guard let url = URL(string: "https://localhost:\(engine.port)\(path)") else {
            preconditionFailure("Not a path: \(path)")
        }
        return url
    }

    /// How many clients have come through the handshake.
    package var connectionCount: Int {
        log.read { $0.connectionCount }
    }

    /// Every request that was complete, in the order in which they were.
    package var requests: [HTTP2Request] {
        log.read { $0.requests }
    }

    /// Waits until that many requests are complete, and returns all.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func requests(_ count: Int) async throws -> [HTTP2Request] {
        try await log.wait { log in
            if log.requests.count >= count { return log.requests }
            if log.isStopped { throw ServerStopped(waitingFor: "\(count) requests") }
            return nil
        }
    }

    /// The streams that clients have reset before they were answered.
    package var resets: [UInt32] {
        log.read { $0.resets }
    }

    /// Ends every connection, and returns when all threads are done and all descriptors closed.
    package func stop() {
        engine.stop()
        log.update { $0.isStopped = true }
        log.waitBlocking { $0.runningThreads == 0 }
    }
}

/// What an HTTP/2 server does about a request.
package struct HTTP2Answer: Sendable {
    let frames: [HTTP2Frame]
    /// Whether nothing more comes over the connection.
    var closes = false
    /// What the answer waits for, while others go out; nil if for nothing.
    var gate: Gate?

    /// Status 200 and the number of the stream in `x-stream`.
    ///
    /// - Parameters:
    ///   - request: What is answered.
    ///   - pieces: The body: a frame for each, together less than 64 KiB, since nobody waits for room.
    ///   - trailers: Names in lower case; no name or value has more than 126 bytes.
    /// - Returns: The answer.
    package static func respond(
        to request: HTTP2Request,
        body pieces: [String] = ["1"],
        trailers: [String: String] = [:]
    ) -> Self {
        let stream = request.stream
        // The status is number 8 of the static table (RFC 7541, appendix A).
        let fields = [0x88] + field("x-stream", "\(stream)")
        var frames = [HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders, stream: stream, payload: fields)]
        frames += pieces.map { HTTP2Frame(.data, stream: stream, payload: Array($0.utf8)) }
        if !trailers.isEmpty {
            let fields = trailers.flatMap { field($0.key, $0.value) }
            frames.append(HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders, stream: stream, payload: fields))
        }
        frames[frames.count - 1].flags |= HTTP2Frame.endStream
        return Self(frames: frames)
    }

    /// RST_STREAM; REFUSED_STREAM says that nothing was done about the request (RFC 9113, section 8.7).
    package static func reset(_ request: HTTP2Request, code: UInt32 = 7) -> Self {
        Self(frames: [HTTP2Frame(.reset, stream: request.stream, payload: HTTP2Frame.bytes(of: code))])
    }

    /// GOAWAY without an error, the rest if there is one, and the end of the connection: nothing was done about
    /// requests after the last stream (RFC 9113, section 6.8).
    package static func goAway(lastStream: UInt32, before rest: Self? = nil) -> Self {
        let payload = HTTP2Frame.bytes(of: lastStream) + HTTP2Frame.bytes(of: 0)
        return Self(frames: [HTTP2Frame(.goAway, payload: payload)] + (rest?.frames ?? []), closes: true)
    }

    /// The same, but not before the gate is open.
    package func held(until gate: Gate) -> Self {
        var copy = self
        copy.gate = gate
        return copy
    }

    /// Without indexing, with a name of its own, both without Huffman's code (RFC 7541, section 6.2.2).
    private static func field(_ name: String, _ value: String) -> [UInt8] {
        [0] + [name, value].flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
    }
}

/// What an HTTP/2 server knows of its past and of its threads.
struct HTTP2ServerLog: Sendable {
    var connectionCount = 0
    var runningThreads = 0
    var requests: [HTTP2Request] = []
    /// The streams that clients have reset before they were answered.
    var resets: [UInt32] = []
    var isStopped = false

    mutating func openConnection() -> Int {
        runningThreads += 1
        connectionCount += 1
        return connectionCount - 1
    }

    mutating func add(connection: Int, stream: UInt32, body: [UInt8]) -> HTTP2Request {
        let request = HTTP2Request(connection: connection, number: requests.count, stream: stream, body: body)
        requests.append(request)
        return request
    }
}
