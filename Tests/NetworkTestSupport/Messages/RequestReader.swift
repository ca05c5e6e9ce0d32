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
    mutating func readHead(connection: Int, index: Int) throws -> RecordedRequest? {
        guard try position < buffer.count || fill() else { return nil }
        var lines: [ArraySlice<UInt8>] = []
        let bytes = try takeLines(into: &lines)
        return try RecordedRequest(head: bytes, lines: lines, connection: connection, indexOnConnection: index)
    }

    /// Reads the body into the request, which also contains the bytes that were read before an error.
    mutating func readBody(into request: inout RecordedRequest, keeping keepsBody: Bool) throws {
        var content: [UInt8] = []
        var length = 0
        defer {
            request.body = Data(content)
            request.bodyLength = length
        }
        func consume(_ piece: ArraySlice<UInt8>) {
            length += piece.count
            if keepsBody { content += piece }
        }
        switch request.framing {
        case .none:
            break
        case .contentLength(let length):
            try read(length, consume)
        case .chunked:
            while let size = try readChunkSize() {
                try read(size, consume)
                guard try takeLine().count == 2 else { throw MalformedRequest(reason: "a chunk longer than its size") }
            }
            var trailers: [ArraySlice<UInt8>] = []
            _ = try takeLines(into: &trailers)
            _ = try WireFields(parsing: trailers)
        }
        request.isComplete = true
    }

    /// Reads a chunk; nil for the last chunk, which has size zero.
    private mutating func readChunkSize() throws -> Int? {
        let digits = try takeLine().dropLast(2).prefix { $0 != UInt8(ascii: ";") }
        guard digits.first != UInt8(ascii: "+"), let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
            size >= 0
        else { throw MalformedRequest(reason: "a chunk size that is not a number") }
        return size == 0 ? nil : size
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

/// The framing of a request's body.
package enum BodyFraming: Sendable, Equatable {
    /// Neither a length nor chunks, so no body.
    case none
    case contentLength(Int)
    case chunked

    fileprivate init(_ headers: WireFields) throws {
        let lengths = headers.values(for: "Content-Length")
        let codings = headers.members(of: "Transfer-Encoding")
        switch (lengths.count, codings) {
        case (0, []):
            self = .none
        case (0, ["chunked"]):
            self = .chunked
        case (1, []):
            guard lengths[0].utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(lengths[0]) else {
                throw MalformedRequest(reason: "a Content-Length that is not a number")
            }
            self = .contentLength(length)
        default:
            throw MalformedRequest(reason: "contradicting Content-Length and Transfer-Encoding")
        }
    }
}

/// Bytes that aren't a valid HTTP/1.1 request, with the reason.
struct MalformedRequest: Error {
    let reason: String
}

/// A request as it was received.
package struct RecordedRequest: Sendable {
    /// All bytes up to and including the empty line.
    package let headText: String
    package let method: String
    /// The request target between method and version: path and query, not decoded.
    package let target: String
    /// The header fields in the order and spelling in which they were received.
    package let headers: WireFields
    package let framing: BodyFraming
    /// Whether the client wants the connection to be closed after the response.
    let wantsClose: Bool
    /// The number of the connection on the server, from 0.
    package let connection: Int
    /// The number of the request on its connection, from 0.
    package let indexOnConnection: Int

    /// The content without chunk framing; empty if only the head was read, or the server keeps no bodies.
    package internal(set) var body = Data()
    /// The length of the content, also if the content isn't kept.
    package internal(set) var bodyLength = 0
    /// Whether the body was read to its end.
    package internal(set) var isComplete = false

    /// - Throws: ``MalformedRequest``, also for errors that most servers tolerate: a client must not need tolerance.
    init(head: [UInt8], lines: [ArraySlice<UInt8>], connection: Int, indexOnConnection: Int) throws {
        let parts = (lines.first ?? []).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), parts[0].allSatisfy(\.isTokenByte),
            parts[1].allSatisfy({ $0 > 32 && $0 < 127 })
        else { throw MalformedRequest(reason: "a request line that is not method, target and version") }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw MalformedRequest(reason: "an unknown version")
        }
        headText = String(decoding: head, as: UTF8.self)
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
        headers = try WireFields(parsing: lines.dropFirst())
        guard version == "HTTP/1.0" || headers.values(for: "Host").count == 1 else {
            throw MalformedRequest(reason: "not exactly one Host field")
        }
        framing = try BodyFraming(headers)
        let options = headers.members(of: "Connection")
        wantsClose = version == "HTTP/1.0" ? !options.contains("keep-alive") : options.contains("close")
        self.connection = connection
        self.indexOnConnection = indexOnConnection
    }

    /// Returns the first value of a header field, compared without case.
    package func value(forHeader name: String) -> String? {
        headers[name]
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
