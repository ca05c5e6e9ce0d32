/// The part of a server in front of a task that has messages: what the task receives becomes frames for the channel,
/// and the frames of the channel become messages for the task.
///
/// So the limits, the closing handshake, pings and keep-alive are those of every other transport.
final class SessionSocket: Sendable {
    let channel: WebSocketChannel
    private let end: WebSocketServerEnd
    private let messages: any SessionMessages
    private let request: URLRequest

    init(_ messages: any SessionMessages, _ options: WebSocketOptions, of request: URLRequest) {
        (self.messages, self.request) = (messages, request)
        channel = WebSocketChannel(options)
        end = WebSocketServerEnd(channel)
    }

    /// Moves messages in both directions until the socket ends.
    func begin() {
        // They end with the task of the session, whose last reference cancels it. A cancelled task of Swift would not
        // end a `receive`.
        Task { await receiveMessages() }
        Task { await sendMessages() }
    }

    private func receiveMessages() async {
        do {
            // While the reader is behind, the next message is not asked for.
            while true { try await end.send(.message(messages.receive())) }
        } catch {
            if Self.isTooLong(error) {
                try? await end.send(.endless)
            } else if let closed = messages.closed {
                try? await end.send(.close(closed))
                // The session has sent the reply.
                channel.disconnect(error)
            } else {
                fail(error)
            }
        }
    }

    private func sendMessages() async {
        var hasClosed = false
        while let frame = try? await end.next() {
            switch frame {
            case .message(let message):
                do { try await messages.send(message) } catch { return fail(error) }
            case .ping(let payload):
                messages.ping { [end] in
                    // The end of the socket ends the wait for room; nothing cancels it before.
                    Task { try? await end.send(.pong(payload)) }
                }
            case .close(let closed):
                // The session itself responds to a Close, and to pings.
                guard channel.closed == nil else { break }
                messages.close(closed)
                hasClosed = true
            case .pong, .endless: break
            }
        }
        if !hasClosed { messages.cancel() }
    }

    private func fail(_ error: any Error) {
        let failure = URLErrorClassification.classify(error, request, after: .head)
        // A connection that has ended is an error of the system, and not of URLSession.
        let isForeign = (failure as? TransportError)?.reason == .other
        let lost = TransportError(.connectionLost, request: request, underlying: error)
        channel.disconnect(isForeign ? lost : failure)
        messages.cancel()
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
