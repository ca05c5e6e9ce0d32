/// The gzip format (RFC 1952), without compression or with excessive compression.
package enum Gzip {
    /// Returns the bytes in stored blocks.
    package static func stored(_ content: some WireBytes) -> [UInt8] {
        let bytes = content.wireBytes
        var blocks: [UInt8] = []
        for start in stride(from: 0, to: max(1, bytes.count), by: 0xFFFF) {
            let block = bytes[start..<min(bytes.count, start + 0xFFFF)]
            let length = UInt16(block.count)
            blocks += [start + block.count == bytes.count ? 1 : 0] + littleEndian(length) + littleEndian(~length)
            blocks += block
        }
        return header + blocks + littleEndian(checksum(of: bytes))
            + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// Returns a truncated body that decompresses to a thousand times its length: about `count` equal bytes.
    package static func bomb(decodedLength: Int) -> [UInt8] {
        var bits = BitWriter()
        // One block with the fixed code (RFC 1951 §3.2.6): a letter, then repetitions of 258 letters each.
        bits.write(0b1, count: 1)
        bits.write(0b01, count: 2)
        bits.write(reversed: 0x30 + UInt32(UInt8(ascii: "x")), count: 8)
        for _ in 0..<(decodedLength / 258) {
            bits.write(reversed: 0b1100_0101, count: 8)
            bits.write(0, count: 5)
        }
        return header + bits.bytes
    }

    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// CRC-32 (RFC 1952 §8).
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1) * 0xEDB8_8320 }
        }
        return ~sum
    }
}

/// A writer of bits in deflate's order: the lowest bit of a byte first.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    mutating func write(_ value: UInt32, count: Int) {
        for index in 0..<count { write(bit: value >> index & 1) }
    }

    /// Appends a code word, which is written from its highest bit.
    mutating func write(reversed value: UInt32, count: Int) {
        for index in (0..<count).reversed() { write(bit: value >> index & 1) }
    }

    private mutating func write(bit: UInt32) {
        if used == 8 {
            bytes.append(0)
            used = 0
        }
        bytes[bytes.count - 1] |= UInt8(bit) << used
        used += 1
    }
}
