#if os(Linux)
import CCurl
import Foundation

/// Undoes the content coding of one body a portion at a time, and knows whether the body was there to its end.
///
/// A body may have one coding. A list of codings makes much of little: 40 KB of gzip in gzip in gzip decode to 40 GB
/// between two of them and to nothing at the end, so that no limit on the result would notice.
struct ContentDecoder: Sendable {
    /// The result of decoding one portion.
    ///
    /// A caller that must notice a deadline or a cancellation looks between two.
    enum Portion: Equatable {
        /// So many bytes were written to the output, at least one.
        case bytes(Int)
        /// Some input was used, and nothing came of it: gzip members can be empty, for example.
        case nothingYet
        case needsInput
        case isBroken
    }

    /// Nil for a body without a coding, whose bytes are passed on.
    private let decoder: Decoder?
    private var input = Data()
    /// Whether the last output was filled, so that there may be more without more input.
    private var mayHaveMore = false

    /// Creates a decoder for the codings that a response names.
    ///
    /// Nil for a coding that this machine has no library for, for more than one coding, and if there is no memory.
    ///
    /// - Parameter names: The names in the order in which the codings were applied (RFC 9110 §8.4), in lower case.
    init?(names: [String]) {
        guard let name = names.first else {
            decoder = nil
            return
        }
        guard names.count == 1, let coding = ContentCoding(name: name), let decoder = Decoder(coding) else {
            return nil
        }
        self.decoder = decoder
    }

    /// Whether the bytes are passed on unchanged.
    var isPlain: Bool { decoder == nil }

    /// Whether the body may end here, which one of which nothing came may.
    var isAtEnd: Bool {
        guard let decoder else { return true }
        return input.isEmpty && ccurl_decoder_state(decoder.pointer) == CCURL_DECODING_ENDED
    }

    /// Adds the next bytes of the body.
    mutating func feed(_ bytes: Data) {
        if input.isEmpty { input = bytes } else { input.append(bytes) }
    }

    /// Decodes a portion into a buffer that has room for at least one byte.
    mutating func decode(into output: UnsafeMutableRawBufferPointer) -> Portion {
        guard let decoder else { return pass(into: output) }
        guard mayHaveMore || !input.isEmpty else { return .needsInput }
        var made = output.count
        let (state, used) = input.withUnsafeBytes { bytes in
            var used = min(bytes.count, Self.mostInput)
            let state = ccurl_decoder_decode(decoder.pointer, bytes.baseAddress, &used, output.baseAddress, &made)
            return (state, used)
        }
        guard state != CCURL_DECODING_FAILED else { return .isBroken }
        input = input.dropFirst(used)
        mayHaveMore = made == output.count
        return made > 0 ? .bytes(made) : .nothingYet
    }

    private mutating func pass(into output: UnsafeMutableRawBufferPointer) -> Portion {
        guard !input.isEmpty else { return .needsInput }
        let part = input.prefix(output.count)
        part.copyBytes(to: output)
        input = input.dropFirst(part.count)
        return .bytes(part.count)
    }

    /// What one portion takes of the input: a library can use a lot of it before any output comes.
    private static let mostInput = 1 << 16

    /// The library's memory, kept as an address, which may go from one thread to another.
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

extension ContentDecoder {
    /// Decodes a whole body of at most `limit` bytes, and calls `check` between two portions, which may end it.
    ///
    /// For the caller's task: an engine that did it would keep its other exchanges waiting. A longer body is an error,
    /// or cut there; of one that was cut as it was received, what is there is decoded.
    static func decode(
        _ body: Data,
        names: [String],
        limit: Int,
        wasCut: Bool = false,
        isCutAtLimit: Bool = false,
        check: () throws -> Void
    ) throws -> TransportResponse.Body {
        let plain = TransportResponse.Body.whole(body, isCut: wasCut)
        guard !names.isEmpty, !body.isEmpty else { return plain }
        guard var decoder = ContentDecoder(names: names) else { throw CurlFailure.unknownCoding }
        guard !decoder.isPlain else { return plain }
        decoder.feed(body)
        var decoded = Data()
        var isCut = false
        try withUnsafeTemporaryAllocation(byteCount: wholePortion, alignment: 1) { buffer in
            while true {
                try check()
                switch decoder.decode(into: buffer) {
                case .bytes(let count):
                    let room = limit - decoded.count
                    isCut = count > room
                    guard isCutAtLimit || !isCut else { throw CurlFailure.bodyTooLarge(limit: limit) }
                    let part = buffer.prefix(min(count, max(0, room)))
                    decoded.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
                    if isCut { return }
                case .nothingYet: continue
                case .needsInput: return
                case .isBroken: throw CurlFailure.brokenContent
                }
            }
        }
        guard isCut || wasCut || decoder.isAtEnd else { throw CurlFailure.incompleteContent }
        return .whole(decoded, isCut: isCut || wasCut)
    }

    private static let wholePortion = 1 << 16
}
#endif
