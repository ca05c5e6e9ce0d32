/// The steps of a server for one request, as a list of shorter scripts.
///
/// ```swift
/// LoopbackServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n12"), .wait(gate), .send("34")] }
/// ```
/// After the last step the connection stays open for the next request, unless the script closed it or the request had
/// `Connection: close`. A failed write ends the connection and the script; remaining steps, also gates, are skipped.
package struct Script: Sendable, ExpressibleByArrayLiteral {
    /// One action of the server.
    package enum Step: Sendable {
        case bytes([UInt8])
        case response(ScriptedResponse)
        case repeated([UInt8], count: Int)
        case wait(Gate, orPeerClose: Bool)
        case open(Gate)
        case awaitPeerClose(then: Gate?)
        case tunnel(port: UInt16)
        case talk(@Sendable (Socket) throws -> Void)
        case close
        case closeWrite
        case reset
    }

    package let steps: [Step]

    package init(_ parts: [Script]) {
        steps = parts.flatMap(\.steps)
    }

    package init(arrayLiteral parts: Script...) {
        self.init(parts)
    }

    private init(_ step: Step) {
        steps = [step]
    }
}

extension Script {
    /// Sends bytes unchanged, those of consecutive steps in one write.
    package static func send(_ bytes: some WireBytes) -> Script {
        Script(.bytes(bytes.wireBytes))
    }

    /// Sends the same bytes many times, without holding all in memory.
    package static func `repeat`(_ bytes: some WireBytes, count: Int) -> Script {
        Script(.repeated(bytes.wireBytes, count: count))
    }

    /// Waits until the gate opens or, if chosen, the peer closes, whichever comes first.
    package static func wait(_ gate: Gate, orPeerClose: Bool = false) -> Script {
        Script(.wait(gate, orPeerClose: orPeerClose))
    }

    /// Opens a gate for the test, after all earlier bytes were written to the system.
    package static func open(_ gate: Gate) -> Script {
        Script(.open(gate))
    }

    /// Reads and drops bytes until the peer has closed or reset its connection, then opens the gate.
    package static func awaitPeerClose(then gate: Gate? = nil) -> Script {
        Script(.awaitPeerClose(then: gate))
    }

    /// Moves bytes between the peer and a port of the loopback until one of them ends, then closes the connection.
    package static func tunnel(to port: UInt16) -> Script {
        Script(.tunnel(port: port))
    }

    /// Calls a closure with the connection, on its thread, then closes the connection.
    package static func talk(_ talk: @escaping @Sendable (Socket) throws -> Void) -> Script {
        Script(.talk(talk))
    }

    /// Closes the connection; the system resets it if bytes of the peer weren't read.
    package static let close = Script(.close)

    /// Ends the server's direction; the connection is closed after the last step.
    package static let closeWrite = Script(.closeWrite)

    /// Resets the connection, which may discard bytes that the peer hasn't read yet.
    package static let reset = Script(.reset)
}

extension Script {
    /// Sends a response with `Content-Length`, unless `length` specifies otherwise.
    ///
    /// If the request is HEAD, only the head is sent.
    package static func respond(
        status: Int = 200,
        reason: String? = nil,
        headers: WireFields = [:],
        length: ScriptedResponse.Length = .automatic,
        body: some WireBytes = ""
    ) -> Script {
        let body = body.wireBytes
        return Script(
            .response(ScriptedResponse(status: status, reason: reason, headers: headers, length: length, body: body))
        )
    }

    package static func json(_ body: some WireBytes, status: Int = 200) -> Script {
        .respond(status: status, headers: ["Content-Type": "application/json"], body: body)
    }

    /// Sends each element as a chunk, except empty ones, which would end the body.
    package static func chunked<Chunk: WireBytes>(
        _ chunks: [Chunk],
        status: Int = 200,
        headers: WireFields = [:],
        trailers: WireFields = [:]
    ) -> Script {
        var body = chunks.flatMap(framed) + "0\r\n".wireBytes
        for field in trailers {
            body += "\(field)\r\n".wireBytes
        }
        body += "\r\n".wireBytes
        let framing = WireField(name: "Transfer-Encoding", value: "chunked")
        return .respond(status: status, headers: WireFields(headers + [framing]), length: .omitted, body: body)
    }

    /// Sends one chunk with its framing, for scripts with steps between chunks; nothing for empty bytes.
    package static func chunk(_ content: some WireBytes) -> Script {
        .send(framed(content))
    }

    package static func redirect(to location: String, status: Int = 302, headers: WireFields = [:]) -> Script {
        .respond(status: status, headers: WireFields([WireField(name: "Location", value: location)] + headers))
    }

    private static func framed(_ content: some WireBytes) -> [UInt8] {
        let bytes = content.wireBytes
        guard !bytes.isEmpty else { return [] }
        return "\(String(bytes.count, radix: 16))\r\n".wireBytes + bytes + "\r\n".wireBytes
    }
}

/// The server's action after a request's head and before its body.
package enum EarlyAnswer: Sendable {
    /// No action: the server reads the body and calls the handler.
    case none
    /// Plays a script, usually an interim response, then reads the body and calls the handler.
    case interim(Script)
    /// Plays the final response. Unless the script closes the connection, the body is read afterwards.
    case final(Script)
}
