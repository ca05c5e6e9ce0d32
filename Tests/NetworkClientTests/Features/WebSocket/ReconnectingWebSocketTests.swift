import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// A socket that comes back: when, with what, and never twice.
@Suite(.spec(315)) struct ReconnectingWebSocketTests {
    /// The connections of a server that are open at the same time, and what they were sent.
    private final class Server: Sendable {
        private struct State {
            var open = 0
            var most = 0
            var count = 0
            var received: [[String]] = []
        }

        private let state = Locked(State())

        var count: Int { state.withLock { $0.count } }
        var most: Int { state.withLock { $0.most } }
        var received: [[String]] { state.withLock { $0.received } }

        /// Begins a connection; returns its number, from 0.
        func begin() -> Int {
            state.withLock { state in
                state.open += 1
                state.most = max(state.most, state.open)
                state.received.append([])
                state.count += 1
                return state.count - 1
            }
        }

        func receive(_ message: WebSocketMessage?, over number: Int) {
            guard case .text(let text)? = message else { return }
            state.withLock { $0.received[number].append(text) }
        }

        func end() { state.withLock { $0.open -= 1 } }
    }

    private final class Numbers: Sendable {
        private let last = Locked(0)

        func next() -> Int {
            last.withLock { last in
                last += 1
                return last
            }
        }
    }

    private let clock = TestClock(advancesItself: true)
    private let feed = URLRequest(url: url("https://example.com/feed"))

    private func client(
        _ transport: StubTransport,
        _ interceptors: [any InterceptorProtocol] = [],
        time: TestClock? = nil
    ) -> NetworkClient {
        NetworkClient(
            transport: transport,
            interceptors: interceptors,
            configuration: .init(time: time ?? clock)
        )
    }

    private func word(_ state: ReconnectingWebSocket.State) -> String {
        if case .waiting(_, let error) = state { return error == nil ? "waiting after the end" : "waiting" }
        return "\(state)"
    }

    @Test func aLostSocketComesBackOnceWithAFreshTokenAndSubscribesFirst() async throws {
        let (transport, server, states) = (StubTransport(time: clock), Server(), Recorder<String>())
        transport.on(
            .get("/feed"),
            .webSocket { peer in
                let number = server.begin()
                server.receive(await peer.next(), over: number)
                await peer.send("\(number)a")
                await peer.send("\(number)b")
                server.receive(await peer.next(), over: number)
                server.end()
                peer.disconnect()
            }
        )
        let tokens = Numbers()
        let scheme = ClosureInterceptor { request, next in
            let number = tokens.next()
            return try await next(request.setting(header: .custom(name: "X-Number", value: "\(number)")))
        }
        let socket = client(transport, [scheme]).webSocket(
            feed,
            reconnecting: .standard,
            onOpen: { try await $0.send("subscribe") },
            states: { states.record(self.word($0)) }
        )
        expect(transport.requests.count, 0)
        var messages = socket.makeAsyncIterator()
        for number in 0..<4 {
            expect(try await messages.next(), .text("\(number)a"))
            expect(try await messages.next(), .text("\(number)b"))
            try await socket.send("next \(number)")
        }
        expect(try await messages.next(), .text("4a"))
        socket.cancel()
        expect(Array(server.received.prefix(4)), (0..<4).map { ["subscribe", "next \($0)"] })
        expectAll((server.most, server.count), (1, 5))
        expect(transport.requests.map { $0[header: "X-Number"] ?? "" }, ["1", "2", "3", "4", "5"])
        expect(Array(states.values.prefix(5)), ["opened", "waiting", "opened", "waiting", "opened"])
        await #expect(throws: CancellationError.self) { try await messages.next() }
    }

    struct End: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: StubTransport.Response
        let comesBack: Bool
        var comesBackAlways = true
        /// What the reader gets if no other connection is made.
        var final = "failed"
    }

    private static func close(_ code: UInt16) -> StubTransport.Response {
        .webSocket { await $0.close(WebSocketCloseCode(rawValue: code)) }
    }

    private static let ends: [End] =
        [1001, 1011, 1012, 1013, 1014].map {
            .init(testDescription: "\($0)", response: close($0), comesBack: true, final: "closed")
        }
        + [1002, 1003, 1007, 1008, 1009, 1010, 3000, 4999].map {
            .init(testDescription: "\($0)", response: close($0), comesBack: false, final: "closed")
        } + [
            .init(testDescription: "1000", response: close(1000), comesBack: false, final: "the end"),
            .init(testDescription: "no Close", response: .webSocket { $0.disconnect() }, comesBack: true),
            .init(testDescription: "503", response: .status(503), comesBack: true),
            .init(testDescription: "429", response: .status(429), comesBack: true),
            .init(testDescription: "401", response: .status(401), comesBack: false),
            .init(testDescription: "404", response: .status(404), comesBack: false),
            .init(testDescription: "200", response: .status(200), comesBack: false),
            .init(testDescription: "no connection", response: .failure(.connectionRefused), comesBack: true),
            .init(
                testDescription: "an invalid request",
                response: .failure(.invalidRequest),
                comesBack: false,
                comesBackAlways: false
            ),
        ]

    @Test(arguments: ends) func onlyEndsThatMayBeOverSoonAreNotFinal(_ end: End) async throws {
        for (reconnection, comesBack) in [
            (Reconnection.standard, end.comesBack), (.always, end.comesBackAlways), (.never, false),
        ] {
            let transport = StubTransport(time: clock)
            transport.on(.get("/feed"), end.response, .webSocket { await $0.send("back") })
            let socket = client(transport).webSocket(feed, reconnecting: reconnection)
            var messages = socket.makeAsyncIterator()
            let result: String
            do {
                result = try await messages.next().map { String(decoding: $0.data, as: UTF8.self) } ?? "the end"
            } catch {
                result = error is WebSocketClosed ? "closed" : error is NetworkClient.Error ? "failed" : "\(error)"
            }
            expect(result, comesBack ? "back" : end.final)
            socket.cancel()
        }
    }

    @Test func aMessageBetweenConnectionsWaitsAndALostOneIsNotSentAgain() async throws {
        let (transport, server, states) = (StubTransport(time: clock), Server(), Recorder<String>())
        let (isFull, goesOn) = (Gate(), Gate())
        transport.on(
            .get("/feed"),
            .webSocket { peer in
                _ = server.begin()
                defer { server.end() }
                try await isFull.wait()
                peer.disconnect()
            },
            .webSocket { peer in
                let number = server.begin()
                defer { server.end() }
                server.receive(await peer.next(), over: number)
                await peer.send("got it")
                _ = await peer.next()
            }
        )
        let client = client(transport)
        let socket = client.webSocket(
            feed,
            reconnecting: .standard,
            states: { state in
                states.record(self.word(state))
                if case .waiting = state { goesOn.open() }
            }
        )
        try await socket.send("taken by the first connection")
        isFull.open()
        try await goesOn.wait()
        try await socket.send("for the second one")
        var messages = socket.makeAsyncIterator()
        expect(try await messages.next(), .text("got it"))
        expect(server.received, [[], ["for the second one"]])
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await messages.next() }
        await #expect(throws: CancellationError.self) { try await socket.send("late") }
        expect(client.calls.count, 0)
    }

    @Test func closingEndsTheSocketBetweenConnectionsToo() async throws {
        let transport = StubTransport()
        transport.on(
            .get("/feed"),
            .webSocket { peer in while let message = await peer.next() { await peer.send(message) } }
        )
        let client = client(transport)
        let socket = client.webSocket(feed, reconnecting: .always)
        try await socket.send("a")
        var messages = socket.makeAsyncIterator()
        expect(try await messages.next(), .text("a"))
        try await socket.close(.goingAway)
        expect(try await messages.next(), nil)
        await #expect(throws: NetworkClient.Error.self) { try await socket.send("late") }
        expect(transport.requests.count, 1)

        let (refusing, patient, waits) = (StubTransport(), TestClock(), Gate())
        refusing.on(.get("/feed"), .status(503))
        let waiting = self.client(refusing, time: patient).webSocket(
            feed,
            reconnecting: .standard,
            states: { if case .waiting = $0 { waits.open() } }
        )
        let reader = Task { () -> WebSocketMessage? in
            var messages = waiting.makeAsyncIterator()
            return try await messages.next()
        }
        try await waits.wait()
        try await waiting.close()
        expect(try await withDeadline { try await reader.value }, nil)
    }

    private struct Unwelcome: Error {}

    @Test func anErrorOfTheClosureIsFinalUnlessItsConnectionHasEnded() async throws {
        let transport = StubTransport(time: clock)
        transport.on(.get("/feed"), .webSocket { _ = await $0.next() })
        let socket = client(transport).webSocket(feed, reconnecting: .always) { _ in throw Unwelcome() }
        await #expect(throws: Unwelcome.self) {
            for try await _ in socket {}
        }
        expect(transport.requests.count, 1)

        let lossy = StubTransport(time: clock)
        lossy.on(.get("/feed"), .webSocket { $0.disconnect() }, .webSocket { await $0.send("back") })
        let again = client(lossy).webSocket(feed, reconnecting: .standard) { socket in
            do { _ = try await socket.ping() } catch { throw Unwelcome() }
        }
        var messages = again.makeAsyncIterator()
        expect(try await messages.next(), .text("back"))
    }

    @Test func anInvalidCodeAndASecondReaderLeaveTheSocketOpen() async throws {
        let transport = StubTransport(time: clock)
        transport.on(
            .get("/feed"),
            .webSocket { peer in while let message = await peer.next() { await peer.send(message) } }
        )
        let socket = client(transport).webSocket(feed, reconnecting: .standard)
        await #expect(throws: NetworkClient.Error.self) { try await socket.close(.protocolError) }
        try await socket.send("still open")
        try await withThrowingTaskGroup(of: Result<WebSocketMessage?, any Error>.self) { group in
            var first = socket.makeAsyncIterator()
            expect(try await first.next(), .text("still open"))
            for _ in 0..<2 {
                group.addTask {
                    var messages = socket.makeAsyncIterator()
                    do { return .success(try await messages.next()) } catch { return .failure(error) }
                }
            }
            let refused = try await group.next()
            expect("\(refused as Any)", contains: "another task reads the WebSocket already")
            try await socket.send("one reader")
            expect(try await group.next()?.get(), .text("one reader"))
        }
    }

    @Test func aRequestThatMayNotOpenASocketIsNotTriedAgain() async throws {
        let unbuilt = client(StubTransport(time: clock)).webSocket(
            feed.setting(header: .custom(name: "Upgrade", value: "h2c")),
            reconnecting: .always
        )
        await #expect(throws: NetworkClient.Error.self) {
            for try await _ in unbuilt {}
        }
    }
}
