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

    /// Each hop gives back its place among the openings of its origin.
    @Test(arguments: WebSocketTests.transports)
    func anOpeningIsRetriedAuthenticatedAndRedirected(_ kind: TransportUnderTest) async throws {
        let paths = Recorder<String>()
        let server = try LoopbackServer { request in
            paths.record(request.path)
            return switch paths.count {
            case 1: .respond(status: 503, headers: ["Retry-After": "0"])
            case 2: .respond(status: 302, headers: ["Location": "/there"])
            case 3: .respond(status: 401)
            default: .echo(request)
            }
        }
        let session = TokenSession { _ in AccessToken("new") }
        try await session.setToken(AccessToken("old"))
        let client = NetworkClient(
            baseURL: server.url,
            transport: try kind.transport(hasOneConnection: true),
            interceptors: [.standardResilience, .authentication(.bearer(session))]
        )
        let socket = try await withDeadline { try await client.webSocket(.get(path: "here")) }
        try await socket.send("open")
        expect(try await socket.receive(), .text("open"))
        expect(paths.values, ["/here", "/here", "/there", "/there"])
        expect(server.requests.map { $0.headers["Authorization"] }.last, "Bearer new")
    }

    @Test(.spec(205), arguments: WebSocketTests.transports)
    func anotherOriginGetsNoCredentialAndNoSubprotocol(_ kind: TransportUnderTest) async throws {
        let other = try LoopbackServer { .echo($0) }
        let server = try LoopbackServer { [url = other.url("/there")] _ in .redirect(to: url.absoluteString) }
        let request = URLRequest(url: server.url("/")).setting(
            header: .custom(name: "Authorization", value: "Bearer a")
        )
        let socket = try await kind.client().webSocket(request, protocols: ["v2", "bearer.token"])
        try await socket.send("open")
        expect(try await socket.receive(), .text("open"))
        for name in ["Authorization", "Sec-WebSocket-Protocol"] {
            #expect(server.requests.first?.headers[name] != nil)
            expect(other.requests.first?.headers[name], nil)
        }
    }

    @Test(arguments: WebSocketTests.transports, ["a limit", "cancelAll", "the task"])
    func anOpeningThatGetsNoResponseEnds(_ kind: TransportUnderTest, by way: String) async throws {
        let arrived = Gate()
        let server = try LoopbackServer { _ in
            arrived.open()
            return .awaitPeerClose()
        }
        let transport = try kind.transport()
        let client = NetworkClient(transport: transport)
        let options = CallOptions { $0.attemptTimeout = way == "a limit" ? 0.3 : nil }
        let opening = Task { try await client.webSocket(URLRequest(url: server.url("/")), options: options) }
        try await arrived.wait()
        if way == "cancelAll" { client.cancelAll() }
        if way == "the task" { opening.cancel() }
        let result = await opening.result
        switch result {
        case .success: Issue.record("there is a socket")
        case .failure(let error as NetworkClient.Error): expect(error.transportError?.reason, .timedOut)
        case .failure(let error): #expect(error is CancellationError && way != "a limit")
        }
        expect(client.calls.count, 0)
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

    @Test func aBaseURLMayHaveTheSchemeOfAWebSocket() async throws {
        let stub = StubTransport()
        stub.on(.any, .webSocket { await $0.send("open") })
        let session = TokenSession { _ in AccessToken("new") }
        try await session.setToken(AccessToken("token"))
        let client = NetworkClient(
            transport: stub,
            interceptors: [.authentication(.bearer(session))],
            configuration: .init(baseURL: url("wss://example.com/v1"))
        )
        for request in [URLRequest(url: url("a")), URLRequest(url: url("wss://example.com/v1/a"))] {
            expect(try await client.webSocket(request).receive(), .text("open"))
        }
        expect(
            stub.requests.map(\.url.absoluteString),
            ["https://example.com/v1/a", "https://example.com/v1/a"]
        )
        expect(stub.requests.map { $0[header: "Authorization"] ?? "" }, ["Bearer token", "Bearer token"])
    }

    /// Neither a close nor a ping waits for the reader, which has read one of two messages.
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
        var offline = request
        offline.cachePolicy = .returnCacheDataDontLoad
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.webSocket(offline) }
        expect(error?.transportError?.reason, .notInCache)
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
