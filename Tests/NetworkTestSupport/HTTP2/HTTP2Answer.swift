/// What an HTTP/2 server does about a request.
package struct HTTP2Answer: Sendable {
    let frames: [HTTP2Frame]
    /// Whether nothing more comes over the connection.
    var closes = false
    /// What the answer waits for, while others go out; nil if for nothing.
    var gate: Gate?

    /// Status 200 and the number of the stream in `x-stream`.
    ///
    /// - Parameters:
    ///   - request: What is answered.
    ///   - pieces: The body: a frame for each, together less than 64 KiB, since nobody waits for room.
    ///   - trailers: Names in lower case; no name or value has more than 126 bytes.
    /// - Returns: The answer.
    package static func respond(
        to request: HTTP2Request,
        body pieces: [String] = ["1"],
        trailers: [String: String] = [:]
    ) -> Self {
        let stream = request.stream
        // The status is number 8 of the static table (RFC 7541, appendix A).
        let fields = [0x88] + field("x-stream", "\(stream)")
        var frames = [HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders, stream: stream, payload: fields)]
        frames += pieces.map { HTTP2Frame(.data, stream: stream, payload: Array($0.utf8)) }
        if !trailers.isEmpty {
            let fields = trailers.flatMap { field($0.key, $0.value) }
            frames.append(HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders, stream: stream, payload: fields))
        }
        frames[frames.count - 1].flags |= HTTP2Frame.endStream
        return Self(frames: frames)
    }

    /// RST_STREAM; REFUSED_STREAM says that nothing was done about the request (RFC 9113, section 8.7).
    package static func reset(_ request: HTTP2Request, code: UInt32 = 7) -> Self {
        Self(frames: [HTTP2Frame(.reset, stream: request.stream, payload: HTTP2Frame.bytes(of: code))])
    }

    /// GOAWAY without an error, the rest if there is one, and the end of the connection: nothing was done about
    /// requests after the last stream (RFC 9113, section 6.8).
    package static func goAway(lastStream: UInt32, before rest: Self? = nil) -> Self {
        let payload = HTTP2Frame.bytes(of: lastStream) + HTTP2Frame.bytes(of: 0)
        return Self(frames: [HTTP2Frame(.goAway, payload: payload)] + (rest?.frames ?? []), closes: true)
    }

    /// The same, but not before the gate is open.
    package func held(until gate: Gate) -> Self {
        var copy = self
        copy.gate = gate
        return copy
    }

    /// Without indexing, with a name of its own, both without Huffman's code (RFC 7541, section 6.2.2).
    private static func field(_ name: String, _ value: String) -> [UInt8] {
        [0] + [name, value].flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
    }
}
