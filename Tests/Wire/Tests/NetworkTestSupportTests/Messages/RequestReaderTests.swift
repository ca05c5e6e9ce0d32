import Foundation
import NetworkTestSupport
import Testing

struct RequestReaderTests {
    @Test func aRequestReaderRecordsTheHeadUnchanged() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try RawClient(server)
        let head = "GET /a%20b?x=1?2 HTTP/1.1\r\nhost: h\r\nX-b:  two words \r\nx-B:\r\nA: \u{e9}\r\n\r\n"
        try client.send(head)
        let request = try await withDeadline { try await server.request(at: 0) }
        #expect(request.headText == head)
        #expect([request.method, request.target] == ["GET", "/a%20b?x=1?2"])
        #expect(request.path == "/a%20b")
        #expect(request.query == "x=1?2")
        #expect(request.headers.map(\.description) == ["host: h", "X-b: two words", "x-B: ", "A: \u{e9}"])
        #expect(request.value(forHeader: "X-B") == "two words")
        #expect(request.headers.values(for: "x-b") == ["two words", ""])
        #expect(request.value(forHeader: "y") == nil)
        #expect(request.framing == .none)
        #expect(request.isComplete)
    }

    @Test func aRequestReaderReadsABodyByItsLength() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try RawClient(server)
        let body = String(repeating: "0123456789", count: 20_000)
        try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 200000\r\n\r\n\(body)")
        let request = try await withDeadline { try await server.request(at: 0) }
        #expect(request.framing == .contentLength(200_000))
        #expect(request.bodyText == body)
        #expect(request.bodyLength == 200_000)
    }

    @Test func aRequestReaderReadsAChunkedBody() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try RawClient(server)
        let body = "3;note=x\r\nabc\r\n0A\r\n0123456789\r\n0\r\nX-Sum: 7\r\nx-more: 8\r\n\r\n"
        // In pieces of one byte each, so that every line is cut everywhere.
        for byte in "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(body)".utf8 {
            try client.send([byte])
        }
        let request = try await withDeadline { try await server.request(at: 0) }
        #expect(request.framing == .chunked)
        #expect(request.bodyText == "abc0123456789")
        #expect(request.isComplete)
    }

    @Test(arguments: [
        ("hello\r\n\r\n", "a request line that is not method, target and version"),
        ("\r\nGET / HTTP/1.1\r\n\r\n", "a request line that is not method, target and version"),
        ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", "a request line that is not method, target and version"),
        ("GET /\u{e9} HTTP/1.1\r\nHost: h\r\n\r\n", "a request line that is not method, target and version"),
        ("GET / HTTP/2\r\nHost: h\r\n\r\n", "an unknown version"),
        ("GET / HTTP/1.1\nHost: h\n\n", "a line that does not end in CR LF"),
        ("GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n", "a control character in a header value"),
        ("GET / HTTP/1.1\r\nHost : h\r\n\r\n", "a header name that is not a token"),
        ("GET / HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n", "a header line without a colon"),
        ("GET / HTTP/1.1\r\n\r\n", "not exactly one Host field"),
        ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", "not exactly one Host field"),
        ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", "a Content-Length that is not a number"),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "contradicting Content-Length and Transfer-Encoding"
        ),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            "a chunk size that is not a number"
        ),
        (
            "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA\r\n\r\n",
            "a header line without a colon"
        ),
        (
            "GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n",
            "a chunk longer than its size"
        ),
    ])
    func aRequestReaderRefusesInvalidRequests(_ bytes: String, reason: String) throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try RawClient(server)
        try client.send(bytes)
        let refusal = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        #expect(try client.readToEnd() == refusal)
        #expect(server.malformed == [reason])
        #expect(server.requests.isEmpty)
    }

    @Test func aRequestReaderKeepsTheReceivedPartOfATruncatedRequest() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try RawClient(server)
        try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n1234")
        try await withDeadline { try await server.waitForHeads(count: 1) }
        client.socket.closeNow()
        try await withDeadline { try await server.waitForOpenConnections(0) }
        #expect(server.requests.isEmpty)
        #expect(server.truncated.map(\.bodyText) == ["1234"])
        #expect(server.truncated.first?.isComplete == false)
        #expect(server.malformed.isEmpty)
    }

    @Test func aRequestReaderNeedsNoMemoryForABodyThatIsOnlyCounted() async throws {
        let server = try LoopbackServer(recording: .withoutBodies) { _ in .respond() }
        let client = try RawClient(server)
        try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 8000000\r\n\r\n")
        for _ in 0..<8 {
            try client.send([UInt8](repeating: 0, count: 1_000_000))
        }
        let request = try await withDeadline { try await server.request(at: 0) }
        #expect(request.bodyLength == 8_000_000)
        #expect(request.body.isEmpty)
        #expect(request.isComplete)
    }
}
