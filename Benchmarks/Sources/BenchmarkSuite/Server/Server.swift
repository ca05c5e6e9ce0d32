import CServer
import Foundation

/// The server in this process, with responses that depend on the requests.
final class Server: Sendable {
    private final class Handler: Sendable {
        let respond: @Sendable (IncomingRequest) -> [ResponsePart]
        let reached: @Sendable (UInt64) -> Void

        init(
            respond: @escaping @Sendable (IncomingRequest) -> [ResponsePart],
            reached: @escaping @Sendable (UInt64) -> Void
        ) {
            self.respond = respond
            self.reached = reached
        }
    }

    /// A pointer isn't `Sendable`, its address is.
    private let address: UInt
    private let handler: Handler
    private let isStopped = Locked(false)

    /// Starts the server; the closures are called on its thread and must not wait.
    ///
    /// `respond` returns the parts of a response; a client without any waits until it gives up. `reached` is called
    /// with the marks of the parts.
    init(
        respond: @escaping @Sendable (IncomingRequest) -> [ResponsePart],
        reached: @escaping @Sendable (UInt64) -> Void = { _ in }
    ) throws {
        handler = Handler(respond: respond, reached: reached)
        var functions = server_handler()
        functions.context = Unmanaged.passUnretained(handler).toOpaque()
        functions.respond = { context, connection, head, headLength, body, bodyLength in
            guard let context else { return }
            let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
            let head = UnsafeRawBufferPointer(start: head, count: headLength)
            let body = UnsafeRawBufferPointer(start: body, count: bodyLength)
            guard let request = IncomingRequest(head: head, body: body) else { return }
            for part in handler.respond(request) { part.add(to: connection) }
        }
        functions.reached = { context, mark in
            guard let context else { return }
            Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue().reached(mark)
        }
        guard let server = server_start(&functions, nil) else { throw UsageError("the server needs Linux") }
        address = UInt(bitPattern: server)
    }

    deinit {
        stop()
        server_free(pointer)
    }

    /// The number of requests that were read.
    var requestCount: Int { Int(server_get_counts(pointer).requests1) }

    /// The number of open connections.
    var connectionCount: Int { Int(server_get_counts(pointer).open_connections) }

    /// Returns the URL of a path and query, from the slash on.
    func url(_ target: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(server_port(pointer))\(target)") else {
            throw URLError(.badURL)
        }
        return url
    }

    /// Closes all connections.
    func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst { server_stop(pointer) }
    }

    private var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
}

/// A request that the server has read.
struct IncomingRequest: Sendable {
    /// The path and the query.
    let target: String

    /// The fields by lowercase name; the last one of each name.
    let fields: [String: String]

    /// The body, without its framing.
    let body: [UInt8]

    init?(head: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer) {
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
        target = String(words[1])
        let pairs = lines.dropFirst().compactMap { line in
            line.firstIndex(of: ":").map { colon in
                (line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
            }
        }
        fields = Dictionary(pairs) { $1 }
        self.body = Array(body)
    }
}

/// A part of a response.
struct ResponsePart: Sendable {
    var bytes: [UInt8]

    /// How many microseconds the server waits before it sends the part.
    var delay: UInt32 = 0

    /// The values that the server reports right before it sends the part and right after it; 0 for no report.
    var markBefore: UInt64 = 0
    var markAfter: UInt64 = 0

    /// Whether the server closes the connection after this part, even if the response announced otherwise.
    var closes = false

    /// This part, after which the server closes the connection.
    var closing: ResponsePart {
        var part = self
        part.closes = true
        return part
    }

    /// Returns a complete response with its `Content-Length`.
    static func whole(status: Int = 200, _ fields: [String: String] = [:], body: [UInt8] = []) -> ResponsePart {
        ResponsePart(bytes: head(status: status, fields, length: body.count) + body)
    }

    /// Returns the bytes of a response's head, up to the empty line; the length is nil for a chunked body.
    static func head(status: Int = 200, _ fields: [String: String] = [:], length: Int?) -> [UInt8] {
        var text = "HTTP/1.1 \(status) Status\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        text += length.map { "Content-Length: \($0)\r\n\r\n" } ?? "Transfer-Encoding: chunked\r\n\r\n"
        return Array(text.utf8)
    }

    /// Returns bytes framed as a chunk; an empty chunk ends the body.
    static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
    }

    fileprivate func add(to connection: OpaquePointer?) {
        bytes.withUnsafeBytes { bytes in
            var part = server_part()
            part.bytes = bytes.baseAddress
            part.count = bytes.count
            part.delay_microseconds = delay
            part.mark_before = markBefore
            part.mark_after = markAfter
            part.closes = closes ? 1 : 0
            server_add(connection, &part)
        }
    }
}
