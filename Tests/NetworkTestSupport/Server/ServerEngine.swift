import Foundation

/// The threads of a server: one that accepts connections, and one for each connection.
///
/// The threads keep this object alive, so that it outlives its server while they end.
final class ServerEngine: Sendable {
    /// Serves a connection on its thread, by its number from 0; the engine closes the socket afterwards.
    typealias Serve = @Sendable (Socket, _ number: Int, ServerEngine) -> Void

    let log = AwaitableValue(ServerLog())
    /// The gate that ends all waits of scripts.
    let stopping = Gate()
    let port: UInt16
    private let listeners: [Socket]
    private let tls: TLSConfiguration?
    /// The gate that handshakes wait for; nil for none.
    private let handshakeGate: Gate?
    private let serve: Serve

    /// Starts to listen; with TLS in both families.
    init(
        on loopback: Loopback = .ipv4,
        tls: TLSConfiguration?,
        handshakesAfter gate: Gate? = nil,
        serve: @escaping Serve
    ) throws {
        handshakeGate = gate
        // Each connection makes a session; an invalid configuration must fail here.
        if let tls { _ = try TLSSession(tls) }
        listeners = try tls == nil ? [Socket.listening(on: loopback)] : Self.listenOnOnePort()
        port = try listeners[0].port()
        self.tls = tls
        self.serve = serve
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
        guard let id = log.update({ $0.open(socket) }) else { return }
        // With TLS a connection counts after its handshake, since clients try both families and give one up.
        let number = tls == nil ? log.update { $0.countConnection() } : nil
        startThread { engine in
            engine.handshakeGate?.waitBlocking(or: engine.stopping)
            if let number = number ?? engine.shakeHands(socket) { engine.serve(socket, number, engine) }
            socket.closeNow()
            engine.log.update { $0.close(id) }
        }
    }

    /// Performs the handshake, and returns the number of the connection; nil if the handshake fails.
    private func shakeHands(_ socket: Socket) -> Int? {
        guard let tls, let handshake = try? socket.startTLS(tls) else { return nil }
        return log.update { log in
            log.handshakes.append(handshake)
            return log.countConnection()
        }
    }

    private func startThread(_ body: @escaping @Sendable (ServerEngine) -> Void) {
        log.update { $0.runningThreads += 1 }
        let thread = Thread { [self] in
            body(self)
            log.update { $0.runningThreads -= 1 }
        }
        thread.stackSize = 512 * 1024
        thread.name = "LoopbackServer"
        thread.start()
    }
}

/// The history and the connections of a server.
struct ServerLog: Sendable {
    var requests: [RecordedRequest] = []
    var requestCount = 0
    var heads: [RecordedRequest] = []
    var headCount = 0
    var truncated: [RecordedRequest] = []
    var malformed: [String] = []
    var handshakes: [TLSHandshake] = []
    var runningThreads = 0
    private(set) var connectionCount = 0
    private(set) var openConnections: [Int: Socket] = [:]
    private var isStopped = false
    private var nextID = 0

    /// Returns the identifier of a new connection; nil after the server has stopped.
    fileprivate mutating func open(_ socket: Socket) -> Int? {
        guard !isStopped else { return nil }
        defer { nextID += 1 }
        openConnections[nextID] = socket
        return nextID
    }

    fileprivate mutating func close(_ id: Int) {
        openConnections[id] = nil
    }

    /// Returns the number of a new connection.
    fileprivate mutating func countConnection() -> Int {
        defer { connectionCount += 1 }
        return connectionCount
    }

    /// Refuses new connections, and returns the sockets of the open ones for shutting them down.
    fileprivate mutating func stop() -> [Socket] {
        isStopped = true
        return Array(openConnections.values)
    }
}
