/// One connection of an HTTP/2 server and its thread.
struct HTTP2Connection {
    private struct Held {
        let stream: UInt32
        let answer: HTTP2Answer
        let wakeup: Wakeup
    }

    private let socket: Socket
    private let number: Int
    private let log: AwaitableValue<HTTP2ServerLog>
    private let handler: HTTP2Server.Handler
    /// The setting of the client's window for each stream; nil for the standard's 64 KiB.
    private let window: UInt32?
    private var received: [UInt8] = []
    /// The received parts of incomplete requests, by stream.
    private var bodies: [UInt32: [UInt8]] = [:]
    private var held: [Held] = []
    private var framesAfterPing: [HTTP2Frame] = []
    private var isOver = false
    private var isSilent = false

    init(
        _ socket: Socket,
        number: Int,
        log: AwaitableValue<HTTP2ServerLog>,
        window: UInt32?,
        handler: @escaping HTTP2Server.Handler
    ) {
        self.socket = socket
        self.window = window
        self.number = number
        self.log = log
        self.handler = handler
    }

    /// Serves the connection until the client or the server ends it.
    mutating func run() {
        defer { held.forEach { $0.wakeup.closeNow() } }
        do {
            if try readPreface() {
                // SETTINGS_INITIAL_WINDOW_SIZE has the number 4.
                let settings = window.map { [0, 4] + HTTP2Frame.bytes(of: $0) } ?? []
                try send([HTTP2Frame(.settings, payload: settings)])
                while !isOver { try goOn() }
            } else if received.starts(with: "GET ".utf8) {
                try answerHTTP1()
            }
            // Unread bytes would turn the close into a reset, which may discard the last frames.
            socket.shutDownWriting()
            while try !socket.receive().isEmpty {}
        } catch {
            // The client has closed the connection and needs no response.
        }
    }

    private mutating func readPreface() throws -> Bool {
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        while received.count < preface.count, received.starts(with: preface.prefix(received.count)) {
            let bytes = try socket.receive()
            guard !bytes.isEmpty else { return false }
            received += bytes
        }
        guard received.starts(with: preface) else { return false }
        received.removeFirst(preface.count)
        return true
    }

    /// Responds to GET requests of a client that has chosen HTTP/1.1; gates are ignored.
    private mutating func answerHTTP1() throws {
        let end = Array("\r\n\r\n".utf8)
        while true {
            while let start = received.indices.first(where: { received[$0...].starts(with: end) }) {
                received.removeFirst(start + end.count)
                let answer = handler(log.update { $0.add(connection: number, stream: 0, body: []) })
                let body = answer.frames.filter { $0.kind == .data }.flatMap(\.payload)
                let head = "HTTP/1.1 200 OK\r\nx-stream: 0\r\nContent-Length: \(body.count)\r\n\r\n"
                try socket.sendAll(Array(head.utf8) + body)
            }
            let bytes = try socket.receive()
            guard !bytes.isEmpty else { return }
            received += bytes
        }
    }

    /// Performs the pending work, then waits for more.
    private mutating func goOn() throws {
        while !isOver, !isSilent, let frame = HTTP2Frame(takenFrom: &received) { try take(frame) }
        guard !isOver else { return }
        let ready = Socket.waitReadable([socket] + held.map(\.wakeup.signalled))
        for (index, isReady) in ready.dropFirst().enumerated().reversed() where isReady {
            let due = held.remove(at: index)
            due.wakeup.closeNow()
            try give(due.answer)
        }
        guard ready.first == true else { return }
        let bytes = try socket.receive()
        received += bytes
        isOver = isOver || bytes.isEmpty
    }

    private mutating func take(_ frame: HTTP2Frame) throws {
        switch frame.kind {
        case .settings where frame.flags & HTTP2Frame.acknowledgement == 0:
            try send([HTTP2Frame(.settings, flags: HTTP2Frame.acknowledgement)])
        case .ping where frame.flags & HTTP2Frame.acknowledgement == 0:
            try send([HTTP2Frame(.ping, flags: HTTP2Frame.acknowledgement, payload: frame.payload)])
        case .ping:
            try send(framesAfterPing)
            framesAfterPing = []
        case .headers:
            bodies[frame.stream] = []
            log.update { $0.headCount += 1 }
            try answerIfComplete(frame)
        case .data:
            bodies[frame.stream, default: []] += frame.payload
            try grant(UInt32(frame.payload.count), to: frame.stream)
            try answerIfComplete(frame)
        case .reset:
            forget(frame.stream)
        default: break
        }
    }

    /// Records the reset of a stream, unless the response was sent: some clients reset those streams as well.
    private mutating func forget(_ stream: UInt32) {
        let isKnown = bodies.removeValue(forKey: stream) != nil || held.contains { $0.stream == stream }
        held.removeAll { $0.stream == stream }
        if isKnown { log.update { $0.resets.append(stream) } }
    }

    /// Returns window updates for the stream and the connection; none for 0 bytes, which would be an error.
    private func grant(_ count: UInt32, to stream: UInt32) throws {
        guard count > 0 else { return }
        let payload = HTTP2Frame.bytes(of: count)
        try send([0, stream].map { HTTP2Frame(.windowUpdate, stream: $0, payload: payload) })
    }

    private mutating func answerIfComplete(_ frame: HTTP2Frame) throws {
        guard frame.flags & HTTP2Frame.endStream != 0, let body = bodies.removeValue(forKey: frame.stream) else {
            return
        }
        let answer = handler(log.update { $0.add(connection: number, stream: frame.stream, body: body) })
        guard let gate = answer.gate, !gate.isOpen else { return try give(answer) }
        let wakeup = try Wakeup()
        _ = gate.whenOpen { wakeup.signal() }
        held.append(Held(stream: frame.stream, answer: answer, wakeup: wakeup))
    }

    private mutating func give(_ answer: HTTP2Answer) throws {
        framesAfterPing += answer.framesAfterPing
        try send(answer.frames)
        if let (bytes, end) = answer.flood {
            while !end.isOpen { try socket.sendAll(bytes) }
        }
        (isOver, isSilent) = (isOver || answer.closes, isSilent || answer.isSilent)
    }

    private func send(_ frames: [HTTP2Frame]) throws {
        try socket.sendAll(frames.flatMap(\.bytes))
    }
}
