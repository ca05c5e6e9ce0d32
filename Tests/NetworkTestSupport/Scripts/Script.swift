/// The steps of a server for one request.
///
/// ```swift
/// LoopbackServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n12"), .wait(gate), .send("34")] }
/// ```
/// After the last step the connection stays open for the next request, unless the script closed it or the request had
/// `Connection: close`. A failed write ends the connection and the script; remaining steps, also gates, are skipped.
package struct Script: Sendable, ExpressibleByArrayLiteral {
    package var steps: [Step]

    package init(_ steps: [Step]) {
        self.steps = steps
    }

    package init(arrayLiteral elements: Step...) {
        steps = elements
    }

    /// Returns the script with additional steps at the end, as in `.json("{}").adding(.close)`.
    package func adding(_ more: Step...) -> Script {
        Script(steps + more)
    }
}

extension Script {
    /// A script with the step of the same name alone.
    package static func respond(
        status: Int = 200,
        reason: String? = nil,
        headers: WireFields = [:],
        length: ScriptedResponse.Length = .automatic,
        body: some WireBytes = ""
    ) -> Script {
        [.respond(status: status, reason: reason, headers: headers, length: length, body: body)]
    }

    /// A script with the step of the same name alone.
    package static func json(_ body: some WireBytes, status: Int = 200) -> Script {
        [.json(body, status: status)]
    }

    /// A script with the step of the same name alone.
    package static func chunked<Chunk: WireBytes>(
        _ chunks: [Chunk],
        status: Int = 200,
        headers: WireFields = [:],
        trailers: WireFields = [:]
    ) -> Script {
        [.chunked(chunks, status: status, headers: headers, trailers: trailers)]
    }

    /// A script with the step of the same name alone.
    package static func redirect(to location: String, status: Int = 302, headers: WireFields = [:]) -> Script {
        [.redirect(to: location, status: status, headers: headers)]
    }
}

/// One action of the server; a ``Script`` is a list of steps.
package enum Step: Sendable {
    /// Sends bytes unchanged. The bytes of consecutive steps are sent in one write.
    case bytes([UInt8])
    /// Sends a whole response; only its head if the request is HEAD.
    case response(ScriptedResponse)
    /// Sends the same bytes many times, without holding all in memory.
    case repeated([UInt8], count: Int)
    /// Waits until the gate opens or, if chosen, the peer closes, whichever comes first.
    case wait(Gate, orPeerClose: Bool = false)
    /// Opens a gate for the test, after all earlier bytes were written to the system.
    case open(Gate)
    /// Reads and drops bytes until the peer has closed or reset its connection, then opens the gate.
    case awaitPeerClose(then: Gate? = nil)
    /// Closes the connection; the system resets it if bytes of the peer weren't read.
    case close
    /// Ends the server's direction; the connection is closed after the last step.
    case closeWrite
    /// Resets the connection, which may discard bytes that the peer hasn't read yet.
    case reset

    package static func send(_ bytes: some WireBytes) -> Step {
        .bytes(bytes.wireBytes)
    }

    package static func `repeat`(_ bytes: some WireBytes, count: Int) -> Step {
        .repeated(bytes.wireBytes, count: count)
    }
}

extension Step {
    /// Sends a response with `Content-Length`, unless `length` specifies otherwise.
    package static func respond(
        status: Int = 200,
        reason: String? = nil,
        headers: WireFields = [:],
        length: ScriptedResponse.Length = .automatic,
        body: some WireBytes = ""
    ) -> Step {
        .response(ScriptedResponse(status: status, reason: reason, headers: headers, length: length, body: body))
    }

    package static func json(_ body: some WireBytes, status: Int = 200) -> Step {
        .respond(status: status, headers: ["Content-Type": "application/json"], body: body)
    }

    /// Sends each element as a chunk, except empty ones, which would end the body.
    package static func chunked<Chunk: WireBytes>(
        _ chunks: [Chunk],
        status: Int = 200,
        headers: WireFields = [:],
        trailers: WireFields = [:]
    ) -> Step {
        var body: [UInt8] = []
        for chunk in chunks {
            body += framed(chunk)
        }
        body += "0\r\n".wireBytes
        for field in trailers {
            body += "\(field.name): \(field.value)\r\n".wireBytes
        }
        body += "\r\n".wireBytes
        let framing = WireField(name: "Transfer-Encoding", value: "chunked")
        return .respond(status: status, headers: WireFields(headers + [framing]), length: .omitted, body: body)
    }

    /// Sends one chunk with its framing, for scripts with steps between chunks; nothing for empty bytes.
    package static func chunk(_ content: some WireBytes) -> Step {
        .bytes(framed(content))
    }

    package static func redirect(to location: String, status: Int = 302, headers: WireFields = [:]) -> Step {
        .respond(status: status, headers: WireFields([WireField(name: "Location", value: location)] + headers))
    }

    private static func framed(_ content: some WireBytes) -> [UInt8] {
        let bytes = content.wireBytes
        guard !bytes.isEmpty else { return [] }
        return "\(String(bytes.count, radix: 16))\r\n".wireBytes + bytes + "\r\n".wireBytes
    }
}
