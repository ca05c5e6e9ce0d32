/// One connection of a TLS server and its thread: the handshake, then whatever client and server have to say.
struct TLSConnection {
    let client: Socket
    let number: Int
    let engine: TLSEngine

    func serve() {
        defer { client.closeNow() }
        guard let session = shakeHands() else { return }
        // A server that is gone refuses, and the client is closed on.
        guard let plain = try? engine.connectPlain() else { return }
        defer { plain.closeNow() }
        guard engine.log.update({ $0.attach(plain, to: number) }) else { return }
        var pump = TLSPump(client: client, plain: plain, session: session, ending: engine.ending)
        pump.run()
    }

    /// Nil if there is nobody to talk to.
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
        // A client that is gone by now has still shaken hands.
        _ = send(session.takeOutgoing())
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        (try? client.sendAll(bytes)) != nil
    }

    /// Reads on afterwards, since closing with bytes unread would make it a reset and the alert might be lost.
    private func sendLast(_ bytes: [UInt8]) {
        guard send(bytes) else { return }
        client.shutDownWriting()
        while let bytes = try? client.receive(), !bytes.isEmpty {}
    }
}
