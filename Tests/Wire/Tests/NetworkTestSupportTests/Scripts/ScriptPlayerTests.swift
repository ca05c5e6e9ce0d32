import Foundation
import NetworkTestSupport
import Testing

struct ScriptPlayerTests {
    @Test(arguments: [true, false])
    func aScriptNoticesThatThePeerClosesOrResetsItsConnection(byReset: Bool) async throws {
        let closed = Gate()
        let server = try LoopbackServer { _ in [.awaitPeerClose(then: closed)] }
        let client = try RawClient(server)
        try client.get()
        try client.send("bytes that nobody reads")
        try await withDeadline { try await server.waitForRequests(count: 1) }
        #expect(!closed.isOpen)
        byReset ? client.socket.reset() : client.socket.closeNow()
        try await withDeadline { try await closed.wait() }
        try await withDeadline { try await server.waitForOpenConnections(0) }
    }

    @Test func aScriptEndsItsWaitAtAGateWhenThePeerCloses() async throws {
        let left = Gate()
        let server = try LoopbackServer { _ in [.wait(Gate(), orPeerClose: true), .open(left)] }
        let client = try RawClient(server)
        try client.get()
        try await withDeadline { try await server.waitForRequests(count: 1) }
        #expect(!left.isOpen)
        client.socket.closeNow()
        try await withDeadline { try await left.wait() }
    }

    @Test func aScriptKeepsTheNextRequestWhileItWaitsForAClose() async throws {
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

    @Test func aScriptContinuesReadingAfterItHasEndedItsDirection() async throws {
        let closed = Gate()
        let server = try LoopbackServer { _ in [.send("bye"), .closeWrite, .awaitPeerClose(then: closed)] }
        let client = try RawClient(server)
        try client.get()
        #expect(try client.readToEnd() == "bye")
        try client.send("still there")
        client.socket.closeNow()
        try await withDeadline { try await closed.wait() }
    }

    @Test func aScriptResetsTheConnection() throws {
        let server = try LoopbackServer { _ in [.reset] }
        let client = try RawClient(server)
        try client.get()
        let error = #expect(throws: SocketError.self) { try client.readToEnd() }
        #expect(error == SocketError(call: "recv", code: ECONNRESET))
    }
}

struct EarlyAnswerTests {
    private static let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
    private static let tooLarge = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n"

    @Test func anEarlyFinalResponseKeepsTheConnectionForTheNextRequest() async throws {
        let server = try LoopbackServer(onHead: { $0.method == "POST" ? .final(.respond(status: 413)) : .none }) { _ in
            .respond(status: 204)
        }
        let client = try RawClient(server)
        try client.send(Self.head)
        #expect(try client.read(Self.tooLarge))
        try client.send("1234")
        try client.get()
        #expect(try client.read("HTTP/1.1 204 No Content\r\n\r\n"))
        #expect(server.requests.map(\.bodyText) == ["1234", ""])
        #expect(server.requests.map(\.isComplete) == [true, true])
    }

    @Test func anEarlyFinalResponseCanCloseTheConnectionWithoutReadingTheBody() async throws {
        let server = try LoopbackServer(onHead: { _ in .final([.respond(status: 413), .close]) }) { _ in .respond() }
        let client = try RawClient(server)
        try client.send(Self.head)
        #expect(try client.readToEnd() == Self.tooLarge)
        let request = try await withDeadline { try await server.request(at: 0) }
        #expect(!request.isComplete)
        #expect(server.truncated.isEmpty)
    }
}
