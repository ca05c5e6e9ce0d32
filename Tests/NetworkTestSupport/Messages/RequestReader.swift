import Foundation

/// Takes requests off a socket one after the other; bytes of the next one stay until they are asked for.
struct RequestReader {
    /// The peer stopped in the middle of a request.
    struct Truncated: Error {}

    private static let longestHead = 1 << 20

    private let socket: Socket
    private var buffer: [UInt8] = []
    private var position = 0

    init(socket: Socket) {
        self.socket = socket
    }

    /// Reads what there is, or waits for it; false when the peer has sent its last.
    mutating func fill() throws -> Bool {
        let bytes = try socket.receive()
        buffer.removeSubrange(..<position)
        position = 0
        buffer += bytes
        return !bytes.isEmpty
    }

    /// The next head, nil if the peer closes instead of sending one.
    mutating func readHead() throws -> RequestHead? {
        guard try position < buffer.count || fill() else { return nil }
        var lines: [ArraySlice<UInt8>] = []
        let bytes = try takeLines(into: &lines)
        return try RequestHead(bytes: bytes, lines: lines)
    }

    /// Reads the body into the request; what was read before an error is in it, too.
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

    /// Nil for the last chunk, the one of size zero.
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

    /// Lines up to an empty one: all bytes as the answer, and in `lines` each line without its end.
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

    /// One line with its end, which must be CR LF.
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
