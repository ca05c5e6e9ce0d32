import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// WebSockets of a URLSession, whose tasks have messages: a scripted task stands for one.
@Suite(.spec(312, 313)) struct SessionSocketTests {
    /// A task that receives what a test gives it, and records what it gets.
    private final class ScriptedMessages: SessionMessages {
        struct State {
            var received: [Result<WebSocketMessage, any Error>] = []
            /// The number of messages that were asked for.
            var asked = 0
            var closed: WebSocketClosed?
            var log: [String] = []
        }

        let state = AwaitableValue(State())

        func gets(_ messages: [WebSocketMessage], thenFails error: (any Error)? = nil) {
            state.update { $0.received += messages.map { .success($0) } + (error.map { [.failure($0)] } ?? []) }
        }

        /// Waits until a number of events are in the log.
        func log(_ count: Int) async throws -> [String] {
            try await withDeadline { try await self.state.wait { $0.log.count >= count ? $0.log : nil } }
        }

        func send(_ message: WebSocketMessage) async throws {
            let text = "\(message)"
            state.update { $0.log.append("send \(text)") }
        }

        func receive() async throws -> WebSocketMessage {
            let number = state.update { state in
                state.asked += 1
                return state.asked
            }
            return try await state.wait { $0.received.count >= number ? $0.received[number - 1] : nil }.get()
        }

        func ping(_ onPong: @escaping @Sendable () -> Void) {
            state.update { $0.log.append("ping") }
            onPong()
        }

        /// As with URLSession, nothing is received any more.
        func close(_ closed: WebSocketClosed) {
            state.update { $0.log.append("close \(closed.code) \(closed.reason)") }
            state.update { state in
                state.closed = closed
                state.received.append(.failure(URLError(.cancelled)))
            }
        }

        var closed: WebSocketClosed? { state.current.closed }

        func cancel() {
            state.update { $0.log.append("cancel") }
            gets([], thenFails: URLError(.cancelled))
        }
    }

    private let messages = ScriptedMessages()
    private let request = URLRequest(url: url("https://example.com/a"))

    private func socket(_ options: WebSocketOptions = .init()) -> (SessionSocket, WebSocketConnection) {
        let socket = SessionSocket(messages, options, of: request)
        let connection = WebSocketConnection(socket.channel, subprotocol: nil) { [messages] in messages.cancel() }
        socket.begin()
        return (socket, connection)
    }

    /// Reads until the socket ends, and returns the messages and the error.
    private func readAll(_ connection: WebSocketConnection) async -> ([WebSocketMessage], (any Error)?) {
        var messages: [WebSocketMessage] = []
        do {
            while let message = try await connection.channel.next() { messages.append(message) }
        } catch {
            return (messages, error)
        }
        return (messages, nil)
    }

    @Test func messagesPingsAndTheCallersClosePassThroughTheTask() async throws {
        let (_, connection) = socket()
        messages.gets([.text("one"), .binary(Data(count: 70_000))])
        try await connection.channel.send(.text("hello"))
        try await withDeadline { try await connection.channel.ping() }
        try await withDeadline { try await connection.channel.close(.init(rawValue: 4001), reason: "enough") }
        expect(try await messages.log(3), ["send \(WebSocketMessage.text("hello"))", "ping", "close 4001 enough"])
        let (read, error) = await readAll(connection)
        expect(read, [.text("one"), .binary(Data(count: 70_000))])
        expect(error as? WebSocketClosed, WebSocketClosed(code: .init(rawValue: 4001), reason: "enough"))
    }

    static let ends: [(any Error, WebSocketClosed?, String)] = [
        (posix(ENOTCONN), WebSocketClosed(code: .goingAway, reason: "later"), "1001"),
        (posix(ENOTCONN), WebSocketClosed(code: .normal), "the end"),
        (posix(ENOTCONN), nil, "connectionLost"),
        (URLError(.networkConnectionLost), nil, "connectionLost"),
        (URLError(.timedOut), nil, "timedOut"),
        (posix(EMSGSIZE), nil, "malformedResponse"),
    ]

    private static func posix(_ code: CInt) -> NSError { NSError(domain: NSPOSIXErrorDomain, code: Int(code)) }

    @Test(arguments: 0..<ends.count)
    func whatWasReceivedComesBeforeTheEnd(row: Int) async throws {
        let (error, closed, end) = Self.ends[row]
        let (_, connection) = socket()
        messages.state.update { $0.closed = closed }
        messages.gets([.text("one"), .text("two")], thenFails: error)
        let (read, found) = await readAll(connection)
        expect(read, [.text("one"), .text("two")])
        let reason = (found as? TransportError).map { "\($0.reason)" }
        expect(reason ?? (found as? WebSocketClosed).map { "\($0.code)" } ?? "the end", end)
        guard end == "malformedResponse" else { return expect(try await messages.log(1).first, "cancel") }
        expect("\(String(describing: found))", contains: "longer than \(16 << 20) bytes")
        expect(try await messages.log(1), ["close 1009 "])
    }

    @Test func theNextMessageIsNotAskedForWhileTheReaderIsBehind() async throws {
        let (_, connection) = socket(WebSocketOptions { $0.receiveBuffer = 10 })
        messages.gets((0..<20).map { .text("message \($0)") })
        // One fills the buffer; the second was asked for before it found no room.
        try await withDeadline { try await self.messages.state.wait { $0.asked == 2 ? () : nil } }
        for number in 0..<20 {
            #expect(messages.state.current.asked <= number + 2)
            expect(try await connection.channel.next(), .text("message \(number)"))
        }
    }

    @Test func givingUpAndTheEndOfTheTransportCancelTheTask() async throws {
        var (socket, connection) = socket()
        connection = WebSocketConnection(socket.channel, subprotocol: nil) {}
        expect(try await messages.log(1).first, "cancel")
        let other = ScriptedMessages()
        socket = SessionSocket(other, WebSocketOptions(), of: request)
        socket.begin()
        socket.shut()
        expect(try await other.log(1).first, "cancel")
        await #expect {
            _ = try await socket.channel.next()
        } throws: { error in
            (error as? TransportError)?.reason == .transportClosed
        }
        withExtendedLifetime(connection) {}
    }

    private func opening(_ event: @escaping (inout SessionExchangeState) -> SessionExchangeState.Actions) async throws
        -> TransportResponse
    {
        var options = TransportOptions()
        options.opensSocket = WebSocketOpening(protocols: ["v2"])
        return try await withCheckedThrowingContinuation { continuation in
            var state = SessionExchangeState(request: request, options: options)
            _ = state.began(continuation)
            let end = event(&state)
            #expect(end.isEnd && state.isOver)
            if let (continuation, result) = end.resumption { continuation.resume(with: result) }
        }
    }

    private func response(_ status: Int) -> HTTPURLResponse {
        .made(status, url: "wss://example.com/a", headers: ["Retry-After": "7"])
    }

    @Test func aTaskOpensASocketOrHasAnOrdinaryResponse() async throws {
        func connection(_ subprotocol: String?) -> WebSocketConnection {
            WebSocketConnection(WebSocketChannel(), subprotocol: subprotocol) {}
        }
        for (name, head) in [("v2", response(101)), (nil, nil)] {
            let opened = try await opening { $0.opened(connection(name), head) }
            expect(opened.head.status, 101)
            expect(opened.body.socket?.subprotocol, name)
            expect(opened.head.response.url, request.url)
        }
        let refused = try await opening { $0.completed(URLError(.badServerResponse), response(401)) }
        expect(refused.head.status, 401)
        expect(refused.head.fields["Retry-After"], "7")
        #expect(refused.body.isCut && refused.head.response.url == request.url)
        for event in [
            { $0.opened(connection("v3"), response(101)) },
            { $0.completed(URLError(.badServerResponse), nil) },
        ] as [(inout SessionExchangeState) -> SessionExchangeState.Actions] {
            let error = await #expect(throws: TransportError.self) { try await opening(event) }
            expect(error?.reason, .malformedResponse)
        }
    }
}
