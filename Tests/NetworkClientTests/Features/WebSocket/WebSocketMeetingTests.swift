import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// Where a socket meets slots, limits and the cache, and what it gives back when it is left.
@Suite(.spec(312, 314)) struct WebSocketMeetingTests {
    @Test(arguments: WebSocketTests.transports, ["cancel", "cancelAll", "release", "task"])
    func aSocketThatIsGivenUpEndsItsConnection(_ kind: TransportUnderTest, way: String) async throws {
        let ended = AwaitableValue<String?>(nil)
        let server = try LoopbackServer { request in
            .webSocket(request) { peer in
                let frame = try? peer.next()
                ended.update { $0 = frame?.description ?? "the end" }
            }
        }
        let client = try kind.client()
        var socket: WebSocket? = try await client.webSocket(URLRequest(url: server.url("/")))
        if way == "release" {
            socket = nil
        } else {
            let reader = Task { [socket] in try await socket?.receive() }
            if way == "cancel" { socket?.cancel() }
            if way == "cancelAll" { client.cancelAll() }
            if way == "task" { reader.cancel() }
            await #expect(throws: CancellationError.self) { try await withDeadline { try await reader.value } }
        }
        expect(try await ended.wait { $0 }, "the end")
        expect(client.calls.count, 0)
        socket = nil
    }

    @Test(arguments: WebSocketTests.transports)
    func anOpenSocketHasNoSlotAndNoLimitOfItsCall(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer { $0.path == "/socket" ? .echo($0) : .respond(body: "ok") }
        let client = NetworkClient(transport: try kind.transport(hasOneConnection: true))
        let options = CallOptions { ($0.attemptTimeout, $0.idleTimeout, $0.deadline) = (2, 2, 2) }
        var sockets: [WebSocket] = []
        for _ in 0..<3 {
            sockets.append(try await client.webSocket(URLRequest(url: server.url("/socket")), options: options))
        }
        let (time, begin) = (SystemTimeSource(), SystemTimeSource().now)
        while time.now - begin < 2.1 {
            let response = try await client.fetch(request: URLRequest(url: server.url("/")), as: String.self)
            expect(response.item, "ok")
        }
        for socket in sockets {
            try await socket.send("still there")
            expect(try await socket.receive(), .text("still there"))
        }
    }

    /// The reader returns at the server's Close, and releases the socket.
    @Test(arguments: WebSocketTests.transports)
    func theServerGetsTheReplyToItsCloseFromAReaderThatLeaves(_ kind: TransportUnderTest) async throws {
        let replies = AwaitableValue<[String]>([])
        let server = try LoopbackServer { request in
            .webSocket(request) { peer in
                try peer.send(close: 1000)
                let reply = try? peer.next()
                replies.update { $0.append(reply?.description ?? "none") }
            }
        }
        let client = try kind.client()
        for _ in 0..<20 {
            for try await _ in try await client.webSocket(URLRequest(url: server.url("/"))) {}
        }
        expect(try await replies.wait { $0.count == 20 ? Set($0) : nil }, ["close 1000 "])
    }

    /// A transport around another one.
    private struct Wrapper: Transport {
        let base: any Transport
        let wrap: @Sendable (TransportResponse) -> TransportResponse

        var defaults: TransportDefaults { base.defaults }
        var description: String { "Wrapper" }

        func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
            wrap(try await base.send(request, options: options))
        }
    }

    @Test func aTransportAroundAnotherPassesTheSocketOn() async throws {
        let stub = StubTransport()
        stub.on(.any, .webSocket { await $0.send("open") })
        let (parts, request) = (Recorder<String>(), URLRequest(url: url("wss://example.com/a")))
        let observing = Wrapper(base: stub) { response in
            response.observingBody { parts.record("\((try? $0.get())?.count ?? 0) bytes") }
        }
        for transport in [observing, HARRecorder(wrapping: stub)] as [any Transport] {
            let socket = try await NetworkClient(transport: transport).webSocket(request)
            expect(try await socket.receive(), .text("open"))
        }
        expect(parts.values, ["0 bytes"])
        let losing = Wrapper(base: stub) { TransportResponse(response: $0.response) }
        let others: [any Transport] = SessionPlatform.opensSockets ? [] : [URLSessionTransport()]
        for transport in [losing] + others {
            let error = await #expect(throws: NetworkClient.Error.self) {
                try await NetworkClient(transport: transport).webSocket(request)
            }
            expect(error?.transportError?.reason, .unsupported)
        }
    }

    /// Neither waits for a reader that has read one of two messages, on a clock that advances itself.
    @Test(arguments: ["close", "ping", "nothing"])
    func aMessageThatIsTooLongEndsASocketOfAStubWithoutAReader(call: String) async throws {
        let clock = TestClock(advancesItself: true)
        let (stub, isSent) = (StubTransport(time: clock), Gate())
        stub.on(
            .any,
            .webSocket { peer in
                for length in [1, 2, 11] { await peer.send(Data(count: length)) }
                isSent.open()
                while await peer.next() != nil {}
            }
        )
        let socket = try await NetworkClient(transport: stub, configuration: .init(time: clock)).webSocket(
            URLRequest(url: url("https://example.com/a")),
            socketOptions: WebSocketOptions { $0.messageLimit = 10 }
        )
        expect(try await socket.receive(), .binary(Data(count: 1)))
        try await isSent.wait()
        try await withDeadline {
            if call == "close" { try await socket.close() }
            if call == "ping" { await #expect(throws: NetworkClient.Error.self) { try await socket.ping() } }
        }
        expect(try await socket.receive(), .binary(Data(count: 2)))
        let error = await #expect(throws: NetworkClient.Error.self) { try await socket.receive() }
        expect(error?.transportError?.reason, .malformedResponse)
    }

    @Test func aCacheHasNoPartInAnOpening() async throws {
        let transport = StubTransport()
        let fresh = HeaderField.custom(name: "Cache-Control", value: "max-age=100")
        transport.on(.get("/a"), .text("stored").setting(header: fresh), .webSocket { _ in })
        let client = NetworkClient(transport: transport, configuration: .init(cache: ResponseCache()))
        let request = URLRequest(url: url("https://example.com/a"))
        expect(try await client.fetch(request: request, as: String.self).item, "stored")
        // Nor has an opt-in to sharing.
        async let one = client.webSocket(request.withInstanceCaching())
        async let other = client.webSocket(request.withInstanceCaching())
        #expect(try await one !== other)
        expect(try await client.fetch(request: request, as: String.self).item, "stored")
        expect(transport.requests.count, 3)
    }

    #if os(Linux)
    @Test func aSocketGivesItsSlotBackInEachWayInWhichItEnds() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/refused": .respond(status: 401)
            case "/wrong": .send("HTTP/1.1 101 Switching Protocols\r\n\r\n")
            case "/lost": .webSocket(request) { _ in }
            case "/closed": .webSocket(request) { try $0.send(close: 1000) }
            default: .echo(request)
            }
        }
        let transport = try CurlTransport(configuration: .init(connections: 1))
        let client = NetworkClient(transport: transport)
        func open(_ path: String) async throws -> WebSocket {
            try await withDeadline { try await client.webSocket(URLRequest(url: server.url(path))) }
        }
        for _ in 0..<3 {
            for path in ["/refused", "/wrong"] {
                await #expect(throws: NetworkClient.Error.self) { try await open(path) }
            }
            for path in ["/lost", "/closed"] {
                let socket = try await open(path)
                await #expect(throws: (any Error).self) { try await socket.receive() }
            }
            try await open("/").close()
            try await open("/").cancel()
            _ = try await open("/")
        }
        let last = try await open("/")
        // One more has to wait.
        let waiting = Task { try await client.webSocket(URLRequest(url: server.url("/"))) }
        try await last.send("still open")
        expect(try await last.receive(), .text("still open"))
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        transport.shutDown()
        let error = await #expect(throws: NetworkClient.Error.self) { try await last.receive() }
        expect(error?.transportError?.reason, .transportClosed)
    }
    #endif
}
