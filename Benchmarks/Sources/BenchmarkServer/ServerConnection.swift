import BenchmarkHarness

/// One client's connection, for the handler to write to.
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

    /// Sends a whole answer, with its length.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - fields: Further header fields.
    ///   - body: The body.
    ///   - withholdsBody: Whether only the head is sent, as for HEAD.
    /// - Throws: ``SocketError`` if the client has gone.
    public func send(
        status: Int,
        fields: [String: String] = [:],
        body: [UInt8] = [],
        withholdsBody: Bool = false
    ) throws {
        let head = Self.head(status: status, fields, length: body.count)
        try write(withholdsBody ? head : head + body)
    }

    /// The head of an answer.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - fields: Header fields.
    ///   - length: The `Content-Length`; nil for chunks.
    /// - Returns: The bytes, with the empty line.
    public static func head(status: Int, _ fields: [String: String] = [:], length: Int?) -> [UInt8] {
        var text = "HTTP/1.1 \(status) Status\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        text += length.map { "Content-Length: \($0)\r\n\r\n" } ?? "Transfer-Encoding: chunked\r\n\r\n"
        return Array(text.utf8)
    }

    /// One chunk of a chunked body; an empty one ends it.
    ///
    /// - Parameter bytes: What it holds.
    /// - Returns: The bytes with their framing.
    public static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
    }

    /// Writes bytes as they are.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: ``SocketError`` if the client has gone.
    public func write(_ bytes: [UInt8]) throws {
        try Sockets.sendAll(bytes, descriptor)
    }

    /// Has the connection closed when the handler returns, whatever the client was told.
    public func closeAfterwards() {
        state.withLock { $0.isToBeClosed = true }
    }

    /// Returns when the client has closed its end; what it sends until then is dropped.
    public func waitForEnd() {
        while !receive().isEmpty {}
    }

    var isToBeClosed: Bool { state.withLock { $0.isToBeClosed } }

    /// Empty at the end.
    func receive() -> [UInt8] {
        Sockets.receive(descriptor)
    }

    /// Wakes the connection's thread; under the lock, since a closed descriptor may be somebody else's a moment later.
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
