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
