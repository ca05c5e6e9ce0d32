import Foundation
import NetworkTestSupport
import Testing

struct ScriptPlayerTests {
    @Test func aScriptSendsBytesUnchanged() throws {
        let server = try LoopbackServer { _ in [.send("HTTP/1.1 2"), .send([0x30, 0x30]), .send(Data([10])), .close] }
        let client = try RawClient(server)
        try client.get()
        #expect(try client.readToEnd() == "HTTP/1.1 200\n")
    }

    @Test func aScriptWaitsAtAGateInTheMiddleOfABody() async throws {
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

    @Test func aScriptRepeatsBytesWithoutHoldingThemInMemory() throws {
        let server = try LoopbackServer { _ in [.send("<"), .repeat("abc", count: 100_000), .send(">"), .close] }
        let client = try RawClient(server)
        try client.get()
        let all = try client.readToEnd()
        #expect(all == "<" + String(repeating: "abc", count: 100_000) + ">")
    }

    @Test func aScriptSurvivesAPeerThatClosesWithoutReading() async throws {
        let server = try LoopbackServer { _ in .repeat("0123456789", count: 1_000_000_000) }
        let client = try RawClient(server)
        try client.get()
        #expect(try client.read("0123456789"))
        client.socket.closeNow()
        try await withDeadline { try await server.waitForOpenConnections(0) }
    }

    @Test func aTunnelMovesBytesInBothDirections() async throws {
        let target = try LoopbackServer { .respond(body: $0.path) }
        let proxy = try LoopbackServer { [port = target.port] _ in [.send("open"), .tunnel(to: port)] }
        let client = try RawClient(proxy)
        try client.send("CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.read("open"))
        try client.get("/a", headers: "Connection: close\r\n")
        #expect(try client.readToEnd().hasSuffix("\r\n\r\n/a"))
    }
}

struct EarlyAnswerTests {
    private static let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
    private static let proceed = "HTTP/1.1 100 Continue\r\n\r\n"
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 4\r\n\r\n1234"
    private static let tooLarge = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n"

    @Test func anInterimResponseIsSentBeforeTheBodyIsRead() throws {
        let server = try LoopbackServer(onHead: { _ in .interim(.respond(status: 100)) }) {
            .respond(body: $0.bodyText)
        }
        let client = try RawClient(server)
        try client.send(Self.head)
        #expect(try client.read(Self.proceed))
        #expect(server.heads.map(\.method) == ["POST"])
        #expect(server.requests.isEmpty)
        try client.send("1234")
        #expect(try client.read(Self.ok))
        #expect(server.requests.map(\.bodyText) == ["1234"])
    }

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
