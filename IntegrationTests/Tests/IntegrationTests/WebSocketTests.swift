#if os(Linux)
import Foundation
import NetworkClient
import Testing

/// Sockets to the package websockets and to aiohttp, directly, behind nginx, and through tinyproxy.
///
/// One case at a time: the megabytes of all of them at once would keep other suites from their connect timeouts.
@Suite(
    .server(.websockets),
    .server(.aiohttp),
    .server(.nginx),
    .server(.tinyproxy),
    .serialized,
    .timeLimit(.minutes(2))
)
struct WebSocketTests {
    let key = UUID().uuidString

    /// A text of so many bytes, and as many bytes.
    private static func messages(_ length: Int) -> [WebSocketMessage] {
        // Mostly ASCII, since the check of anything else takes seconds in a debug build.
        let text =
            String(repeating: "A word of the café", count: length / 19) + String(repeating: "a", count: length % 19)
        var bytes = Data(0...250)
        while bytes.count < length { bytes += bytes }
        return [.text(text), .binary(bytes.prefix(length))]
    }

    private static let messages = [0, 1, 125, 126, 65_535, 65_536, 1 << 20, 5_000_000].flatMap { messages($0) }

    private func expectEchoes(_ messages: [WebSocketMessage], over socket: WebSocket) async throws {
        async let sent: Void = {
            for message in messages { try await socket.send(message) }
        }()
        for message in messages {
            let echo = try await socket.receive()
            #expect(echo == message)
        }
        try await sent
    }

    @Test(arguments: WebSocketRoute.all)
    func messagesOfEverySizeComeBackUnchanged(route: WebSocketRoute) async throws {
        let socket = try await route.client().webSocket(route.url("/socket?key=\(key)"))
        try await expectEchoes(Self.messages, over: socket)
        #expect(try await socket.ping() > 0)
        try await socket.close()
    }

    /// The server sends a ping before each frame, and waits for its pong.
    @Test(arguments: [WebSocketRoute.plain, .nginxTLS])
    func messagesInFragmentsAreJoined(route: WebSocketRoute) async throws {
        let socket = try await route.client().webSocket(route.url("/fragments?key=\(key)"))
        // A seventh of the last three ends within a character.
        try await expectEchoes([0, 1, 126, 1_057, 1_048_698].flatMap { Self.messages($0) }, over: socket)
        try await socket.close()
    }

    @Test(arguments: [WebSocketRoute.plain, .nginxTLS, .proxy])
    func theServersPingsAreRepliedToWhileNothingElseIsSent(route: WebSocketRoute) async throws {
        let path = "/control?key=\(key)&kind=PONG&count=5&interval=0.02"
        let socket = try await route.client().webSocket(route.url(path))
        #expect(try await socket.receive() == .text("enough"))
    }

    /// A second ping is sent only after the pong of the first one: without it, the socket would have ended.
    @Test func theServersPongsKeepASilentSocketAlive() async throws {
        let route = WebSocketRoute.nginxTLS
        let socket = try await route.client().webSocket(
            route.url("/control?key=\(key)&kind=PING&count=2"),
            socketOptions: WebSocketOptions { $0.keepAlive = 1 }
        )
        #expect(try await socket.receive() == .text("enough"))
    }

    // MARK: - The end

    @Test(arguments: WebSocketRoute.all, [(1000, ""), (1001, ""), (4001, "später"), (1011, "a b")])
    func theServersCloseIsTheEnd(route: WebSocketRoute, end: (code: Int, reason: String)) async throws {
        let reason = try #require(end.reason.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let path = "/socket?key=\(key)&end=\(end.code)&reason=\(reason)"
        let socket = try await route.client().webSocket(route.url(path))
        try await socket.send("last")
        let closed = WebSocketClosed(code: .init(rawValue: UInt16(end.code)), reason: end.reason)
        var messages = socket.makeAsyncIterator()
        if closed.code == .normal {
            #expect(try await messages.next() == nil)
        } else {
            await #expect(throws: closed) { _ = try await messages.next() }
        }
        #expect(socket.closed == closed)
        // The reply has the code of the server.
        #expect(try await route.end(of: key) == WebSocketClosed(code: closed.code))
    }

    @Test(arguments: WebSocketRoute.all)
    func aConnectionThatEndsWithoutACloseIsLost(route: WebSocketRoute) async throws {
        let socket = try await route.client().webSocket(route.url("/socket?key=\(key)&end=abort"))
        try await socket.send("last")
        for _ in 0..<2 {
            let error = try await failure { _ = try await socket.receive() }
            guard case .requestError(let failure) = error else { throw error }
            #expect(failure.reason == .connectionLost && socket.closed == nil)
        }
    }

    @Test(arguments: [WebSocketRoute.plain, .tls, .aiohttp, .nginxTLS, .proxyTLS], ["1001", "abort"])
    func aSenderDoesNotWaitForAServerThatHasEnded(route: WebSocketRoute, end: String) async throws {
        let socket = try await route.client().webSocket(route.url("/socket?key=\(key)&end=\(end)"))
        let message = try #require(Self.messages.last)
        let error = await #expect(throws: (any Error).self) {
            while true { try await socket.send(message) }
        }
        if end == "abort" {
            #expect((error as? NetworkClient.Error)?.transportError?.reason == .connectionLost)
        } else {
            #expect(error as? WebSocketClosed == WebSocketClosed(code: .goingAway))
        }
    }

    @Test(arguments: WebSocketRoute.all, [(1000, ""), (1001, "bye"), (4001, "später")])
    func theServerSeesTheCloseOfTheClient(route: WebSocketRoute, end: (code: Int, reason: String)) async throws {
        let socket = try await route.client().webSocket(route.url("/socket?key=\(key)"))
        let closed = WebSocketClosed(code: .init(rawValue: UInt16(end.code)), reason: end.reason)
        try await expectEchoes([.text("last")], over: socket)
        try await socket.close(closed.code, reason: closed.reason)
        #expect(try await route.end(of: key) == closed)
        // aiohttp replies with 1000 to any code, and websockets with what it got.
        #expect(socket.closed == (route == .aiohttp ? WebSocketClosed(code: .normal) : closed))
    }

    @Test(arguments: [WebSocketRoute.plain, .tls, .aiohttp, .nginxTLS, .proxy])
    func theServerSeesThatAMessageWasTooLong(route: WebSocketRoute) async throws {
        let socket = try await route.client().webSocket(
            route.url("/socket?key=\(key)"),
            socketOptions: WebSocketOptions { $0.messageLimit = 1_000 }
        )
        try await expectEchoes([.binary(Data(count: 1_000))], over: socket)
        try await socket.send(Data(count: 1_001))
        let error = try await failure { _ = try await socket.receive() }
        guard case .requestError(let failure) = error else { throw error }
        #expect(failure.reason == .malformedResponse)
        #expect(try await route.end(of: key).code == .messageTooBig)
    }

    // MARK: - Many connections

    @Test(arguments: [WebSocketRoute.plain, .aiohttp, .nginxTLS])
    func aHundredSocketsAtOnceKeepTheOrderOfTheirMessages(route: WebSocketRoute) async throws {
        let client = try route.client()
        var sockets: [WebSocket] = []
        for _ in 0..<100 { sockets.append(try await client.webSocket(route.url("/socket?key=\(key)"))) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, socket) in sockets.enumerated() {
                group.addTask {
                    try await expectEchoes((0..<20).map { .text("\(number) \($0)") }, over: socket)
                    try await socket.close()
                }
            }
            try await group.waitForAll()
        }
    }

    /// The first socket is ended by its first message, which the closure for each connection sends.
    @Test(arguments: [WebSocketRoute.plain, .nginxTLS, .proxy], ["1001", "1012", "abort"])
    func aSocketThatTheServerEndsComesBackOnce(route: WebSocketRoute, end: String) async throws {
        let client = try route.client()
        let (states, state) = AsyncStream.makeStream(of: String.self)
        var reconnection = Reconnection.standard
        reconnection.initialDelay = 0.1
        let socket = try client.webSocket(
            .get(url: route.httpURL("/opening?key=\(key)&end=\(end)")),
            reconnecting: reconnection,
            onOpen: { try await $0.send("first") },
            states: { state.yield($0.description.prefix { $0 != " " }.description) }
        )
        var openings = socket.values(of: SeenOpening.self).makeAsyncIterator()
        #expect(try await openings.next()?.number == 1)
        #expect(try await openings.next()?.number == 2)
        try await socket.send("second")
        var messages = socket.makeAsyncIterator()
        for text in ["first", "second"] { #expect(try await messages.next() == .text(text)) }
        try await socket.close()
        #expect(try await messages.next() == nil)
        state.finish()
        #expect(await states.reduce(into: []) { $0.append($1) } == ["opened", "waiting", "opened"])
        // The next socket of the key is the third one.
        let other = try await client.webSocket(route.url("/opening?key=\(key)"))
        var seen = other.values(of: SeenOpening.self).makeAsyncIterator()
        #expect(try await seen.next()?.number == 3)
    }
}
#endif
