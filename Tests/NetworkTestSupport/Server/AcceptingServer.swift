import Foundation

/// A server with one thread that accepts connections, and one thread for each connection.
///
/// The threads keep this object alive, so that it outlives its facade while they end.
protocol AcceptingServer: AnyObject, Sendable {
    associatedtype Log: ConnectionLog

    /// The name of the threads, for debuggers.
    static var threadName: String { get }

    var log: AwaitableValue<Log> { get }
    var listeners: [Socket] { get }
    /// The gate that ends all waits of the server.
    var stopping: Gate { get }

    /// Serves a connection on its thread, and closes the socket.
    func serve(_ socket: Socket, number: Int)
}

/// The connections and threads of a server.
protocol ConnectionLog: Sendable {
    /// The accepting thread, and the threads of connections.
    var runningThreads: Int { get set }

    /// Returns the number of a new connection; nil after the server has stopped.
    mutating func open(_ socket: Socket) -> Int?
    mutating func close(_ connection: Int)

    /// Refuses new connections, and returns the sockets of the open ones for shutting them down.
    mutating func stop() -> [Socket]
}

extension AcceptingServer {
    func start() throws {
        let wakeup = try Wakeup()
        _ = stopping.whenOpen { wakeup.signal() }
        startThread { server in
            server.acceptUntilStopped(wakeup)
            server.listeners.forEach { $0.closeNow() }
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
                    try listener.acceptNext().map(open)
                }
            } catch {
                // The process is out of descriptors; retrying immediately would keep a core busy.
                _ = Socket.waitReadable([wakeup.signalled], milliseconds: 10)
            }
        }
    }

    private func open(_ socket: Socket) {
        guard let number = log.update({ $0.open(socket) }) else { return }
        startThread { server in
            server.serve(socket, number: number)
            server.log.update { $0.close(number) }
        }
    }

    private func startThread(_ body: @escaping @Sendable (Self) -> Void) {
        let thread = Thread { [self] in
            body(self)
            log.update { $0.runningThreads -= 1 }
        }
        thread.stackSize = 512 * 1024
        thread.name = Self.threadName
        thread.start()
    }
}
