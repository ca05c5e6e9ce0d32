/// The part of a server in front of a task that has messages: what the task receives becomes frames for the channel,
/// and the frames of the channel become messages for the task.
///
/// So the limits, the closing handshake, pings and keep-alive are those of every other transport.
final class SessionSocket: Sendable {
    let channel: WebSocketChannel
    private let end: WebSocketServerEnd
    private let messages: any SessionMessages
    private let request: URLRequest
    /// The Close that was sent, since the task may not have it.
    private let sent = Locked<WebSocketClosed?>(nil)

    init(_ messages: any SessionMessages, _ options: WebSocketOptions, of request: URLRequest) {
        (self.messages, self.request) = (messages, request)
        channel = WebSocketChannel(options)
        end = WebSocketServerEnd(channel)
    }

    /// Moves messages in both directions until the socket ends.
    func begin() {
        // They end with the task of the session, which the end of the connection cancels. The cancellation of a task of
        // Swift would not end a `receive`.
        Task { await receiveMessages() }
        Task { await sendMessages() }
    }

    private func receiveMessages() async {
        do {
            // While the reader is behind, the next message is not asked for.
            while !end.isRefused { try await end.send(.message(messages.receive())) }
            await endSoon()
        } catch {
            if Self.isTooLong(error) {
                try? await end.send(.endless)
                await endSoon()
            } else if let closed = messages.closed ?? sent.withLock({ $0 }), closed.code.canBeReceived {
                try? await end.send(.close(closed))
                // The session has sent the reply.
                channel.disconnect(error)
            } else {
                channel.disconnect(failure(error))
                messages.cancel()
            }
        }
    }

    private func sendMessages() async {
        while let frame = try? await end.next() {
            switch frame {
            case .message(let message):
                channel.isSending(true)
                do { try await messages.send(message) } catch { return await endSoon() }
                channel.isSending(false)
            case .ping(let payload):
                messages.ping { [end] in
                    // The end of the socket ends the wait for room; nothing cancels it before.
                    Task { try? await end.send(.pong(payload)) }
                }
            case .close(let closed):
                // The session itself responds to a Close, and to pings.
                guard channel.closed == nil else { break }
                sent.withLock { $0 = closed }
                messages.close(closed)
            case .pong, .endless: break
            }
        }
        if sent.withLock({ $0 == nil }) { messages.cancel() }
    }

    /// Ends the socket after a second, as curl's: what was received, and the cause, come before that.
    private func endSoon() async {
        try? await SystemTimeSource().sleep(seconds: 1)
        channel.disconnect(TransportError(.connectionLost, request: request))
        messages.cancel()
    }

    private func failure(_ error: any Error) -> any Error {
        let failure = URLErrorClassification.classify(error, request, after: .head)
        // A connection that has ended is an error of the system, and one that was closed is a cancelled task.
        let isKnown = (failure as? TransportError)?.reason != .other && (error as? URLError)?.code != .cancelled
        return isKnown ? failure : TransportError(.connectionLost, request: request, underlying: error)
    }

    /// Ends the socket with its transport.
    func shut() {
        channel.disconnect(TransportError(.transportClosed, request: request))
        messages.cancel()
    }

    /// Returns whether a message was longer than the session's limit.
    private static func isTooLong(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == NSPOSIXErrorDomain && error.code == Int(EMSGSIZE)
    }
}

/// The messages of a WebSocket task of a URLSession, which makes the frames itself.
protocol SessionMessages: Sendable {
    /// Sends a message, and returns when another one may follow.
    func send(_ message: WebSocketMessage) async throws

    /// Waits for the next message; fails when the task has ended, and always after a cancellation.
    func receive() async throws -> WebSocketMessage

    /// Sends a ping, and calls a closure when its pong comes, perhaps never.
    func ping(_ onPong: @escaping @Sendable () -> Void)

    /// Sends a Close, and ends the task.
    func close(_ closed: WebSocketClosed)

    /// The server's Close, or else the one that was sent; nil before.
    var closed: WebSocketClosed? { get }

    /// Ends the task without a Close.
    func cancel()
}
