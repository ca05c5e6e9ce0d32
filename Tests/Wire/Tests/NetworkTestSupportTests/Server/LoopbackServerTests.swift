import Foundation
import NetworkTestSupport
import Testing

struct LoopbackServerTests {
    @Test func aServerRespondsToRequestsInOnePacket() throws {
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
        #expect(server.requests.map(\.indexOnConnection) == [0, 1, 2])
    }

    @Test(arguments: ["1.1\r\nHost: h\r\nConnection: Close", "1.1\r\nHost: h\r\nConnection: x, close", "1.0"])
    func aServerClosesAConnectionThatTheClientWantsToEnd(versionAndFields: String) throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try RawClient(server)
        try client.send("GET / HTTP/\(versionAndFields)\r\n\r\n")
        #expect(try client.readToEnd() == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func cancellingATaskEndsItsWaitForRequests() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let waiting = Task { try await server.waitForRequests(count: 1) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await waiting.value } }
    }

    @Test func aStoppedServerRefusesConnections() throws {
        // Once in a long while another test's server has got the port in between.
        let isRefused = try (0..<5).contains { _ in
            let server = try LoopbackServer { _ in .respond() }
            server.stop()
            server.stop()
            do {
                _ = try RawClient(server)
                return false
            } catch let error as SocketError {
                return error == SocketError(call: "connect", code: ECONNREFUSED)
            }
        }
        #expect(isRefused)
    }
}
