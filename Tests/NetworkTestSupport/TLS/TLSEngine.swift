import Foundation

/// The shared state of a TLS server's threads, which outlives the server while the threads end.
final class TLSEngine: Sendable {
    let log = AwaitableValue(TLSServerLog())
    let configuration: TLSConfiguration
    let ending: TLSEnding
    /// Connects to the server behind, without TLS.
    let connectPlain: @Sendable () throws -> Socket
    /// The port, the same for 127.0.0.1 and, if the machine has IPv6, for ::1.
    let port: UInt16
    private let listeners: [Socket]
    private let stopping = Gate()

    /// - Throws: ``TLSFailure`` if OpenSSL is missing or the identity is invalid; ``SocketError``.
    init(
        _ configuration: TLSConfiguration,
        ending: TLSEnding = .closeNotify,
        connectPlain: @escaping @Sendable () throws -> Socket
    ) throws {
        // Each connection makes a session; an invalid configuration must fail here.
        _ = try TLSSession(configuration)
        listeners = try Self.listenOnOnePort()
        port = try listeners[0].port()
        self.connectPlain = connectPlain
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
            let ready = Socket.waitReadable(listeners + [wakeup.signalled])
            do {
                for (listener, isReady) in zip(listeners, ready) where isReady {
                    try listener.acceptNext().map(serve)
                }
            } catch {
                // The process is out of descriptors; retrying immediately would keep a core busy.
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

    /// Listens in both families, since `localhost` may be either, and no other process should respond there.
    private static func listenOnOnePort() throws -> [Socket] {
        let hasIPv6 = (try? Socket.bound(to: .ipv6)) != nil
        while true {
            let listener = try Socket.listening(on: .ipv4)
            guard hasIPv6 else { return [listener] }
            do {
                return [listener, try Socket.listening(on: .ipv6, port: listener.port())]
            } catch let error as SocketError where error.code == EADDRINUSE {
                // Another process uses the port in this family; the next port may be free in both.
            }
        }
    }
}
