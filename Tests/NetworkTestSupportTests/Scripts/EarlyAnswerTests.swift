import NetworkTestSupport
import Testing

struct EarlyAnswerTests {
    private static let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
    private static let proceed = "HTTP/1.1 100 Continue\r\n\r\n"
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 4\r\n\r\n1234"
    private static let tooLarge = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n"

    @Test func noneIsSentUnasked() throws {
        let server = try LoopbackServer { .respond(body: $0.bodyText) }
        let client = try RawClient(server)
        try client.send(Self.head + "1234")
        #expect(try client.read(Self.ok))
    }

    @Test func anInterimOneComesBeforeTheBody() throws {
        let server = try LoopbackServer(onHead: EarlyAnswer.proceedIfExpected) { .respond(body: $0.bodyText) }
        let client = try RawClient(server)
        try client.send(Self.head)
        #expect(try client.read(Self.proceed))
        #expect(server.heads.map(\.method) == ["POST"])
        #expect(server.requests.isEmpty)
        try client.send("1234")
        #expect(try client.read(Self.ok))
        #expect(server.requests.map(\.bodyText) == ["1234"])
    }

    @Test func aFinalOneLeavesTheConnectionForTheNextRequest() async throws {
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

    @Test func aFinalOneCanCloseWithoutTheBody() async throws {
        let server = try LoopbackServer(onHead: { _ in .final([.respond(status: 413), .close]) }) { _ in .respond() }
        let client = try RawClient(server)
        try client.send(Self.head)
        #expect(try client.readToEnd() == Self.tooLarge)
        let request = try await withDeadline { try await server.request(at: 0) }
        #expect(!request.isComplete)
        #expect(server.truncated.isEmpty)
    }
}
