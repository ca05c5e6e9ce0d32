/// Performs a script's steps on a connection.
struct ScriptPlayer {
    /// The server stops, and ends the script.
    private struct Stopped: Error {}

    private let socket: Socket
    private let engine: ServerEngine
    private let isHead: Bool
    /// The unsent bytes of steps, collected so that a response in several steps is one write.
    private var pending: [UInt8] = []
    private var staysOpen = true

    init(socket: Socket, engine: ServerEngine, isHead: Bool) {
        self.socket = socket
        self.engine = engine
        self.isHead = isHead
    }

    /// Performs the script; returns whether the connection can be used for another request.
    mutating func play(_ script: Script, reader: inout RequestReader) throws -> Bool {
        for step in script.steps {
            switch step {
            case .bytes(let bytes):
                pending += bytes
            case .response(let response):
                pending += response.bytes(headOnly: isHead)
            default:
                try flush()
                guard try perform(step, reader: &reader) else { return false }
            }
        }
        try flush()
        return staysOpen
    }

    /// Performs one step; returns whether the script continues.
    private mutating func perform(_ step: Script.Step, reader: inout RequestReader) throws -> Bool {
        switch step {
        case .bytes, .response:
            break
        case .repeated(let bytes, let count):
            try send(bytes, times: count)
        case .wait(let gate, let orPeerClose):
            try hold(until: gate, orPeerClose: orPeerClose, reader: &reader)
        case .open(let gate):
            gate.open()
        case .awaitPeerClose(let gate):
            try awaitPeerClose()
            gate?.open()
        case .tunnel(let port):
            try tunnel(to: port)
            return false
        case .talk(let talk):
            try talk(socket)
            socket.closeNow()
            return false
        case .closeWrite:
            socket.shutDownWriting()
            staysOpen = false
        case .close:
            socket.closeNow()
            return false
        case .reset:
            socket.reset()
            return false
        }
        return true
    }

    private mutating func flush() throws {
        guard !pending.isEmpty else { return }
        try socket.sendAll(pending)
        pending.removeAll()
    }

    private func send(_ bytes: [UInt8], times count: Int) throws {
        guard !bytes.isEmpty, count > 0 else { return }
        let perBlock = min(count, max(1, 64 * 1024 / bytes.count))
        let block = [UInt8](repeatElement(bytes, count: perBlock).joined())
        for _ in 0..<(count / perBlock) {
            try socket.sendAll(block)
        }
        try socket.sendAll([UInt8](block.prefix(count % perBlock * bytes.count)))
    }

    private func hold(until gate: Gate, orPeerClose: Bool, reader: inout RequestReader) throws {
        guard !gate.isOpen else { return }
        let wakeup = try Wakeup()
        let opened = gate.whenOpen { wakeup.signal() }
        let stopped = engine.stopping.whenOpen { wakeup.signal() }
        defer {
            gate.forget(opened)
            engine.stopping.forget(stopped)
            wakeup.closeNow()
        }
        let watched = orPeerClose ? [wakeup.signalled, socket] : [wakeup.signalled]
        while !gate.isOpen {
            let readable = Socket.waitReadable(watched)
            guard !engine.stopping.isOpen else { throw Stopped() }
            // Bytes belong to the next request, which the reader keeps.
            guard !orPeerClose || !readable[1] || (try? reader.fill()) == true else { return }
        }
    }

    private func tunnel(to port: UInt16) throws {
        let server = try Socket.connected(to: port)
        defer { server.closeNow() }
        while true {
            let ready = Socket.waitReadable([socket, server])
            for (from, to, isReady) in [(socket, server, ready[0]), (server, socket, ready[1])] where isReady {
                let bytes = try from.receive()
                guard !bytes.isEmpty else { return }
                try to.sendAll(bytes)
            }
        }
    }

    private func awaitPeerClose() throws {
        while let bytes = try? socket.receive(), !bytes.isEmpty {}
        guard !engine.stopping.isOpen else { throw Stopped() }
    }
}
