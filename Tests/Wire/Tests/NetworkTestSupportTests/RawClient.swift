import NetworkTestSupport

/// A client that knows nothing of HTTP: writes what it is told and reads what comes.
final class RawClient: Sendable {
    let socket: Socket

    init(_ server: LoopbackServer) throws {
        socket = try Socket.connected(to: server.port)
        // Only a guard: a test that would hang fails.
        socket.setReceiveTimeout(seconds: 5)
    }

    func send(_ bytes: some WireBytes) throws {
        try socket.sendAll(bytes.wireBytes)
    }

    /// A request without body.
    func get(_ target: String = "/", headers: String = "") throws {
        try send("GET \(target) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n")
    }

    /// Reads as many bytes as `expected` has; they are compared as text.
    func read(_ expected: String) throws -> Bool {
        try read(count: expected.utf8.count) == expected
    }

    func read(count: Int) throws -> String {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try socket.receive(upTo: count - bytes.count)
            if more.isEmpty { break }
            bytes += more
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads until the server closes.
    func readToEnd() throws -> String {
        var bytes: [UInt8] = []
        while case let more = try socket.receive(), !more.isEmpty {
            bytes += more
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
