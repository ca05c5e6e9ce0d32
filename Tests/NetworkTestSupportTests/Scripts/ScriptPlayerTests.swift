import Foundation
import NetworkTestSupport
import Testing

struct ScriptPlayerTests {
    @Test func sendsBytesAsTheyAre() throws {
        let server = try LoopbackServer { _ in [.send("HTTP/1.1 2"), .send([0x30, 0x30]), .send(Data([10])), .close] }
        let client = try RawClient(server)
        try client.get()
        #expect(try client.readToEnd() == "HTTP/1.1 200\n")
    }

    @Test func waitsAtAGateInTheMiddleOfABody() async throws {
        let gate = Gate()
        let reached = Gate()
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n12"), .open(reached), .wait(gate), .send("34")]
        }
        let client = try RawClient(server)
        try client.get()
        #expect(try client.read("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n12"))
        try await withDeadline { try await reached.wait() }
        gate.open()
        #expect(try client.read("34"))
    }

    @Test func seesThePeerClose() async throws {
        let closed = Gate()
        let server = try LoopbackServer { _ in [.awaitPeerClose(then: closed)] }
        let client = try RawClient(server)
        try client.get()
        try client.send("bytes that nobody reads")
        try await withDeadline { try await server.waitForRequests(count: 1) }
        #expect(!closed.isOpen)
        client.socket.closeNow()
        try await withDeadline { try await closed.wait() }
        try await withDeadline { try await server.waitForOpenConnections(0) }
    }

    @Test func seesThePeerResetItsConnection() async throws {
        let closed = Gate()
        let server = try LoopbackServer { _ in [.awaitPeerClose(then: closed)] }
        let client = try RawClient(server)
        try client.get()
        try await withDeadline { try await server.waitForRequests(count: 1) }
        client.socket.reset()
        try await withDeadline { try await closed.wait() }
    }

    @Test func leavesAGateWhenThePeerCloses() async throws {
        let left = Gate()
        let server = try LoopbackServer { _ in [.wait(Gate(), orPeerClose: true), .open(left)] }
        let client = try RawClient(server)
        try client.get()
        try await withDeadline { try await server.waitForRequests(count: 1) }
        #expect(!left.isOpen)
        client.socket.closeNow()
        try await withDeadline { try await left.wait() }
    }

    @Test func keepsTheNextRequestWhileItWatchesForAClose() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            [.wait(gate, orPeerClose: true), .respond(headers: ["X-Path": request.path])]
        }
        let client = try RawClient(server)
        try client.get("/1")
        try await withDeadline { try await server.waitForRequests(count: 1) }
        try client.get("/2")
        gate.open()
        #expect(try client.read("HTTP/1.1 200 OK\r\nX-Path: /1\r\nContent-Length: 0\r\n\r\n"))
        #expect(try client.read("HTTP/1.1 200 OK\r\nX-Path: /2\r\nContent-Length: 0\r\n\r\n"))
    }

    @Test func goesOnReadingAfterItHasEndedItsDirection() async throws {
        let closed = Gate()
        let server = try LoopbackServer { _ in [.send("bye"), .closeWrite, .awaitPeerClose(then: closed)] }
        let client = try RawClient(server)
        try client.get()
        #expect(try client.readToEnd() == "bye")
        try client.send("still there")
        #expect(server.openConnectionCount == 1)
        client.socket.closeNow()
        try await withDeadline { try await closed.wait() }
    }

    @Test func closesAfterTheLastStepWhenItsDirectionHasEnded() async throws {
        let server = try LoopbackServer { _ in [.send("bye"), .closeWrite] }
        let client = try RawClient(server)
        try client.get()
        #expect(try client.readToEnd() == "bye")
        try await withDeadline { try await server.waitForOpenConnections(0) }
    }

    @Test func resetsTheConnection() throws {
        let server = try LoopbackServer { _ in [.reset] }
        let client = try RawClient(server)
        try client.get()
        let error = #expect(throws: SocketError.self) { try client.readToEnd() }
        #expect(error == SocketError(call: "recv", code: ECONNRESET))
    }

    @Test func repeatsBytesWithoutHoldingThem() throws {
        let server = try LoopbackServer { _ in [.send("<"), .repeat("abc", count: 100_000), .send(">"), .close] }
        let client = try RawClient(server)
        try client.get()
        let all = try client.readToEnd()
        #expect(all == "<" + String(repeating: "abc", count: 100_000) + ">")
        #expect(server.bytesSent == 300_002)
    }

    @Test func stopsAtABackedUpPeerAndSurvivesItsDeparture() async throws {
        let began = Gate()
        let server = try LoopbackServer { _ in [.send("x"), .open(began), .repeat("0123456789", count: 1_000_000_000)] }
        let client = try RawClient(server)
        try client.get()
        try await withDeadline { try await began.wait() }
        #expect(try client.read("x0123456789"))
        client.socket.closeNow()
        try await withDeadline { try await server.waitForOpenConnections(0) }
        #expect(server.bytesSent < 100_000_000)
    }
}
