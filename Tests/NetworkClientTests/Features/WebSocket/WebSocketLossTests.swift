import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// What becomes of messages, received and sent, when the connection of a socket that comes back is lost.
@Suite(.spec(315)) struct WebSocketLossTests {
    private let clock = TestClock(advancesItself: true)

    /// The first connection ends with more messages than have room, and no one reads.
    @Test func aSenderNeedsNoReader() async throws {
        let transport = StubTransport(time: clock)
        let (isFull, isSent) = (Gate(), AwaitableValue<WebSocketMessage?>(nil))
        transport.on(
            .get("/feed"),
            .webSocket { peer in
                for _ in 0..<4 { await peer.send(Data(count: 1_000)) }
                isFull.open()
                _ = await peer.next()
                peer.disconnect()
            },
            .webSocket { peer in
                let message = await peer.next()
                isSent.update { $0 = message }
                _ = await peer.next()
            }
        )
        let client = NetworkClient(transport: transport, configuration: .init(time: clock))
        let socket = client.webSocket(
            URLRequest(url: url("https://example.com/feed")),
            socketOptions: WebSocketOptions { $0.receiveBuffer = 2_500 },
            reconnecting: .standard
        )
        try await socket.send("first")
        try await isFull.wait()
        try await withDeadline {
            while transport.requests.count < 2 { try await socket.send("again") }
        }
        expect(try await isSent.wait { $0 }, .text("again"))
        var messages = socket.makeAsyncIterator()
        for _ in 0..<4 { expect(try await messages.next(), .binary(Data(count: 1_000))) }
        socket.cancel()
        await #expect(throws: CancellationError.self) { try await messages.next() }
    }

    /// Over real connections, each of which the server ends after one message.
    @Test(arguments: WebSocketTests.transports)
    func aSocketSurvivesAServerThatKeepsRestarting(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            .webSocket(request) { peer in
                let frame = try peer.next()
                try peer.send(frame?.description ?? "none")
                if request.connection % 2 == 0 { try peer.send(close: 1012) }
            }
        }
        let client = try kind.client(configuration: .init(time: clock))
        let socket = client.webSocket(URLRequest(url: server.url("/")), reconnecting: .standard) { socket in
            try await socket.send("hello")
        }
        try await withDeadline {
            var count = 0
            for try await message in socket {
                expect(message, .text("text hello"))
                count += 1
                if count == 30 { break }
            }
        }
        socket.cancel()
        #expect(server.connectionCount >= 30)
    }

    /// A message that the first server never reads is longer than what the systems keep for it.
    @Test(arguments: WebSocketTests.transports)
    func unsentMessagesAreReportedAsLostAndNeverSentAgain(_ kind: TransportUnderTest) async throws {
        let (isQueued, lost, received) = (Gate(), Recorder<Int>(), AwaitableValue<String?>(nil))
        let server = try LoopbackServer { request in
            guard request.connection > 0 else { return [.send(Script.head(for: request)), .wait(isQueued), .reset] }
            return .webSocket(request) { peer in
                let frame = try peer.next()
                received.update { $0 = frame?.description ?? "none" }
                peer.awaitEnd()
            }
        }
        let socket = try kind.client(configuration: .init(time: clock)).webSocket(
            URLRequest(url: server.url("/")),
            reconnecting: .standard,
            onOpen: { socket in
                guard !isQueued.isOpen else { return }
                let sender = Task { try await socket.send(Data(count: 32 << 20)) }
                while socket.opened.connection.channel.unsentMessages == 0 { await Task.yield() }
                isQueued.open()
                try await sender.value
            },
            states: { if case .lost(let count) = $0 { lost.record(count) } }
        )
        try await withDeadline { try await socket.send("next") }
        expect(try await received.wait { $0 }, "text next")
        expect(lost.values, [1])
        socket.cancel()
    }
}
