import NetworkTestSupport
import Testing

struct ScriptedResponseTests {
    private static let type = "Content-Type: application/octet-stream\r\n"

    @Test(
        arguments: [
            (.respond(body: "hi"), "HTTP/1.1 200 OK\r\n\(type)Content-Length: 2\r\n\r\nhi"),
            (.respond(status: 999), "HTTP/1.1 999 Status\r\nContent-Length: 0\r\n\r\n"),
            (.respond(status: 200, reason: ""), "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n"),
            (.respond(status: 204), "HTTP/1.1 204 No Content\r\n\r\n"),
            (.respond(status: 304, headers: ["ETag": "\"a\""]), "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"),
            (.respond(length: .omitted, body: "hi"), "HTTP/1.1 200 OK\r\n\(type)\r\nhi"),
            (.respond(length: .omitted), "HTTP/1.1 200 OK\r\n\(type)\r\n"),
            (.respond(length: .stated(9), body: "hi"), "HTTP/1.1 200 OK\r\n\(type)Content-Length: 9\r\n\r\nhi"),
            (
                .respond(headers: ["content-type": "a/b"], body: "hi"),
                "HTTP/1.1 200 OK\r\ncontent-type: a/b\r\nContent-Length: 2\r\n\r\nhi"
            ),
            (
                .respond(headers: ["Set-Cookie": "a=1", "set-cookie": "b=2"]),
                "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nContent-Length: 0\r\n\r\n"
            ),
            (
                .json("{}", status: 201),
                "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
            ),
            (
                .redirect(to: "/next", status: 307),
                "HTTP/1.1 307 Temporary Redirect\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n"
            ),
            (
                .chunked(["abc", "", "0123456789abcdef"], trailers: ["X-Sum": "7"]),
                "HTTP/1.1 200 OK\r\n\(type)Transfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nX-Sum: 7\r\n\r\n"
            ),
            ([.chunk("abc"), .chunk("")], "3\r\nabc\r\n"),
        ] as [(Script, String)]
    )
    func aScriptedResponseIsSentByteForByte(_ script: Script, expected: String) throws {
        let server = try LoopbackServer { _ in [script, .close] }
        let client = try RawClient(server)
        try client.get()
        #expect(try client.readToEnd() == expected)
    }

    @Test func aScriptedResponseToHEADIsOnlyAHead() throws {
        let server = try LoopbackServer { _ in .respond(body: "hi") }
        let client = try RawClient(server)
        try client.send("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(try client.readToEnd() == "HTTP/1.1 200 OK\r\n\(Self.type)Content-Length: 2\r\n\r\n")
    }
}
