/// The caller's end of an open WebSocket, which it ends when the last reference to it is released.
///
/// In the chain it stands for the body of the response with the status 101, which has no bytes.
package final class WebSocketConnection: BodyChannel {
    let channel: WebSocketChannel
    /// The subprotocol that the server has chosen; nil for none.
    let subprotocol: String?
    private let stop: @Sendable () -> Void

    /// Creates the end; `stop` ends the connection at once, and has no effect after its end.
    package init(_ channel: WebSocketChannel, subprotocol: String?, stop: @escaping @Sendable () -> Void) {
        (self.channel, self.subprotocol, self.stop) = (channel, subprotocol, stop)
    }

    deinit {
        cancel()
    }

    package func next() -> Data? { nil }

    package func cancel() { end(with: CancellationError()) }

    /// Ends the socket and its connection, without a Close unless the server has sent one.
    func end(with error: any Error) {
        if channel.abandon(error) { stop() }
    }
}
