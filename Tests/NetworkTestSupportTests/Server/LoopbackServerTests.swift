import Foundation
import NetworkTestSupport
import Testing

struct LoopbackServerTests {
    @Test func aServerReturnsItsURL() throws {
        let server = try LoopbackServer { _ in .respond() }
        #expect(server.url.absoluteString == "http://127.0.0.1:\(server.port)")
        #expect(server.url("/a?b=c").absoluteString == "http://127.0.0.1:\(server.port)/a?b=c")
    }

    @Test func aServerRespondsByRoute() throws {
        let server = try LoopbackServer(routes: ["/items": .json("[]"), "POST /items": .respond(status: 201)])
        let client = try RawClient(server)
        try client.get("/items?page=2")
        #expect(try client.read("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"))
        try client.send("POST /items HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
        #expect(try client.read("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"))
        try client.get("/other")
        #expect(try client.read("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"))
    }

    @Test(.enabled(if: (try? Socket.bound(to: .ipv6)) != nil, "no IPv6 here"))
    func aServerListensOnIPv6() throws {
        let server = try LoopbackServer(on: .ipv6) { _ in .respond(status: 204) }
        let socket = try Socket.connected(to: server.port, on: .ipv6)
        try socket.sendAll("GET / HTTP/1.1\r\nHost: h\r\n\r\n".wireBytes)
        #expect(try socket.receive() == "HTTP/1.1 204 No Content\r\n\r\n".wireBytes)
        #expect(server.url.absoluteString == "http://[::1]:\(server.port)")
    }

    @Test func arrivingRequestsEndWaitsForThem() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let second = Task { try await server.request(at: 1) }
        let heads = Task { try await server.waitForHeads(count: 2) }
        let connections = Task { try await server.waitForConnections(count: 1) }
        let client = try RawClient(server)
        try client.get("/first")
        try client.get("/second")
        #expect(try await withDeadline { try await second.value }.path == "/second")
        try await withDeadline { try await heads.value }
        try await withDeadline { try await connections.value }
        #expect(try await server.head(at: 0).path == "/first")
    }

    @Test func stoppingAServerEndsWaitsForRequests() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let waiting = Task { try await server.request(at: 0) }
        server.stop()
        let error = await #expect(throws: ServerStopped.self) { try await withDeadline { _ = try await waiting.value } }
        #expect(error?.description == "The server was stopped before request 0.")
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
