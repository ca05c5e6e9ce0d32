import Foundation

/// What a TLS server's threads share: the facade can go while they end.
final class TLSEngine: Sendable {
    let log = AwaitableValue(TLSServerLog())
    let configuration: TLSConfiguration
    let ending: TLSEnding
    /// Where the server is that speaks no TLS.
    let plainPort: UInt16
    private let listeners: [Socket]
    private let stopping = Gate()

    init(listeners: [Socket], plainPort: UInt16, configuration: TLSConfiguration, ending: TLSEnding) {
        self.listeners = listeners
        self.plainPort = plainPort
        self.configuration = configuration
        self.ending = ending
    }

    func start() throws {
        let wakeup = try Wakeup()
        _ = stopping.whenOpen { wakeup.signal() }
        startThread { engine in
            engine.acceptUntilStopped(wakeup)
            engine.listeners.forEach { $0.closeNow() }
            wakeup.closeNow()
        }
    }

    /// Returns when every thread is done and every descriptor closed.
    func stop() {
        stopping.open()
        for socket in log.update({ $0.stop() }) {
            socket.shutDown()
        }
        log.waitBlocking { $0.runningThreads == 0 }
    }

    private func acceptUntilStopped(_ wakeup: Wakeup) {
        while !stopping.isOpen {
            let ready = Socket.waitReadable(listeners + [wakeup.signalled])
            do {
                for (listener, isReady) in zip(listeners, ready) where isReady {
                    try listener.acceptNext().map(serve)
                }
            } catch {
                // Out of descriptors, as a rule, and trying again at once would keep a core busy.
                _ = Socket.waitReadable([wakeup.signalled], milliseconds: 10)
            }
        }
    }

    private func serve(_ client: Socket) {
        guard let number = log.update({ $0.open(client) }) else { return }
        startThread { engine in
            TLSConnection(client: client, number: number, engine: engine).serve()
            engine.log.update { $0.close(number) }
        }
    }

    private func startThread(_ body: @escaping @Sendable (TLSEngine) -> Void) {
        let thread = Thread { [self] in
            body(self)
            log.update { $0.threadEnded() }
        }
        thread.stackSize = 512 * 1024
        thread.name = "TLSServer"
        thread.start()
    }
}
