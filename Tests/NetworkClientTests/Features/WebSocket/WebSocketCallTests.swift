import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// The opening as a call, and what happens on the client's clock.
@Suite(.spec(311, 312, 316)) struct WebSocketCallTests {
    private let clock = TestClock()

    private func client(
        _ transport: StubTransport,
        _ interceptors: [any InterceptorProtocol] = [],
        logging: any NetworkLogger = .off,
        _ change: (inout NetworkClient.Configuration) -> Void = { _ in }
    ) -> NetworkClient {
        var configuration = NetworkClient.Configuration()
        (configuration.baseURL, configuration.time) = (url("https://example.com/v1"), clock)
        change(&configuration)
        return NetworkClient(
            transport: transport,
            interceptors: interceptors,
            logging: logging,
            configuration: configuration
        )
    }

    private func transport() -> StubTransport { StubTransport(time: clock) }

    private func failure(_ operation: () async throws -> Void) async -> TransportError? {
        do {
            try await operation()
            return nil
        } catch {
            return (error as? NetworkClient.Error)?.transportError
        }
    }

    @Test func theStubIsAServerInATest() async throws {
        let transport = transport()
        transport.on(
            .get("/v1/rooms/7").query("since", "12"),
            .webSocket(subprotocol: "chat.v2") { peer in
                await peer.send("hello")
                expect(await peer.next(), .text("hello to you"))
                await peer.send(json: ["x": 1])
                expect(await peer.next(), nil)
                expect(peer.closed, WebSocketClosed(code: .goingAway, reason: "bye"))
            }
        )
        let client = client(transport)
        let socket = try await client.webSocket(
            .get(path: "rooms/7").add(query: "since", value: 12),
            protocols: ["chat.v1", "chat.v2"]
        )
        expect(socket.subprotocol, "chat.v2")
        expect(try await socket.receive(), .text("hello"))
        try await socket.send("hello to you")
        var values = socket.values(of: [String: Int].self).makeAsyncIterator()
        expect(try await values.next(), ["x": 1])
        #expect(try await socket.ping() == 0)
        try await socket.close(.goingAway, reason: "bye")
        await #expect(throws: WebSocketClosed.self) { try await values.next() }
        expect(transport.complaints, [])
    }

    private struct Broken: Error {}

    @Test func theServerOfAStubEndsInEachWay() async throws {
        let (transport, isSent) = (transport(), Gate())
        transport.on(
            .get("/v1/a"),
            .webSocket { _ in },
            .webSocket { await $0.close(.init(rawValue: 4001), reason: "why") },
            .webSocket { $0.disconnect() },
            .webSocket { _ in throw Broken() },
            .webSocket { peer in
                _ = await peer.next()
                try await isSent.wait()
            }
        )
        let client = client(transport)
        func open() async throws -> WebSocket { try await client.webSocket(.get(path: "a")) }
        var messages = try await open().makeAsyncIterator()
        expect(try await messages.next(), nil)
        messages = try await open().makeAsyncIterator()
        await #expect(throws: WebSocketClosed(code: .init(rawValue: 4001), reason: "why")) { try await messages.next() }
        for _ in 0..<2 {
            let socket = try await open()
            expect(await failure { _ = try await socket.receive() }?.reason, .connectionLost)
        }
        let socket = try await open()
        try await socket.send("read")
        try await socket.send("unread")
        // Its pong comes after the message.
        try await socket.ping()
        isSent.open()
        await #expect(throws: WebSocketClosed.self) { try await socket.receive() }
        expect(transport.complaints.map(\.description), ["the peer of GET /v1/a has not read a message"])
        // A request that opens no socket.
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(.get(path: "a")) }
    }

    @Test func theOpeningIsRetriedAuthenticatedAndRedirected() async throws {
        let transport = transport()
        let location = HeaderField.custom(name: "Location", value: "wss://example.com/v1/there")
        let cookie = HeaderField.custom(name: "Set-Cookie", value: "id=7; Path=/")
        transport.on(.get("/v1/here"), .status(503), .status(302).setting(header: location).setting(header: cookie))
        transport.on(
            .get("/v1/there"),
            .status(401),
            .webSocket { peer in while let message = await peer.next() { await peer.send(message) } }
        )
        let session = TokenSession { _ in AccessToken("new") }
        try await session.setToken(AccessToken("old"))
        let client = client(transport, [.standardResilience, .authentication(.bearer(session))]) {
            ($0.cookies, $0.time) = (CookieStore(), TestClock(advancesItself: true))
        }
        let socket = try await client.webSocket(.get(path: "here"))
        // A socket stays open when its person signs out.
        try await session.signOut()
        try await socket.send("still open")
        expect(try await socket.receive(), .text("still open"))
        expect(transport.requests.map(\.path), ["/v1/here", "/v1/here", "/v1/there", "/v1/there"])
        expect(transport.requests.map { $0[header: "Authorization"] ?? "" }.last, "Bearer new")
        expect(transport.requests.last?[header: "Cookie"], "id=7")
    }

    @Test func theLogHasTheOpeningAndOneLineAtTheEnd() async throws {
        let logged = Recorder<NetworkLogEvent>()
        let logger = EventLogger(logged)
        let transport = transport()
        transport.on(
            .get("/v1/a"),
            .webSocket { peer in
                _ = await peer.next()
                await peer.send("secret answer")
            }
        )
        let client = client(transport, logging: logger)
        let reports = client.reports
        let socket = try await client.webSocket(.get(path: "a"))
        try await socket.send("secret")
        expect(try await socket.receive(), .text("secret answer"))
        clock.advance(by: 2)
        await #expect(throws: WebSocketClosed.self) { try await socket.receive() }
        try await withDeadline { while logged.count < 3 { await Task.yield() } }
        let events = logged.values.map { event -> String in
            switch event.stage {
            case .sent: "sent"
            case .received(let response, let data): "\(response.statusCode) \(data.count)"
            case .noted(let text, let type): "\(type): \(text)"
            default: "other"
            }
        }
        expectAll((events.first, events.dropFirst().first, events.count), ("sent", "101 0", 3))
        expect(events.last, contains: "with the code 1000", "1 messages of 6 bytes sent, 1 of 13 bytes received")
        expect(events.joined(), lacks: "secret")
        var iterator = reports.makeAsyncIterator()
        let report = await iterator.next()
        expect(report?.journey.steps.map(\.kind), [.attempt, .response])
    }

    @Test func aServerThatFallsSilentIsNoticed() async throws {
        let transport = transport()
        transport.on(
            .get("/v1/a"),
            .webSocket { peer in
                while let message = await peer.next() {
                    if message == .text("fall silent") { peer.fallSilent() }
                    await peer.send(message)
                }
            }
        )
        let client = client(transport)
        let socket = try await client.webSocket(.get(path: "a"))
        let echoed = Gate()
        let reader = Task { () -> TransportError? in
            await failure {
                while true {
                    _ = try await socket.receive()
                    echoed.open()
                }
            }
        }
        // The pong of a later ping comes after that of the ping that keeps the socket alive.
        for _ in 0..<3 {
            try await clock.waitForSleepers()
            try await socket.ping()
            clock.advance(by: 30)
        }
        try await clock.waitForSleepers()
        try await socket.send("fall silent")
        try await echoed.wait()
        for _ in 0..<2 {
            try await clock.waitForSleepers()
            clock.advance(by: 30)
        }
        let error = try await withDeadline { await reader.value }
        expect(error?.reason, .timedOut)
        expect(error?.description, contains: "its keepAlive of 30 s", "https://example.com/v1/a")
    }

    @Test func aServerThatDoesNotCloseIsLeft() async throws {
        let transport = transport()
        let ended = Gate()
        transport.on(
            .get("/v1/a"),
            .webSocket { peer in
                peer.fallSilent()
                _ = await peer.next()
                ended.open()
            }
        )
        let client = client(transport)
        let socket = try await client.webSocket(
            .get(path: "a"),
            socketOptions: WebSocketOptions { ($0.keepAlive, $0.closeTimeout) = (nil, 5) }
        )
        let closer = Task { () -> TransportError? in await failure { try await socket.close() } }
        try await clock.waitForSleepers()
        clock.advance(by: 5)
        let error = try await withDeadline { await closer.value }
        expect(error?.reason, .timedOut)
        expect(error?.description, contains: "closeTimeout of 5 s")
        try await ended.wait()
    }

    @Test func wrongUsesAreClearErrors() async throws {
        let transport = transport()
        transport.on(.any, .webSocket { _ in })
        let client = client(transport)
        let invalid: [(String, () async throws -> Void)] = [
            ("a GET without a body", { _ = try await client.webSocket(.post(path: "a").noBody()) }),
            ("has no fragment", { _ = try await client.webSocket("wss://example.com/a#b") }),
            ("has no fragment", { _ = try await client.webSocket(.get(path: "a#b")) }),
            ("subprotocol 1 is not a token", { _ = try await client.webSocket(.get(path: "a"), protocols: ["a b"]) }),
            (
                "subprotocol 2 is offered twice",
                { _ = try await client.webSocket(.get(path: "a"), protocols: ["a", "a"]) }
            ),
            (
                "'Upgrade'",
                {
                    let field = HeaderField.custom(name: "upgrade", value: "h2c")
                    _ = try await client.webSocket(.get(path: "a").add(header: field))
                }
            ),
        ]
        for (text, operation) in invalid {
            let error = await failure(operation)
            expect(error?.reason, .invalidRequest, text)
            expect(error?.description, contains: text)
        }
        await #expect(throws: HTTPURLError.self) { try await client.webSocket("example.com/a") }
        let other = NetworkClient(transport: ClosureTransport(status: 200, json: "{}"))
        let error = await failure { _ = try await other.webSocket(URLRequest(url: url("wss://example.com"))) }
        expect(error?.reason, .unsupported)
        expect(error?.description, contains: "ClosureTransport", "opens no WebSockets")
        let socket = try await client.webSocket(.get(path: "a"))
        expect(await failure { try await socket.close(.protocolError) }?.reason, .invalidRequest)
        await #expect {
            try await socket.send(json: [Double.nan])
        } throws: { error in
            if case NetworkClient.Error.encodingError = error { true } else { false }
        }
    }

    @Test func aSocketHasOneReader() async throws {
        let transport = transport()
        transport.on(
            .get("/v1/a"),
            .webSocket { peer in
                _ = await peer.next()
                await peer.send("for the first")
                await peer.send("for a later loop")
            }
        )
        let socket = try await client(transport).webSocket(.get(path: "a"))
        try await withThrowingTaskGroup(of: Result<WebSocketMessage, any Error>.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do { return .success(try await socket.receive()) } catch { return .failure(error) }
                }
            }
            let refused = try await group.next()
            expect("\(refused as Any)", contains: "another task reads the WebSocket already")
            try await socket.send("go on")
            expect(try await group.next()?.get(), .text("for the first"))
        }
        for try await message in socket {
            expect(message, .text("for a later loop"))
            break
        }
    }
}
