import BenchmarkHarness

/// The connection to a client, for the handler to write to.
public final class ServerConnection: Sendable {
    private struct State {
        var isOpen = true
        var isToBeClosed = false
    }

    private let descriptor: Int32
    private let state = Locked(State())

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Sends a complete response with its `Content-Length`, or with `withholdsBody` only its head, as for HEAD.
    public func send(
        status: Int,
        fields: [String: String] = [:],
        body: [UInt8] = [],
        withholdsBody: Bool = false
    ) throws {
        let head = Self.head(status: status, fields, length: body.count)
        try write(withholdsBody ? head : head + body)
    }

    /// Returns the bytes of a response's head, up to the empty line; the length is nil for a chunked body.
    public static func head(status: Int, _ fields: [String: String] = [:], length: Int?) -> [UInt8] {
        var text = "HTTP/1.1 \(status) Status\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        text += length.map { "Content-Length: \($0)\r\n\r\n" } ?? "Transfer-Encoding: chunked\r\n\r\n"
        return Array(text.utf8)
    }

    /// Returns bytes framed as a chunk; an empty chunk ends the body.
    public static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
    }

    /// Writes bytes unchanged.
    public func write(_ bytes: [UInt8]) throws {
        try Sockets.sendAll(bytes, descriptor)
    }

    /// Closes the connection when the handler returns, even if the response announced otherwise.
    public func closeAfterwards() {
        state.withLock { $0.isToBeClosed = true }
    }

    /// Waits until the client has closed its end, and drops what it sends until then.
    public func waitForEnd() {
        while !receive().isEmpty {}
    }

    var isToBeClosed: Bool { state.withLock { $0.isToBeClosed } }

    /// Reads some bytes; none at the end.
    func receive() -> [UInt8] {
        Sockets.receive(descriptor)
    }

    /// Wakes the connection's thread, under the lock: after a close, the system may reuse the descriptor at once.
    func shutDown() {
        state.withLock { if $0.isOpen { Sockets.shutDown(descriptor) } }
    }

    func close() {
        state.withLock { state in
            if state.isOpen { Sockets.close(descriptor) }
            state.isOpen = false
        }
    }
}

/// A request that the server has read.
public struct IncomingRequest: Sendable {
    /// The method.
    public let method: String

    /// The path and the query.
    public let target: String

    /// The fields by lowercase name; the last one of each name.
    public let fields: [String: String]

    /// The body, without its framing.
    public let body: [UInt8]
}
