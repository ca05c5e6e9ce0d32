/// A request as far as the empty line: what decides how the rest is read.
struct RequestHead {
    let bytes: [UInt8]
    let method: String
    let target: String
    let version: String
    let headers: WireFields
    let framing: BodyFraming

    /// - Throws: ``MalformedRequest``, more readily than most servers: a client under test must not need leniency.
    init(bytes: [UInt8], lines: [ArraySlice<UInt8>]) throws {
        let parts = (lines.first ?? []).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), parts[0].allSatisfy(\.isTokenByte),
            parts[1].allSatisfy({ $0 > 32 && $0 < 127 })
        else { throw MalformedRequest(reason: "a request line that is not method, target and version") }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw MalformedRequest(reason: "an unknown version")
        }
        self.bytes = bytes
        self.version = version
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
        headers = try WireFields(parsing: lines.dropFirst())
        guard version == "HTTP/1.0" || headers.values(for: "Host").count == 1 else {
            throw MalformedRequest(reason: "not exactly one Host field")
        }
        framing = try Self.framing(headers)
    }

    var wantsClose: Bool {
        let options = headers.members(of: "Connection")
        return version == "HTTP/1.0" ? !options.contains("keep-alive") : options.contains("close")
    }

    private static func framing(_ headers: WireFields) throws -> BodyFraming {
        let lengths = headers.values(for: "Content-Length")
        let codings = headers.members(of: "Transfer-Encoding")
        switch (lengths.count, codings) {
        case (0, []):
            return .none
        case (0, ["chunked"]):
            return .chunked
        case (1, []):
            guard lengths[0].utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(lengths[0]) else {
                throw MalformedRequest(reason: "a Content-Length that is not a number")
            }
            return .contentLength(length)
        default:
            throw MalformedRequest(reason: "contradicting Content-Length and Transfer-Encoding")
        }
    }
}
