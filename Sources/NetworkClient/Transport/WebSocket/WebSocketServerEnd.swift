/// The server's end of a channel in this process: for a transport whose system has messages in place of frames, and for
/// tests.
package final class WebSocketServerEnd: Sendable {
    /// The content of one frame.
    package enum Frame: Sendable {
        case message(WebSocketMessage)
        case ping(Data)
        case pong(Data)
        case close(WebSocketClosed)
        /// The head of a message that is longer than any limit.
        case endless
    }

    private struct State {
        /// The bytes of the client, from the first frame that was not returned.
        var bytes: [UInt8] = []
        /// How often the channel has asked its transport to go on.
        var generation = 0
        var isRefused = false
        var waiters = Waiters<Void>()
    }

    private let channel: WebSocketChannel
    private let state = Locked(State())

    /// Creates the end of a channel that has no other transport.
    package init(_ channel: WebSocketChannel) {
        self.channel = channel
        channel.connect { [weak self] in self?.goOn() }
    }

    private func goOn() {
        let due = state.withLock { state in
            state.generation += 1
            return state.waiters.removeAll()
        }
        for waiter in due { waiter.resume() }
    }

    /// Waits for the next frame of the client; nil when it has sent its Close, or the socket has ended.
    ///
    /// - Throws: `CancellationError`.
    package func next() async throws -> Frame? {
        while true {
            let generation = state.withLock { $0.generation }
            if let frame = state.withLock({ Self.takeFrame(of: &$0.bytes) }) { return frame }
            // No more than a frame needs, since a sender waits for the room of what is not taken.
            switch takeBytes() {
            case .bytes: break
            case .nothing: try await wait(after: generation)
            case .end: return nil
            }
        }
    }

    /// Whether the client takes no further frames: it has got a Close, or one that breaks a rule.
    package var isRefused: Bool { state.withLock { $0.isRefused } }

    /// Sends a frame to the client, and returns when there was room for it.
    ///
    /// - Throws: `CancellationError`.
    package func send(_ frame: Frame) async throws {
        let bytes = Self.bytes(of: frame)
        while true {
            let generation = state.withLock { $0.generation }
            switch bytes.withUnsafeBytes({ channel.receive($0) }) {
            case .taken: return
            case .ended: return state.withLock { $0.isRefused = true }
            case .refused: try await wait(after: generation)
            }
        }
    }

    private func wait(after generation: Int) async throws {
        try await state.wait { state, waiter in
            guard state.generation == generation else { return () }
            state.waiters.add(waiter)
            return nil
        } leaving: { [state] id in
            state.withLock { $0.waiters.remove(id) }
        }
    }

    /// Takes a portion of what the client sends.
    private func takeBytes() -> WebSocketState.Portion {
        withUnsafeTemporaryAllocation(byteCount: 1 << 13, alignment: 1) { buffer in
            let portion = channel.take(into: buffer)
            if case .bytes(let count) = portion {
                state.withLock { $0.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
            }
            return portion
        }
    }

    /// Removes and returns the first frame, which is unfragmented and masked as those of ``WebSocketFrame``; nil if it
    /// is not whole.
    private static func takeFrame(of bytes: inout [UInt8]) -> Frame? {
        guard bytes.count >= 2 else { return nil }
        let extra = [126: 2, 127: 8][bytes[1] & 0x7F] ?? 0
        let head = 6 + extra
        guard bytes.count >= head else { return nil }
        let length = extra == 0 ? Int(bytes[1] & 0x7F) : bytes[2..<2 + extra].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= head + length else { return nil }
        var payload = Data(bytes[head..<head + length])
        for index in 0..<length { payload[index] ^= bytes[head - 4 + index & 3] }
        defer { bytes.removeFirst(head + length) }
        switch WebSocketFrame.Opcode(rawValue: bytes[0] & 0x0F) {
        case .text?: return .message(.text(String(decoding: payload, as: UTF8.self)))
        case .ping?: return .ping(payload)
        case .pong?: return .pong(payload)
        case .close?:
            guard payload.count > 1 else { return .close(WebSocketClosed(code: .noStatus)) }
            let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
            return .close(WebSocketClosed(code: code, reason: String(decoding: payload.dropFirst(2), as: UTF8.self)))
        default: return .message(.binary(payload))
        }
    }

    /// Returns a frame of a server, which is not masked.
    private static func bytes(of frame: Frame) -> [UInt8] {
        switch frame {
        case .message(.text(var text)):
            return text.withUTF8 { WebSocketFrame.bytes(.text, UnsafeRawBufferPointer($0), key: nil) }
        case .message(.binary(let data)): return data.withUnsafeBytes { WebSocketFrame.bytes(.binary, $0, key: nil) }
        case .ping(let data): return data.withUnsafeBytes { WebSocketFrame.bytes(.ping, $0, key: nil) }
        case .pong(let data): return data.withUnsafeBytes { WebSocketFrame.bytes(.pong, $0, key: nil) }
        case .close(let closed): return WebSocketFrame.close(closed.code, reason: closed.reason, key: nil)
        case .endless: return [0x82, 0x7F, 0x7F] + [UInt8](repeating: 0xFF, count: 7)
        }
    }
}
