package import Foundation

/// A server on the loopback that speaks HTTP/2 under TLS (RFC 9113), as far as tests need it.
///
/// It also responds to clients that offer only HTTP/1.1; such requests have the stream 0.
///
/// ```swift
/// let server = try HTTP2Server { $0.number == 0 ? .reset($0) : .respond(to: $0) }
/// // … send something to server.url("/items"), trusting TLSFixtures.root …
/// let requests = try await server.requests(1)
/// ```
/// It decodes no header fields. All threads and descriptors are gone when the server is released.
package final class HTTP2Server: Sendable {
    /// Creates the response to a complete request, on the thread of the connection.
    package typealias Handler = @Sendable (HTTP2Request) -> HTTP2Answer

    private let engine: ServerEngine
    private let log = AwaitableValue(HTTP2ServerLog())

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - window: The number of bytes that it accepts of a request's body before it asks for more.
    ///   - gate: The gate that handshakes wait for; nil for none.
    ///   - handler: Creates the response to a complete request.
    /// - Throws: ``SocketError``; also if OpenSSL is missing.
    package init(window: UInt32? = nil, handshakesAfter gate: Gate? = nil, handler: @escaping Handler) throws {
        let tls = TLSConfiguration(applicationProtocol: "h2")
        engine = try ServerEngine(tls: tls, handshakesAfter: gate) { [log] socket, number, _ in
            var connection = HTTP2Connection(socket, number: number, log: log, window: window, handler: handler)
            connection.run()
        }
    }

    deinit {
        engine.stop()
    }

    /// Returns the URL of a path and query, which must already be escaped.
    package func url(_ path: String) -> URL {
        NetworkTestSupport.url("https://localhost:\(engine.port)\(path)")
    }

    /// The number of clients that have completed the handshake.
    package var connectionCount: Int {
        engine.log.read { $0.connectionCount }
    }

    /// The number of open connections, with those that wait for their handshakes.
    package var openConnectionCount: Int {
        engine.log.read { $0.openConnections.count }
    }

    /// Waits until there are open connections, with those that wait for their handshakes.
    package func waitForOpenConnections(_ count: Int) async throws {
        try await engine.log.wait { $0.openConnections.count >= count ? () : nil }
    }

    /// All complete requests, in the order of their completion.
    package var requests: [HTTP2Request] {
        log.read { $0.requests }
    }

    /// Waits until at least `count` requests are complete, and returns all complete requests.
    package func requests(_ count: Int) async throws -> [HTTP2Request] {
        try await log.wait { $0.requests.count >= count ? $0.requests : nil }
    }

    /// Waits until the heads of at least `count` requests have arrived.
    package func waitForHeads(count: Int) async throws {
        try await log.wait { $0.headCount >= count ? () : nil }
    }

    /// The streams that clients have reset before the response.
    package var resets: [UInt32] {
        log.read { $0.resets }
    }
}

/// The response of an HTTP/2 server to a request.
package struct HTTP2Answer: Sendable {
    var frames: [HTTP2Frame]
    /// The frames that are sent when the client has acknowledged a PING, which is the last of the other frames.
    var framesAfterPing: [HTTP2Frame] = []
    /// Whether the connection ends after the frames.
    var closes = false
    /// Whether nothing more is sent.
    var isSilent = false
    /// The bytes that are sent again and again until the gate opens; nil for none.
    var flood: (bytes: [UInt8], end: Gate)?
    /// The gate that the response waits for, while other responses are sent; nil for an immediate response.
    var gate: Gate?

    /// Creates a response with status 200 and the number of the stream in `x-stream`.
    ///
    /// Each piece of the body is a frame. All pieces together must have less than 64 KiB, since the server doesn't
    /// wait for flow control. The names of trailers must be lowercase; names and values have at most 126 bytes.
    package static func respond(
        to request: HTTP2Request,
        body pieces: [String] = ["1"],
        trailers: [String: String] = [:]
    ) -> Self {
        let stream = request.stream
        // The status 200 is number 8 of the static table (RFC 7541, appendix A).
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

    /// Creates a redirect with the beginning of a page, and leaves the stream open.
    package static func endlessRedirect(_ request: HTTP2Request, to location: String, page: String) -> Self {
        let fields = field(":status", "302") + field("location", location)
        return Self(frames: [
            HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders, stream: request.stream, payload: fields),
            HTTP2Frame(.data, stream: request.stream, payload: Array(page.utf8)),
        ])
    }

    /// RST_STREAM; the code REFUSED_STREAM means that the request wasn't processed (RFC 9113, section 8.7).
    package static func reset(_ request: HTTP2Request, code: UInt32 = 7) -> Self {
        Self(frames: [HTTP2Frame(.reset, stream: request.stream, payload: HTTP2Frame.bytes(of: code))])
    }

    /// The head of a response, and a part of its body; RST_STREAM when the client has received them.
    ///
    /// `body` is nil for the head alone, and `length` is the stated length of the whole body.
    package static func cut(_ request: HTTP2Request, body: String?, of length: Int? = nil, code: UInt32) -> Self {
        // A frame has at most 16 KiB (RFC 9113, section 4.2).
        let bytes = Array((body ?? "").utf8)
        let pieces = stride(from: 0, to: bytes.count, by: 16_000).map { start in
            String(decoding: bytes[start..<min(start + 16_000, bytes.count)], as: UTF8.self)
        }
        var answer = respond(to: request, body: pieces)
        if let length { answer.frames[0].payload += field("content-length", "\(length)") }
        for index in answer.frames.indices { answer.frames[index].flags &= ~HTTP2Frame.endStream }
        answer.frames.append(HTTP2Frame(.ping, payload: [UInt8](repeating: 0, count: 8)))
        answer.framesAfterPing = reset(request, code: code).frames
        return answer
    }

    /// The same, with a frame that no client has allowed in place of the reset.
    package static func endingWithALongFrame(_ request: HTTP2Request, body: String, of length: Int?) -> Self {
        var answer = cut(request, body: body, of: length, code: 0)
        answer.framesAfterPing = [
            HTTP2Frame(.data, stream: request.stream, payload: [UInt8](repeating: 0, count: 1 << 15))
        ]
        return answer
    }

    /// Nothing: from now on the server reads what the client sends over the connection, and sends nothing.
    package static let silence = Self(frames: [], isSilent: true)

    /// GOAWAY without an error, the response if there is one, and the end of the connection: requests after the last
    /// stream weren't processed (RFC 9113, section 6.8).
    package static func goAway(lastStream: UInt32, before rest: Self? = nil) -> Self {
        let payload = HTTP2Frame.bytes(of: lastStream) + HTTP2Frame.bytes(of: 0)
        return Self(frames: [HTTP2Frame(.goAway, payload: payload)] + (rest?.frames ?? []), closes: true)
    }

    /// The frames of a flood, which mean little or nothing.
    package enum Flood: CaseIterable, Sendable {
        case emptyData, priority, settings, ping, windowUpdate
        /// A head that does not end.
        case continuation
        /// Empty DATA with one byte of the body in 9 MB.
        case drops
    }

    /// The head of a response, and the frames of a flood as fast as possible, until the gate opens.
    package static func flood(_ request: HTTP2Request, with flood: Flood, until gate: Gate) -> Self {
        var answer = respond(to: request, body: [])
        let stream = answer.frames[0].stream
        answer.frames[0].flags = flood == .continuation ? 0 : HTTP2Frame.endHeaders
        let frame =
            switch flood {
            case .emptyData, .drops: HTTP2Frame(.data, stream: stream)
            case .priority: HTTP2Frame(.priority, stream: stream, payload: [0, 0, 0, 0, 16])
            case .settings: HTTP2Frame(.settings)
            case .ping: HTTP2Frame(.ping, payload: [UInt8](repeating: 0, count: 8))
            case .windowUpdate: HTTP2Frame(.windowUpdate, stream: stream, payload: HTTP2Frame.bytes(of: 1))
            case .continuation: HTTP2Frame(.continuation, stream: stream)
            }
        let count = flood == .drops ? 1_000_000 : 10_000
        let bytes = [[UInt8]](repeating: frame.bytes, count: count).flatMap(\.self)
        let drop = flood == .drops ? HTTP2Frame(.data, stream: stream, payload: [0]).bytes : []
        answer.flood = (bytes + drop, gate)
        return answer
    }

    /// The same response, and then PRIORITY frames as fast as possible, until the gate opens.
    package func flooding(until gate: Gate) -> Self {
        var copy = self
        let frame = HTTP2Frame(.priority, stream: 1, payload: [0, 0, 0, 0, 16])
        copy.flood = ([[UInt8]](repeating: frame.bytes, count: 10_000).flatMap(\.self), gate)
        return copy
    }

    /// The same response, sent after the gate has opened.
    package func held(until gate: Gate) -> Self {
        var copy = self
        copy.gate = gate
        return copy
    }

    /// A literal field without indexing, with a new name, and without Huffman coding (RFC 7541, section 6.2.2).
    private static func field(_ name: String, _ value: String) -> [UInt8] {
        [0] + [name, value].flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
    }
}

/// The stream and the content of an HTTP/2 request; its header fields (RFC 7541) aren't decoded.
package struct HTTP2Request: Sendable {
    package let connection: Int
    /// The position among the complete requests of all connections, from 0.
    package let number: Int
    package let stream: UInt32
    package let body: [UInt8]
}

/// The history of an HTTP/2 server.
struct HTTP2ServerLog: Sendable {
    private(set) var requests: [HTTP2Request] = []
    var headCount = 0
    /// The streams that clients have reset before the response.
    var resets: [UInt32] = []

    mutating func add(connection: Int, stream: UInt32, body: [UInt8]) -> HTTP2Request {
        let request = HTTP2Request(connection: connection, number: requests.count, stream: stream, body: body)
        requests.append(request)
        return request
    }
}
