/// What the server does for one request, step by step.
///
/// ```swift
/// LoopbackServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n12"), .wait(gate), .send("34")] }
/// ```
/// After the last step the connection stays open for the next request, unless the script closed it or the request
/// said `Connection: close`. A write that fails ends the connection and the script, steps that open a gate included.
package struct Script: Sendable, ExpressibleByArrayLiteral {
    package var steps: [Step]

    package init(_ steps: [Step]) {
        self.steps = steps
    }

    package init(arrayLiteral elements: Step...) {
        steps = elements
    }

    /// The script with more steps after its own, as in `.json("{}").adding(.close)`.
    package func adding(_ more: Step...) -> Script {
        Script(steps + more)
    }
}

extension Script {
    /// Like the step of the same name, and nothing else.
    package static func respond(
        status: Int = 200,
        reason: String? = nil,
        headers: WireFields = [:],
        length: ScriptedResponse.Length = .automatic,
        body: some WireBytes = ""
    ) -> Script {
        [.respond(status: status, reason: reason, headers: headers, length: length, body: body)]
    }

    /// Like the step of the same name, and nothing else.
    package static func json(_ body: some WireBytes, status: Int = 200) -> Script {
        [.json(body, status: status)]
    }

    /// Like the step of the same name, and nothing else.
    package static func chunked<Chunk: WireBytes>(
        _ chunks: [Chunk],
        status: Int = 200,
        headers: WireFields = [:],
        trailers: WireFields = [:]
    ) -> Script {
        [.chunked(chunks, status: status, headers: headers, trailers: trailers)]
    }

    /// Like the step of the same name, and nothing else.
    package static func redirect(to location: String, status: Int = 302, headers: WireFields = [:]) -> Script {
        [.redirect(to: location, status: status, headers: headers)]
    }
}

/// One thing that the server does for a request; a ``Script`` is a list of them.
package enum Step: Sendable {
    /// Bytes as they are. Those of consecutive steps go out in one write.
    case bytes([UInt8])
    /// A whole response, of which a HEAD request gets only the head.
    case response(ScriptedResponse)
    /// The same bytes many times over, without holding them all.
    case repeated([UInt8], count: Int)
    /// Holds until the gate opens or, if wished, the peer closes, whichever comes first.
    case wait(Gate, orPeerClose: Bool = false)
    /// Tells the test that the script has come this far. Everything before has been handed to the system.
    case open(Gate)
    /// Reads and drops what comes until the peer has closed or reset its connection, then opens the gate.
    case awaitPeerClose(then: Gate? = nil)
    /// Closes; the system makes it a reset if the peer sent something that was not read.
    case close
    /// Ends the server's direction only; the connection is closed after the last step.
    case closeWrite
    /// Closes with a reset, which may overtake bytes that the peer has not read yet.
    case reset

    package static func send(_ bytes: some WireBytes) -> Step {
        .bytes(bytes.wireBytes)
    }

    package static func `repeat`(_ bytes: some WireBytes, count: Int) -> Step {
        .repeated(bytes.wireBytes, count: count)
    }
}

extension Step {
    /// A response with `Content-Length`, unless `length` says otherwise.
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

    /// Each element as a chunk of its own, but for empty ones, which would end the body.
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

    /// One chunk, size and all, for scripts that do something between two of them; nothing for an empty one.
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
