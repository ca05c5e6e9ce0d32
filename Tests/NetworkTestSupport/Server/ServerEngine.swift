/// The shared state of a server's threads, which outlives the server while the threads end.
final class ServerEngine: AcceptingServer {
    static let threadName = "LoopbackServer"

    let log = AwaitableValue(ServerLog())
    /// The gate that ends all waits of scripts.
    let stopping = Gate()
    let recording: Recording
    let onHead: @Sendable (RecordedRequest) -> EarlyAnswer
    let handler: @Sendable (RecordedRequest) -> Script
    let listeners: [Socket]

    init(
        listener: Socket,
        recording: Recording,
        onHead: @escaping @Sendable (RecordedRequest) -> EarlyAnswer,
        handler: @escaping @Sendable (RecordedRequest) -> Script
    ) {
        listeners = [listener]
        self.recording = recording
        self.onHead = onHead
        self.handler = handler
    }

    func serve(_ socket: Socket, number: Int) {
        Connection(socket: socket, number: number, engine: self).serveRequests()
    }
}
