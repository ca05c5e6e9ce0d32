import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// Sockets over a real connection: what is sent and received, and each way in which they end.
@Suite(.spec(311, 312)) struct WebSocketTests {
    static let transports = TransportUnderTest.all(without: .opensNoSockets)

    private func lines(of socket: WebSocket) async throws -> [WebSocketMessage] {
        var messages: [WebSocketMessage] = []
        for try await message in socket { messages.append(message) }
        return messages
    }

    /// The reason of the error that an operation throws; nil if it throws none, or none of the client.
    private func reason(_ operation: () async throws -> Void) async -> TransportError.Reason? {
        do {
            try await operation()
            return nil
        } catch {
            return (error as? NetworkClient.Error)?.transportError?.reason
        }
    }

    @Test(arguments: transports)
    func messagesGoBothWaysAndTheServerSeesAnOrdinaryHandshake(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer { .echo($0, headers: ["Sec-WebSocket-Protocol": "chat.v2"]) }
        let client = try kind.client()
        let url = "ws" + server.url("/rooms/7?since=12").absoluteString.dropFirst(4)
        let socket = try await client.webSocket(url, protocols: ["chat.v2", "chat.v1"])
        expect(socket.subprotocol, "chat.v2")
        expect(socket.response.statusCode, 101)
        try await socket.send("hellö")
        try await socket.send(Data([0, 255]))
        try await socket.send(json: ["x": 1])
        try await socket.send("")
        expect(try await socket.receive(), .text("hellö"))
        expect(try await socket.receive(), .binary(Data([0, 255])))
        expect(try await socket.receive(), .text(#"{"x":1}"#))
        expect(try await socket.receive(), .text(""))
        #expect(try await socket.ping() >= 0)
        try await socket.close(reason: "bye")
        expect(socket.closed, WebSocketClosed(code: .normal, reason: "bye"))
        expect(try await lines(of: socket), [])
        await #expect(throws: WebSocketClosed(code: .normal, reason: "bye")) { try await socket.receive() }
        expect(await reason { try await socket.send("late") }, nil)
        await #expect(throws: WebSocketClosed.self) { try await socket.send("late") }

        let request = try await server.request(at: 0)
        expectAll((request.method, request.target), ("GET", "/rooms/7?since=12"))
        let names = ["Connection", "Upgrade", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol"]
        expect(names.map { request.headers[$0] ?? "" }, ["Upgrade", "websocket", "13", "chat.v2, chat.v1"])
        expect(Data(base64Encoded: request.headers["Sec-WebSocket-Key"] ?? "")?.count, 16)
        let absent = ["Accept-Encoding", "Origin", "Transfer-Encoding", "Expect", "Content-Length"]
        expect(absent.filter { request.headers[$0] != nil }, [])
    }

    @Test(arguments: transports)
    func framesMayComeWithTheHead(_ kind: TransportUnderTest) async throws {
        let first = WebSocketPeer.frame(1, Array("a".utf8)) + WebSocketPeer.frame(2, [1]) + [0x81, 1]
        let server = try LoopbackServer { request in
            .webSocket(request, first: first) { peer in
                try peer.send([UInt8(ascii: "c")])
                try peer.send(close: 1000)
                peer.awaitEnd()
            }
        }
        let socket = try await kind.client().webSocket(URLRequest(url: server.url("/")))
        let messages: [WebSocketMessage] = [.text("a"), .binary(Data([1])), .text("c")]
        expect(try await withDeadline { try await lines(of: socket) }, messages)
    }

    @Test(arguments: transports)
    func headAndFramesMayComeByteByByte(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            let bytes = Script.head(for: request).utf8 + WebSocketPeer.frame(1, Array("late".utf8))
            return Script([
                .send("HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"),
                .talk { socket in
                    for byte in bytes { try socket.sendAll([byte]) }
                    try socket.sendAll(WebSocketPeer.frame(8))
                    WebSocketPeer(socket).awaitEnd()
                },
            ])
        }
        let socket = try await kind.client().webSocket(URLRequest(url: server.url("/")))
        expect(try await withDeadline { try await lines(of: socket) }, [.text("late")])
        expect(socket.closed?.code, .noStatus)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        var body = ""
        var reason: TransportError.Reason?
    }

    private static let refusals = [
        Refusal(testDescription: "401 with a body", status: 401, body: "who?"),
        Refusal(testDescription: "403 without a body", status: 403),
        Refusal(testDescription: "426", status: 426, body: "upgrade"),
        Refusal(testDescription: "503", status: 503, body: "later"),
        Refusal(testDescription: "200", status: 200, body: "<html>", reason: .notAWebSocket),
        Refusal(testDescription: "204", status: 204, reason: .notAWebSocket),
    ]

    @Test(arguments: transports, refusals)
    func aRefusalIsAnOrdinaryResponse(_ kind: TransportUnderTest, _ refusal: Refusal) async throws {
        let ended = Gate()
        let server = try LoopbackServer { _ in
            [.respond(status: refusal.status, body: refusal.body), .awaitPeerClose(then: ended)]
        }
        let client = try kind.client()
        do {
            _ = try await withDeadline { try await client.webSocket(URLRequest(url: server.url("/"))) }
            Issue.record("the socket is open")
        } catch NetworkClient.Error.apiError(let response, let data) {
            expectAll((response.statusCode, String(decoding: data, as: UTF8.self)), (refusal.status, refusal.body))
            expect(refusal.reason, nil)
        } catch NetworkClient.Error.requestError(let error) {
            expect(error.reason, refusal.reason)
            expect(error.description, contains: "status \(refusal.status)")
        }
        // The connection has no further use.
        try await ended.wait()
    }

    @Test(arguments: transports)
    func nothingIsWrittenAfterAWrongHandshake(_ kind: TransportUnderTest) async throws {
        let heads = [
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n",
            "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        ]
        for head in heads {
            let written = AwaitableValue<Int?>(nil)
            let server = try LoopbackServer { _ in
                [
                    .send("HTTP/1.1 101 Switching Protocols\r\n" + head),
                    .talk { socket in
                        var count = 0
                        while let bytes = try? socket.receive(), !bytes.isEmpty { count += bytes.count }
                        written.update { $0 = count }
                    },
                ]
            }
            let client = try kind.client()
            let reason = await reason { _ = try await client.webSocket(URLRequest(url: server.url("/"))) }
            expect(reason, .malformedResponse)
            expect(try await written.wait { $0 }, 0)
        }
    }

    struct End: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: @Sendable (WebSocketPeer) throws -> Void
        var code: WebSocketCloseCode?
        var reason: TransportError.Reason?
    }

    private static let ends = [
        End(testDescription: "1000", end: { try $0.send(close: 1000) }),
        End(testDescription: "no code", end: { try $0.send(WebSocketPeer.frame(8)) }),
        End(testDescription: "1001", end: { try $0.send(close: 1001) }, code: .goingAway),
        End(testDescription: "4000", end: { try $0.send(close: 4000, "token") }, code: .init(rawValue: 4000)),
        End(testDescription: "the end of TCP", end: { _ in }, reason: .connectionLost),
        End(testDescription: "a reset", end: { $0.reset() }, reason: .connectionLost),
        End(testDescription: "within a frame", end: { try $0.send([0x81, 5, 0x61]) }, reason: .connectionLost),
        End(
            testDescription: "a masked frame",
            end: { try $0.send([0x81, 0x80, 0, 0, 0, 0]) },
            reason: .malformedResponse
        ),
        End(testDescription: "no UTF-8", end: { try $0.send([0x81, 1, 0xFF]) }, reason: .malformedResponse),
    ]

    @Test(arguments: transports, ends)
    func onlyACloseWithoutAnErrorEndsTheMessages(_ kind: TransportUnderTest, _ end: End) async throws {
        // A reset may overtake messages.
        for count in end.testDescription == "a reset" ? [0] : [0, 3] { try await checkEnd(kind, end, after: count) }
    }

    private func checkEnd(_ kind: TransportUnderTest, _ end: End, after count: Int) async throws {
        let server = try LoopbackServer { request in
            .webSocket(request) { peer in
                for _ in 0..<count { try peer.send("m") }
                try end.end(peer)
                if end.code != nil || end.reason == .malformedResponse { peer.awaitEnd() }
            }
        }
        let socket = try await kind.client().webSocket(URLRequest(url: server.url("/")))
        try await withDeadline {
            for _ in 0..<count { expect(try await socket.receive(), .text("m")) }
            do {
                expect(try await lines(of: socket), [])
                expectAll((end.code, end.reason), (nil, nil))
            } catch let closed as WebSocketClosed {
                expect(closed.code, end.code ?? .normal)
                expect("\(closed)", lacks: "token")
            } catch NetworkClient.Error.requestError(let error) {
                expect(error.reason, end.reason)
            }
        }
    }

    @Test(arguments: transports)
    func aServerWaitsForASlowReader(_ kind: TransportUnderTest) async throws {
        let (count, size) = (400, 1 << 16)
        let server = try LoopbackServer { .flood($0, count: count, size: size) }
        let socket = try await kind.client().webSocket(
            URLRequest(url: server.url("/")),
            socketOptions: WebSocketOptions { $0.receiveBuffer = 1 << 16 }
        )
        try await withDeadline {
            while !socket.opened.connection.channel.isPaused { await Task.yield() }
            // A message can be sent although nothing is read.
            for _ in 0..<20 { try await socket.send("up") }
            var bytes = 0
            for try await message in socket { bytes += message.data.count }
            expect(bytes, count * size)
        }
    }

    @Test(arguments: transports)
    func bothEndsMaySendMuchAtOnce(_ kind: TransportUnderTest) async throws {
        let (count, size) = (40, 1 << 18)
        let server = try LoopbackServer { .echo($0) }
        let socket = try await kind.client().webSocket(
            URLRequest(url: server.url("/")),
            socketOptions: WebSocketOptions { $0.closeTimeout = 60 }
        )
        try await withDeadline {
            async let sent: Void = {
                for index in 0..<count { try await socket.send(Data(repeating: UInt8(index), count: size)) }
                try await socket.close()
            }()
            var received = 0
            for try await message in socket {
                expect(message.data == Data(repeating: UInt8(received), count: size), true)
                received += 1
            }
            try await sent
            expect(received, count)
        }
    }
}
