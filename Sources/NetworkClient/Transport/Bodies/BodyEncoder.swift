#if os(Linux)
import CCurl
#else
import Compression
#endif

/// Compresses one body, a portion at a time.
///
/// Equal bodies have equal results: the head of gzip has no time and no name (RFC 1952 §2.3).
final class BodyEncoder {
    /// The formats; the raw value is the name of the content coding (RFC 9110 §8.4.1).
    enum Format: String, Sendable {
        case gzip
        /// The zlib format (RFC 1950).
        case deflate
    }

    /// The maximum length of a portion in bytes.
    static let maxPortion = 1 << 16

    #if os(Linux)
    private let encoder: OpaquePointer

    /// Creates an encoder with zlib's level 6; nil if this machine has no zlib, or if there is no memory.
    init?(_ format: Format) {
        let coding = format == .gzip ? CCURL_CODING_GZIP : CCURL_CODING_DEFLATE
        guard let encoder = ccurl_encoder_make(coding) else { return nil }
        self.encoder = encoder
    }

    deinit {
        ccurl_encoder_free(encoder)
    }

    /// Returns the output of the next portion, which may be empty; the last portion may be empty too.
    func encode(_ portion: UnsafeRawBufferPointer, isLast: Bool) throws -> Data {
        var (input, output) = (portion, Data())
        try withUnsafeTemporaryAllocation(byteCount: Self.maxPortion, alignment: 1) { buffer in
            var made = buffer.count
            while made == buffer.count {
                var used = input.count
                let bytes = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                guard ccurl_encoder_encode(encoder, bytes, &used, buffer.baseAddress, &made, isLast ? 1 : 0) != 0 else {
                    throw POSIXError(.EINVAL)
                }
                input = UnsafeRawBufferPointer(rebasing: input[used...])
                output.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<made]))
            }
        }
        return output
    }
    #else
    private final class Output {
        var bytes = Data()
    }

    private let output = Output()
    private let filter: OutputFilter
    private var frame: DeflateFrame

    /// Creates an encoder of the system, which has one level.
    init?(_ format: Format) {
        frame = DeflateFrame(format)
        output.bytes = Data(frame.head)
        let made = try? OutputFilter(.compress, using: .zlib) { [output] in output.bytes.append($0 ?? Data()) }
        guard let made else { return nil }
        filter = made
    }

    /// Returns the output of the next portion, which may be empty; the last portion may be empty too.
    func encode(_ portion: UnsafeRawBufferPointer, isLast: Bool) throws -> Data {
        frame.add(portion)
        if !portion.isEmpty { try filter.write(Data(portion)) }
        if isLast {
            try filter.finalize()
            output.bytes.append(contentsOf: frame.end)
        }
        defer { output.bytes = Data() }
        return output.bytes
    }

    /// Decodes a complete body whose gzip head has no optional fields; nil for any other body, and for one of more than
    /// `most` bytes.
    static func decode(_ body: Data, _ format: Format, most: Int) -> Data? {
        let frame = DeflateFrame(format)
        guard body.count >= frame.head.count + frame.end.count, format == .deflate || body.dropFirst(3).first == 0
        else { return nil }
        let deflated = Data(body.dropFirst(frame.head.count).dropLast(frame.end.count))
        let output = Output()
        let filter = try? OutputFilter(.decompress, using: .zlib) { bytes in
            output.bytes.append(bytes ?? Data())
            if output.bytes.count > most { throw POSIXError(.EFBIG) }
        }
        guard let filter, (try? filter.write(deflated)) != nil, (try? filter.finalize()) != nil else { return nil }
        return output.bytes
    }
    #endif
}

/// What surrounds the compressed bytes in the gzip and zlib formats (RFC 1952 §2.3, RFC 1950 §2.2), where the system
/// makes only those (RFC 1951).
struct DeflateFrame {
    private let format: BodyEncoder.Format
    /// CRC-32 for gzip, inverted, otherwise the two sums of Adler-32.
    private var sum: (UInt32, UInt32)
    private var length: UInt32 = 0

    init(_ format: BodyEncoder.Format) {
        self.format = format
        sum = format == .gzip ? (.max, 0) : (1, 0)
    }

    /// The bytes before the compressed ones: no time, no name, an unknown system.
    var head: [UInt8] { format == .gzip ? [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] : [0x78, 0x9C] }

    /// The bytes after the compressed ones: the checksum of the body and, for gzip, its length.
    var end: [UInt8] {
        guard format == .gzip else { return withUnsafeBytes(of: (sum.1 << 16 | sum.0).bigEndian) { Array($0) } }
        return withUnsafeBytes(of: ((~sum.0).littleEndian, length.littleEndian)) { Array($0) }
    }

    /// Adds bytes of the body.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt32(truncatingIfNeeded: bytes.count)
        for byte in bytes {
            if format == .gzip {
                sum.0 = sum.0 >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: sum.0) ^ byte)]
            } else {
                sum.0 = (sum.0 + UInt32(byte)) % 65_521
                sum.1 = (sum.1 + sum.0) % 65_521
            }
        }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { sum, _ in sum >> 1 ^ (sum & 1) * 0xEDB8_8320 }
    }
}
