/// The frames that are sent: whole messages, with the shortest form of their lengths (RFC 6455 §5.1–5.3).
enum WebSocketFrame {
    /// What a frame is (§5.2).
    enum Opcode: UInt8 {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xA

        /// Whether a frame of this kind may stand between the fragments of a message (§5.5).
        var isControl: Bool { rawValue >= 8 }
    }

    /// Returns the frame of a payload, masked with the bytes of a key; without one, the frame is a server's.
    static func bytes(
        _ opcode: Opcode,
        _ payload: UnsafeRawBufferPointer,
        key: UInt32? = newKey()
    ) -> [UInt8] {
        let extra = payload.count < 126 ? 0 : payload.count < 1 << 16 ? 2 : 8
        let head = (key == nil ? 2 : 6) + extra
        return [UInt8](unsafeUninitializedCapacity: head + payload.count) { buffer, count in
            let frame = UnsafeMutableRawBufferPointer(buffer)
            frame[0] = 0x80 | opcode.rawValue
            frame[1] = (key == nil ? 0 : 0x80) | (extra == 0 ? UInt8(payload.count) : extra == 2 ? 126 : 127)
            for index in 0..<extra {
                frame[2 + index] = UInt8(truncatingIfNeeded: payload.count >> (8 * (extra - 1 - index)))
            }
            frame[head...].copyBytes(from: payload)
            count = frame.count
            guard let key else { return }
            frame.storeBytes(of: key, toByteOffset: head - 4, as: UInt32.self)
            mask(UnsafeMutableRawBufferPointer(rebasing: frame[head...]), with: key)
        }
    }

    /// Returns the frame of a Close; one without payload for a code that is never sent (§7.4.1).
    ///
    /// A reason that is too long is cut before a character.
    static func close(_ code: WebSocketCloseCode, reason: String, key: UInt32? = newKey()) -> [UInt8] {
        guard code.isSendable else { return bytes(.close, UnsafeRawBufferPointer(start: nil, count: 0), key: key) }
        var text = Array(reason.utf8.prefix(maximumReasonLength + 1))
        if text.count > maximumReasonLength {
            // The byte after the cut may not continue a character.
            while let last = text.popLast(), last & 0xC0 == 0x80 {}
        }
        let payload = withUnsafeBytes(of: code.rawValue.bigEndian, Array.init) + text
        return payload.withUnsafeBytes { bytes(.close, $0, key: key) }
    }

    /// The number of bytes of the reason of a Close, whose code has two of the 125 of a control frame (§5.5).
    static let maximumReasonLength = 123

    /// Returns a key that no one can predict (§5.3, §10.3).
    static func newKey() -> UInt32 {
        keys.withLock { keys in
            // Each call of the system's generator is a system call, which costs as much as a short message.
            if keys.isEmpty {
                var generator = SystemRandomNumberGenerator()
                keys = (0..<128).flatMap { _ in
                    let both = generator.next() as UInt64
                    return [UInt32(truncatingIfNeeded: both), UInt32(truncatingIfNeeded: both >> 32)]
                }
            }
            return keys.removeLast()
        }
    }

    private static let keys = Locked<[UInt32]>([])

    /// Masks bytes, eight at a time; the key has the four bytes in the order in which they are sent.
    private static func mask(_ bytes: UnsafeMutableRawBufferPointer, with key: UInt32) {
        let wide = UInt64(key) << 32 | UInt64(key)
        var index = 0
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide
            bytes.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        withUnsafeBytes(of: key) { key in
            while index < bytes.count {
                bytes[index] ^= key[index & 3]
                index += 1
            }
        }
    }
}
