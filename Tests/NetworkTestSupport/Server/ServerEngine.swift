import Foundation

/// The shared state of a server's threads, which outlives the server while the threads end.
final class ServerEngine: Sendable {
    let log = AwaitableValue(ServerLog())
    /// The gate that ends all waits of scripts.
    let stopping = Gate()
    let recording: Recording
    let onHead: @Sendable (RecordedRequest) -> EarlyAnswer
    let handler: @Sendable (RecordedRequest) -> Script
    private let listener: Socket

    init(
        listener: Socket,
        recording: Recording,
        onHead: @escaping @Sendable (RecordedRequest) -> EarlyAnswer,
        handler: @escaping @Sendable (RecordedRequest) -> Script
    ) {
        self.listener = listener
        self.recording = recording
        self.onHead = onHead
        self.handler = handler
    }

    func start() throws {
        let wakeup = try Wakeup()
        _ = stopping.whenOpen { wakeup.signal() }
        startThread { engine in
            engine.acceptUntilStopped(wakeup)
            engine.listener.closeNow()
            wakeup.closeNow()
        }
    }

    /// Stops the server, and returns when all threads have ended and all descriptors are closed.
    func stop() {
        stopping.open()
        for socket in log.update({ $0.stop() }) {
            socket.shutDown()
        }
        log.waitBlocking { $0.runningThreads == 0 }
    }

    private func acceptUntilStopped(_ wakeup: Wakeup) {
        while !stopping.isOpen {
            do {
                guard Socket.waitReadable([listener, wakeup.signalled])[0] else { continue }
                try listener.acceptNext().map(serve)
            } catch {
                // The process is out of descriptors; retrying immediately would keep a core busy.
                _ = Socket.waitReadable([wakeup.signalled], milliseconds: 10)
            }
        }
    }

    private func serve(_ socket: Socket) {
        guard let number = log.update({ $0.open(socket) }) else { return }
        startThread { engine in
            let connection = Connection(socket: socket, number: number, engine: engine)
            connection.serveRequests()
            engine.log.update { $0.close(number) }
        }
    }

    private func startThread(_ body: @escaping @Sendable (ServerEngine) -> Void) {
        let thread = Thread { [self] in
            body(self)
            log.update { $0.threadEnded() }
        }
        thread.stackSize = 512 * 1024
        thread.name = "LoopbackServer"
        thread.start()
    }
}
