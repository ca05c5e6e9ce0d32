import Foundation

/// The server's end of a WebSocket (RFC 6455 §5), for a script: it sends any bytes, and reads the client's frames.
package final class WebSocketPeer {
    /// A frame of the client.
    package struct Frame: Equatable, CustomStringConvertible {
        package let opcode: UInt8
        package let payload: [UInt8]

        /// The kind, the code of a Close, and the payload as text: `text hello`, `close 1000 bye`.
        package var description: String {
            let kinds: [UInt8: String] = [1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong"]
            let kind = kinds[opcode] ?? "opcode \(opcode)"
            guard opcode == 8, payload.count > 1 else { return "\(kind) \(String(decoding: payload, as: UTF8.self))" }
            let code = Int(payload[0]) << 8 | Int(payload[1])
            return "close \(code) \(String(decoding: payload.dropFirst(2), as: UTF8.self))"
        }
    }

    /// A client's frame that breaks a rule.
    package struct BrokenFrame: Error {
        package let reason: String
    }

    private let socket: Socket
    private var bytes: [UInt8] = []
    private var start = 0

    package init(_ socket: Socket) {
        self.socket = socket
    }

    /// Sends bytes, such as those of ``frame(_:_:)``.
    package func send(_ bytes: [UInt8]) throws { try socket.sendAll(bytes) }

    package func send(_ text: String) throws { try send(Self.frame(1, Array(text.utf8))) }

    package func send(close code: UInt16, _ reason: String = "") throws {
        try send(Self.frame(8, [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + Array(reason.utf8)))
    }

    /// Ends the connection with a reset.
    package func reset() { socket.reset() }

    /// Returns the frame of a server: whole, and with the shortest form of its length.
    package static func frame(_ opcode: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        var head = [0x80 | opcode]
        switch payload.count {
        case ..<126: head.append(UInt8(payload.count))
        case ..<65_536: head += [126, UInt8(payload.count >> 8), UInt8(truncatingIfNeeded: payload.count)]
        default: head += [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
        return head + payload
    }

    /// Waits for the next frame of the client; nil at the end of the connection.
    ///
    /// - Throws: ``BrokenFrame``; ``SocketError``.
    package func next() throws -> Frame? {
        while true {
            if let (frame, length) = try Self.frame(in: bytes[start...]) {
                start += length
                return frame
            }
            (bytes, start) = (Array(bytes[start...]), 0)
            let more = try socket.receive(upTo: max(32 * 1024, bytes.count))
            guard !more.isEmpty else { return nil }
            bytes += more
        }
    }

    /// Reads and drops bytes until the client has ended the connection.
    package func awaitEnd() { while let bytes = try? socket.receive(), !bytes.isEmpty {} }

    /// Returns the frames of a client, all whole.
    ///
    /// - Throws: ``BrokenFrame`` for a frame that is not masked, not whole, or a fragment.
    package static func frames(in bytes: [UInt8]) throws -> [Frame] {
        var (frames, rest) = ([Frame](), bytes[...])
        while !rest.isEmpty {
            guard let (frame, length) = try frame(in: rest) else { throw BrokenFrame(reason: "it is not whole") }
            frames.append(frame)
            rest = rest.dropFirst(length)
        }
        return frames
    }

    /// Returns the first frame and its length; nil if it is not whole.
    private static func frame(in bytes: ArraySlice<UInt8>) throws -> (Frame, length: Int)? {
        guard bytes.count > 5 else { return nil }
        let head = Array(bytes.prefix(14))
        guard head[0] & 0xF0 == 0x80 else { throw BrokenFrame(reason: "the first byte is \(head[0])") }
        guard head[1] & 0x80 != 0 else { throw BrokenFrame(reason: "it is not masked") }
        let extra = [126: 2, 127: 8][head[1] & 0x7F] ?? 0
        guard bytes.count >= 6 + extra else { return nil }
        let count = extra == 0 ? Int(head[1] & 0x7F) : head[2..<2 + extra].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= 6 + extra + count else { return nil }
        var payload = Array(bytes.dropFirst(6 + extra).prefix(count))
        payload.withUnsafeMutableBufferPointer { payload in
            head.withUnsafeBufferPointer { head in
                for index in 0..<count { payload[index] ^= head[2 + extra + index & 3] }
            }
        }
        return (Frame(opcode: head[0] & 0xF, payload: payload), 6 + extra + count)
    }
}
