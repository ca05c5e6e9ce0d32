/// Moves bytes between a client that speaks TLS and a server that doesn't, until both have ended.
///
/// If one side doesn't read, the other side is held back. Both sides see each other's ends and resets, like on a
/// direct connection.
struct TLSPump {
    private struct Side {
        let socket: Socket
        /// The bytes for the side that the system hasn't accepted yet.
        var pending: ArraySlice<UInt8> = []
        /// Whether the side has sent its last byte.
        var hasEnded = false
        /// Whether nothing more will be sent to the side.
        var isShut = false

        mutating func flush() throws {
            while !pending.isEmpty, case let count = try socket.sendNow(pending), count > 0 {
                pending = pending.dropFirst(count)
            }
        }
    }

    private let session: TLSSession
    private let ending: TLSEnding
    private var client: Side
    private var plain: Side
    /// Whether the server reset its connection, or closed it with unread bytes.
    private var plainIsBroken = false
    private var hasSaidGoodbye = false

    init(client: Socket, plain: Socket, session: TLSSession, ending: TLSEnding) {
        self.client = Side(socket: client)
        self.plain = Side(socket: plain)
        self.session = session
        self.ending = ending
    }

    /// Moves bytes until both directions have ended; the caller closes the sockets.
    mutating func run() {
        client.socket.stopBlocking()
        plain.socket.stopBlocking()
        do {
            // These bytes may have arrived in one packet with the end of the handshake.
            try decrypt()
            while try passOn() { wait() }
        } catch {
            // The client has closed the connection, or doesn't speak TLS and receives an alert.
            try? client.flush()
            plain.socket.reset()
        }
    }

    private var readsClient: Bool {
        !client.hasEnded && !plainIsBroken && plain.pending.isEmpty
    }

    private var readsPlain: Bool {
        !plain.hasEnded && client.pending.isEmpty
    }

    private func wait() {
        SystemSockets.waitReady([
            (client.socket.descriptor, reading: readsClient, writing: !client.pending.isEmpty),
            (plain.socket.descriptor, reading: readsPlain, writing: !plain.pending.isEmpty),
        ])
    }

    /// Moves the available bytes; false when both directions have ended.
    private mutating func passOn() throws -> Bool {
        try flush()
        try readClient()
        try readPlain()
        try flush()
        if client.hasEnded, plain.pending.isEmpty, !plain.isShut {
            plain.socket.shutDownWriting()
            plain.isShut = true
        }
        if plain.hasEnded, client.pending.isEmpty, !client.isShut {
            try endClient()
        }
        return !(client.isShut && (plain.isShut || plainIsBroken))
    }

    private mutating func readClient() throws {
        guard readsClient, let bytes = try client.socket.receiveNow() else { return }
        guard !bytes.isEmpty else {
            client.hasEnded = true
            return
        }
        session.putReceived(bytes)
        try decrypt()
    }

    private mutating func decrypt() throws {
        defer { client.pending += session.takeOutgoing() }
        let (bytes, isEnd) = try session.read()
        plain.pending += bytes
        if isEnd { client.hasEnded = true }
    }

    private mutating func readPlain() throws {
        guard readsPlain else { return }
        do {
            guard let bytes = try plain.socket.receiveNow() else { return }
            plain.hasEnded = bytes.isEmpty
            try session.write(bytes)
            client.pending += session.takeOutgoing()
        } catch is SocketError {
            plainIsBroken = true
            plain.hasEnded = true
        }
    }

    private mutating func flush() throws {
        try client.flush()
        do {
            try plain.flush()
        } catch {
            // Its earlier response must still be read.
            plainIsBroken = true
            plain.pending = []
        }
    }

    private mutating func endClient() throws {
        if plainIsBroken {
            client.socket.reset()
            client.isShut = true
            return
        }
        if ending == .closeNotify, !hasSaidGoodbye {
            hasSaidGoodbye = true
            session.sendCloseNotify()
            client.pending += session.takeOutgoing()
            try client.flush()
        }
        if client.pending.isEmpty {
            client.socket.shutDownWriting()
            client.isShut = true
        }
    }
}

/// One connection of a TLS server and its thread: the handshake, then the bytes in both directions.
struct TLSConnection {
    let client: Socket
    let number: Int
    let engine: TLSEngine

    func serve() {
        defer { client.closeNow() }
        guard let session = shakeHands() else { return }
        // A stopped server refuses, and the client's connection is closed.
        guard let plain = try? engine.connectPlain() else { return }
        defer { plain.closeNow() }
        guard engine.log.update({ $0.attach(plain, to: number) }) else { return }
        var pump = TLSPump(client: client, plain: plain, session: session, ending: engine.ending)
        pump.run()
    }

    /// Performs the handshake; nil if it fails.
    private func shakeHands() -> TLSSession? {
        var handshake = TLSHandshake()
        var session: TLSSession?
        do {
            let made = try TLSSession(engine.configuration)
            session = made
            try shakeHands(made)
            handshake = made.describeHandshake()
        } catch {
            handshake.serverName = session?.serverName
            handshake.failure = error
        }
        let outcome = handshake
        engine.log.update { $0.handshakes.append(outcome) }
        guard outcome.failure != nil else { return session }
        sendLast(session?.takeOutgoing() ?? [])
        return nil
    }

    private func shakeHands(_ session: TLSSession) throws(TLSFailure) {
        while try !session.shakeHands() {
            guard send(session.takeOutgoing()), let bytes = try? client.receive(), !bytes.isEmpty else {
                throw .disconnected
            }
            session.putReceived(bytes)
        }
        // The handshake is complete even if the client has closed the connection since.
        _ = send(session.takeOutgoing())
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        (try? client.sendAll(bytes)) != nil
    }

    /// Sends an alert and reads remaining bytes: unread bytes would turn the close into a reset, which may discard it.
    private func sendLast(_ bytes: [UInt8]) {
        guard send(bytes) else { return }
        client.shutDownWriting()
        while let bytes = try? client.receive(), !bytes.isEmpty {}
    }
}
