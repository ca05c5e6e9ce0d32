package import Foundation

/// Reads requests from a socket one after the other; the bytes of the next request stay in the buffer.
struct RequestReader {
    /// The peer closed the connection in the middle of a request.
    struct Truncated: Error {}

    private static let longestHead = 1 << 20

    private let socket: Socket
    private var buffer: [UInt8] = []
    private var position = 0

    init(socket: Socket) {
        self.socket = socket
    }

    /// Waits for bytes and reads them; false when the peer has closed its end.
    mutating func fill() throws -> Bool {
        let bytes = try socket.receive()
        buffer.removeSubrange(..<position)
        position = 0
        buffer += bytes
        return !bytes.isEmpty
    }

    /// Reads the next head; nil if the peer closes the connection instead.
    mutating func readHead() throws -> RequestHead? {
        guard try position < buffer.count || fill() else { return nil }
        var lines: [ArraySlice<UInt8>] = []
        let bytes = try takeLines(into: &lines)
        return try RequestHead(bytes: bytes, lines: lines)
    }

    /// Reads the body into the request, which also contains the bytes that were read before an error.
    mutating func readBody(into request: inout RecordedRequest, keeping keepsBody: Bool) throws {
        var content: [UInt8] = []
        var raw: [UInt8] = []
        defer {
            request.body = Data(content)
            request.rawBody = request.framing == .chunked ? Data(raw) : request.body
        }
        switch request.framing {
        case .none:
            break
        case .contentLength(let length):
            try read(length) { piece in
                request.bodyLength += piece.count
                if keepsBody { content += piece }
            }
        case .chunked:
            while let size = try readChunkSize(into: &raw) {
                try read(size) { piece in
                    request.bodyLength += piece.count
                    if keepsBody { content += piece }
                    if keepsBody { raw += piece }
                }
                let lineEnd = try takeLine()
                guard lineEnd.count == 2 else { throw MalformedRequest(reason: "a chunk longer than its size") }
                if keepsBody { raw += lineEnd }
            }
            request.trailers = try readTrailers(into: &raw)
        }
        request.isComplete = true
    }

    /// Reads a chunk; nil for the last chunk, which has size zero.
    private mutating func readChunkSize(into raw: inout [UInt8]) throws -> Int? {
        let line = try takeLine()
        raw += line
        let digits = line.dropLast(2).prefix { $0 != UInt8(ascii: ";") }
        guard digits.first != UInt8(ascii: "+"), let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
            size >= 0
        else { throw MalformedRequest(reason: "a chunk size that is not a number") }
        return size == 0 ? nil : size
    }

    private mutating func readTrailers(into raw: inout [UInt8]) throws -> WireFields {
        var lines: [ArraySlice<UInt8>] = []
        raw += try takeLines(into: &lines)
        return try WireFields(parsing: lines)
    }

    private mutating func read(_ count: Int, _ consume: (ArraySlice<UInt8>) -> Void) throws {
        var missing = count
        while missing > 0 {
            if position == buffer.count {
                guard try fill() else { throw Truncated() }
            }
            let piece = buffer[position...].prefix(missing)
            consume(piece)
            position += piece.count
            missing -= piece.count
        }
    }

    /// Reads lines up to an empty line: returns all bytes, and appends the lines without their ends to `lines`.
    private mutating func takeLines(into lines: inout [ArraySlice<UInt8>]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let line = try takeLine()
            bytes += line
            if line.count == 2 { return bytes }
            guard bytes.count < Self.longestHead else { throw MalformedRequest(reason: "a head over 1 MiB") }
            lines.append(line.dropLast(2))
        }
    }

    /// Reads one line with its end, which must be CR LF.
    private mutating func takeLine() throws -> ArraySlice<UInt8> {
        var searched = 0
        while true {
            let unread = buffer.count - position
            if let length = lengthOfLine(after: searched) {
                let line = buffer[position..<(position + length)]
                position += length
                guard line.count > 1, line[line.endIndex - 2] == 13 else {
                    throw MalformedRequest(reason: "a line that does not end in CR LF")
                }
                return line
            }
            guard unread < Self.longestHead else { throw MalformedRequest(reason: "a line over 1 MiB") }
            guard try fill() else { throw Truncated() }
            searched = unread
        }
    }

    private func lengthOfLine(after searched: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = memchr(base + position + searched, 10, bytes.count - position - searched)
            else { return nil }
            return UnsafeRawPointer(found) - base - position + 1
        }
    }
}

/// The head of a request, up to the empty line, which determines how the body is read.
struct RequestHead {
    let bytes: [UInt8]
    let method: String
    let target: String
    let version: String
    let headers: WireFields
    let framing: BodyFraming

    /// - Throws: ``MalformedRequest``, also for errors that most servers tolerate: a client must not need tolerance.
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

/// The framing of a request's body.
package enum BodyFraming: Sendable, Equatable {
    /// Neither a length nor chunks, so no body.
    case none
    case contentLength(Int)
    case chunked
}

/// Bytes that aren't a valid HTTP/1.1 request, with the reason.
struct MalformedRequest: Error {
    let reason: String
}

/// A request as it was received.
package struct RecordedRequest: Sendable {
    /// All bytes up to and including the empty line.
    package let headBytes: [UInt8]
    package let method: String
    /// The request target between method and version: path and query, not decoded.
    package let target: String
    package let version: String
    /// The header fields in the order and spelling in which they were received.
    package let headers: WireFields
    package let framing: BodyFraming
    /// The number of the connection on the server, from 0.
    package let connection: Int
    /// The number of the request on its connection, from 0.
    package let indexOnConnection: Int

    /// The content without chunk framing; empty if only the head was read, or the server keeps no bodies.
    package internal(set) var body = Data()
    /// The body as sent, including chunk sizes and trailers.
    package internal(set) var rawBody = Data()
    /// The length of the content, also if the content isn't kept.
    package internal(set) var bodyLength = 0
    package internal(set) var trailers = WireFields()
    /// Whether the body was read to its end.
    package internal(set) var isComplete = false

    init(head: RequestHead, connection: Int, indexOnConnection: Int) {
        headBytes = head.bytes
        method = head.method
        target = head.target
        version = head.version
        headers = head.headers
        framing = head.framing
        self.connection = connection
        self.indexOnConnection = indexOnConnection
    }

    /// Returns the first value of a header field, compared without case.
    package func value(forHeader name: String) -> String? {
        headers[name]
    }

    package var headText: String {
        String(decoding: headBytes, as: UTF8.self)
    }

    package var bodyText: String {
        String(decoding: body, as: UTF8.self)
    }

    /// The target up to the question mark.
    package var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The target after the question mark; nil without one.
    package var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }
}
