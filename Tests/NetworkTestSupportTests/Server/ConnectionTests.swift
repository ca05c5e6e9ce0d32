import NetworkTestSupport
import Testing

struct ConnectionTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 2\r\n\r\nok"

    @Test func aConnectionRespondsToConsecutiveRequests() throws {
        let server = try LoopbackServer { _ in .respond(body: "ok") }
        let client = try RawClient(server)
        for _ in 0..<3 {
            try client.get()
            #expect(try client.read(Self.ok))
        }
        let other = try RawClient(server)
        try other.get()
        #expect(try other.read(Self.ok))
        #expect(server.requests.map(\.connection) == [0, 0, 0, 1])
        #expect(server.requests.map(\.indexOnConnection) == [0, 1, 2, 0])
        #expect(server.connectionCount == 2)
        #expect(server.openConnectionCount == 2)
    }

    @Test func aConnectionRespondsToRequestsInOnePacket() throws {
        let server = try LoopbackServer { .respond(body: $0.path + $0.bodyText) }
        let client = try RawClient(server)
        try client.send(
            "POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\na"
                + "POST /2 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\n\r\n"
                + "GET /3 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
        )
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"
        let bodies = ["/1a", "/2b", "/3"].map { "\(head)Content-Length: \($0.count)\r\n\r\n\($0)" }
        #expect(try client.readToEnd() == bodies.joined())
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: Close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: x, close\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
    ])
    func aConnectionClosesAfterARequestThatAsksForIt(_ request: String) async throws {
        let server = try LoopbackServer { _ in .respond(body: "ok") }
        let client = try RawClient(server)
        try client.send(request)
        #expect(try client.readToEnd() == Self.ok)
        try await withDeadline { try await server.waitForOpenConnections(0) }
    }

    @Test func anIdleConnectionEndsWhenThePeerClosesIt() async throws {
        let server = try LoopbackServer { _ in .respond(body: "ok") }
        let clients = try (0..<5).map { _ in try RawClient(server) }
        for client in clients {
            try client.get()
            #expect(try client.read(Self.ok))
        }
        #expect(server.openConnectionCount == 5)
        for client in clients {
            client.socket.closeNow()
        }
        try await withDeadline { try await server.waitForOpenConnections(0) }
        #expect(server.connectionCount == 5)
    }
}
