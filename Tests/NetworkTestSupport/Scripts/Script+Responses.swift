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
