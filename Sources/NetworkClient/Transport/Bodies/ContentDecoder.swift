#if os(Linux)
import CCurl

/// Decodes the content coding of one body, a portion at a time, and detects whether the body is complete.
///
/// A body may have only one coding. With several, 40 KB of gzip in gzip in gzip can decode to 40 GB in an intermediate
/// step and to no bytes at the end, so that a limit on the result would have no effect.
struct ContentDecoder: Sendable {
    /// The result of decoding one portion.
    ///
    /// Callers check the deadline and the cancellation between two portions.
    enum Portion: Equatable {
        /// The number of bytes that were written to the output, at least one.
        case bytes(Int)
        /// Input was used without producing output, for example an empty gzip member.
        case nothingYet
        case needsInput
        case isBroken
    }

    private let decoder: Decoder
    private var input = Data()
    /// Whether the last output was filled, so that there may be more without further input.
    private var mayHaveMore = false

    /// Creates a decoder for the content codings of a response.
    ///
    /// Nil if there is not exactly one coding, if this machine has no library for it, or if there is no memory.
    ///
    /// - Parameter names: The names in the order in which the codings were applied (RFC 9110 §8.4), in lower case.
    init?(names: [String]) {
        guard names.count == 1, let coding = ContentCoding(name: names[0]), let decoder = Decoder(coding) else {
            return nil
        }
        self.decoder = decoder
    }

    /// Whether the body is complete.
    ///
    /// An empty body is complete.
    var isAtEnd: Bool { input.isEmpty && ccurl_decoder_state(decoder.pointer) == CCURL_DECODING_ENDED }

    /// Adds the next bytes of the body.
    mutating func feed(_ bytes: Data) {
        if input.isEmpty { input = bytes } else { input.append(bytes) }
    }

    /// Decodes a portion into a buffer that has room for at least one byte.
    mutating func decode(into output: UnsafeMutableRawBufferPointer) -> Portion {
        guard mayHaveMore || !input.isEmpty else { return .needsInput }
        var made = output.count
        let (state, used) = input.withUnsafeBytes { bytes in
            var used = min(bytes.count, Self.maxInput)
            let state = ccurl_decoder_decode(decoder.pointer, bytes.baseAddress, &used, output.baseAddress, &made)
            return (state, used)
        }
        guard state != CCURL_DECODING_FAILED else { return .isBroken }
        input = input.dropFirst(used)
        mayHaveMore = made == output.count
        return made > 0 ? .bytes(made) : .nothingYet
    }

    /// The maximum input of one portion: a library can read a lot of it without any output.
    private static let maxInput = 1 << 16

    /// The decoder of a library; its address is stored as a number, which is `Sendable`.
    private final class Decoder: Sendable {
        private let address: UInt

        init?(_ coding: ContentCoding) {
            guard let pointer = ccurl_decoder_make(coding.number) else { return nil }
            address = UInt(bitPattern: pointer)
        }

        deinit {
            ccurl_decoder_free(pointer)
        }

        var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
    }
}

/// A content coding (RFC 9110 §8.4.1).
enum ContentCoding: String, CaseIterable, Sendable {
    case gzip
    case deflate
    /// Brotli (RFC 7932).
    case brotli = "br"
    /// Zstandard (RFC 8878).
    case zstd

    /// Creates the coding of a name; nil for an unknown name, and if this machine has no library for the coding.
    init?(name: String) {
        let name = name.lowercased()
        guard let coding = Self(rawValue: name == "x-gzip" ? "gzip" : name), coding.isKnown else { return nil }
        self = coding
    }

    /// The value of `Accept-Encoding`: all codings that can be decoded on this machine.
    static let accepted: String = {
        let names = allCases.filter(\.isKnown).map(\.rawValue)
        return names.isEmpty ? "identity" : names.joined(separator: ", ")
    }()

    private var isKnown: Bool { ccurl_can_decode(number) != 0 }

    var number: ccurl_coding {
        switch self {
        case .gzip: CCURL_CODING_GZIP
        case .deflate: CCURL_CODING_DEFLATE
        case .brotli: CCURL_CODING_BROTLI
        case .zstd: CCURL_CODING_ZSTD
        }
    }
}

extension ContentDecoder {
    /// Decodes a complete body, of which at most `limit` bytes are kept; nil if it is invalid, incomplete or longer
    /// than `most` bytes.
    fileprivate static func decode(
        _ body: Data,
        name: String,
        keeping limit: Int,
        most: Int
    ) -> (bytes: Data, length: Int)? {
        guard var decoder = ContentDecoder(names: [name]) else { return nil }
        decoder.feed(body)
        var (bytes, length) = (Data(), 0)
        return withUnsafeTemporaryAllocation(byteCount: maxInput, alignment: 1) { buffer in
            while true {
                switch decoder.decode(into: buffer) {
                case .bytes(let count):
                    let part = buffer.prefix(min(count, limit - bytes.count))
                    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
                    length += count
                    guard length <= most else { return nil }
                case .nothingYet: continue
                case .needsInput: return decoder.isAtEnd ? (bytes, length) : nil
                case .isBroken: return nil
                }
            }
        }
    }
}
#endif

extension URLRequest {
    /// Returns a body of this request without the coding that its `Content-Encoding` names; nil without a coding, and
    /// if the body can't be decoded or would be longer than `most` bytes.
    ///
    /// - Parameters:
    ///   - body: The bytes of the body as they are sent.
    ///   - limit: The maximum number of decoded bytes to return.
    ///   - most: The maximum number of bytes to decode.
    /// - Returns: The bytes, and the length of the whole decoded body.
    package func decoded(_ body: Data, keeping limit: Int = .max, most: Int) -> (bytes: Data, length: Int)? {
        guard let name = value(forHTTPHeaderField: "Content-Encoding")?.lowercased(), !body.isEmpty else { return nil }
        #if os(Linux)
        return ContentDecoder.decode(body, name: name, keeping: limit, most: most)
        #else
        guard let format = BodyEncoder.Format(rawValue: name), let bytes = BodyEncoder.decode(body, format, most: most)
        else {
            return nil
        }
        return (bytes.prefix(limit), bytes.count)
        #endif
    }
}
