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
            /// Whether sending waits.
            var isSlow = false
            var sendError: (any Error)?
            /// Whether the task keeps the Close that was sent.
            var keepsClose = true
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
            let error = state.update { state in
                state.log.append("send \(text)")
                return state.sendError
            }
            try await state.wait { $0.isSlow ? nil : () }
            if let error { throw error }
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
            state.update { state in
                state.log.append("close \(closed.code) \(closed.reason)")
                if state.keepsClose { state.closed = closed }
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

    @Test(arguments: [true, false])
    func messagesPingsAndTheCallersClosePassThroughTheTask(keepsClose: Bool) async throws {
        messages.state.update { $0.keepsClose = keepsClose }
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

    /// How receiving has ended, and the server's Close.
    struct End: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: any Error
        var closed: WebSocketClosed?
        let result: String
    }

    static let ends = [
        End(
            testDescription: "1001",
            error: posix(ENOTCONN),
            closed: WebSocketClosed(code: .goingAway, reason: "later"),
            result: "1001"
        ),
        End(
            testDescription: "1000",
            error: posix(ENOTCONN),
            closed: WebSocketClosed(code: .normal),
            result: "the end"
        ),
        End(
            testDescription: "1006, which no Close has",
            error: posix(ENOTCONN),
            closed: WebSocketClosed(code: .init(rawValue: 1006)),
            result: "connectionLost"
        ),
        End(
            testDescription: "1015, which no Close has",
            error: posix(ENOTCONN),
            closed: WebSocketClosed(code: .init(rawValue: 1015)),
            result: "connectionLost"
        ),
        End(testDescription: "no Close", error: posix(ENOTCONN), result: "connectionLost"),
        End(testDescription: "a cancelled task", error: URLError(.cancelled), result: "connectionLost"),
        End(testDescription: "a lost connection", error: URLError(.networkConnectionLost), result: "connectionLost"),
        End(testDescription: "a timeout", error: URLError(.timedOut), result: "timedOut"),
        End(testDescription: "too long a message", error: posix(EMSGSIZE), result: "malformedResponse"),
    ]

    private static func posix(_ code: CInt) -> NSError { NSError(domain: NSPOSIXErrorDomain, code: Int(code)) }

    @Test(arguments: ends) func whatWasReceivedComesBeforeTheEnd(_ end: End) async throws {
        let (_, connection) = socket()
        messages.state.update { $0.closed = end.closed }
        messages.gets([.text("one"), .text("two")], thenFails: end.error)
        let (read, found) = await readAll(connection)
        expect(read, [.text("one"), .text("two")])
        let reason = (found as? TransportError).map { "\($0.reason)" }
        expect(reason ?? (found as? WebSocketClosed).map { "\($0.code)" } ?? "the end", end.result)
        guard end.result == "malformedResponse" else { return expect(try await messages.log(1).first, "cancel") }
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

    @Test func aSenderWaitsForRoomWhileTheTaskSendsNothing() async throws {
        messages.state.update { $0.isSlow = true }
        let (socket, connection) = socket(WebSocketOptions { $0.sendBuffer = 10_000 })
        let count = AwaitableValue(0)
        let sender = Task {
            while true {
                try await connection.channel.send(.binary(Data(count: 1_000)))
                count.update { $0 += 1 }
            }
        }
        _ = try await messages.log(1)
        // The one that the task has, and those of the buffer.
        try await withDeadline {
            while socket.channel.unsentMessages < 11 { await Task.yield() }
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(socket.channel.unsentMessages <= 12, "\(socket.channel.unsentMessages)")
        // The portion that was taken of the buffer has one to eight, as it has at most 8 KiB; the last sender waits.
        #expect((10...18).contains(count.current), "\(count.current)")
        sender.cancel()
        connection.cancel()
        await #expect(throws: CancellationError.self) { try await sender.value }
    }

    /// What was received before the failure is not lost with it, nor is its cause.
    @Test func theEndIsThatOfTheReaderWhenSendingFails() async throws {
        messages.state.update { ($0.sendError, $0.isSlow) = (URLError(.networkConnectionLost), true) }
        let (_, connection) = socket()
        try await connection.channel.send(.text("a"))
        _ = try await messages.log(1)
        messages.state.update { ($0.isSlow, $0.closed) = (false, WebSocketClosed(code: .policyViolation)) }
        messages.gets([.text("one")], thenFails: URLError(.networkConnectionLost))
        let (read, error) = await readAll(connection)
        expect(read, [.text("one")])
        expect(error as? WebSocketClosed, WebSocketClosed(code: .policyViolation))
        expect(connection.channel.unsentMessages, 1)
    }

    /// Neither a reader nor the session ends a socket whose task sends nothing any more, or receives too much.
    @Test(arguments: [true, false])
    func aSocketWithoutAReaderEnds(isTooLong: Bool) async throws {
        if !isTooLong { messages.state.update { $0.sendError = URLError(.networkConnectionLost) } }
        let (_, connection) = socket()
        messages.gets([.text("one")], thenFails: isTooLong ? Self.posix(EMSGSIZE) : nil)
        if !isTooLong { try await connection.channel.send(.text("a")) }
        try await withDeadline { try await self.messages.state.wait { $0.log.last == "cancel" ? () : nil } }
        let (read, error) = await readAll(connection)
        expect(read, [.text("one")])
        expect((error as? TransportError)?.reason, isTooLong ? .malformedResponse : .connectionLost)
    }

    @Test func givingUpAndTheEndOfTheTransportCancelTheTask() async throws {
        let stopped = AwaitableValue(false)
        var socket = SessionSocket(messages, WebSocketOptions(), of: request)
        var connection: WebSocketConnection? = WebSocketConnection(socket.channel, subprotocol: nil) {
            stopped.update { $0 = true }
        }
        socket.begin()
        expect(connection?.subprotocol, nil)
        connection = nil
        expect(stopped.current, true)
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
