#if os(Linux)
import CCurl

/// Decodes the content coding of one body, a portion at a time, and detects whether the body is complete.
///
/// A body may have one coding. With a list of codings, 40 KB of gzip in gzip in gzip can decode to 40 GB between two of
/// them and to no bytes at the end, so that a limit on the result would not apply.
struct ContentDecoder: Sendable {
    /// The result of decoding one portion.
    ///
    /// Callers check for a deadline or a cancellation between two portions.
    enum Portion: Equatable {
        /// The number of bytes that were written to the output, at least one.
        case bytes(Int)
        /// Input was used without any output: gzip members can be empty, for example.
        case nothingYet
        case needsInput
        case isBroken
    }

    private let decoder: Decoder
    private var input = Data()
    /// Whether the last output was filled, so that more may come without further input.
    private var mayHaveMore = false

    /// Creates a decoder for the codings that a response names.
    ///
    /// Nil unless there is one coding, for which this machine has a library, and if there is no memory.
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
            var used = min(bytes.count, Self.mostInput)
            let state = ccurl_decoder_decode(decoder.pointer, bytes.baseAddress, &used, output.baseAddress, &made)
            return (state, used)
        }
        guard state != CCURL_DECODING_FAILED else { return .isBroken }
        input = input.dropFirst(used)
        mayHaveMore = made == output.count
        return made > 0 ? .bytes(made) : .nothingYet
    }

    /// The most input of one portion: a library can use a lot of it without any output.
    private static let mostInput = 1 << 16

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

extension ContentDecoder {
    /// Decodes a whole body of at most `limit` bytes, and calls `check` between two portions, which may throw.
    ///
    /// Called in the caller's task: in an engine it would delay the other exchanges. A longer body is an error, or is
    /// cut if `isCutAtLimit`; a body that was cut when it was received is decoded as far as it goes.
    static func decode(
        _ body: Data,
        names: [String],
        limit: Int,
        wasCut: Bool = false,
        isCutAtLimit: Bool = false,
        check: () throws -> Void
    ) throws -> TransportResponse.Body {
        guard !names.isEmpty, !body.isEmpty else { return .whole(body, isCut: wasCut) }
        guard var decoder = ContentDecoder(names: names) else { throw CurlFailure.unknownCoding }
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

extension CurlResponse {
    /// Returns the body without its content coding; an invalid page of a redirect fails no call.
    func decodedBody(_ options: TransportOptions, until end: UInt64) throws -> TransportResponse.Body {
        do {
            return try ContentDecoder.decode(
                body,
                names: head.codings,
                limit: isPage ? RedirectPage.limit : options.bodyLimit,
                wasCut: isCut,
                isCutAtLimit: isPage || head.status.map(options.cutsBody) == true
            ) {
                try CallScope.checkCancellation()
                if MonotonicClock.now >= end { throw CurlFailure(passed: options.passedTotal) }
            }
        } catch let failure as CurlFailure where isPage && failure.reason == .malformedResponse {
            return .whole(Data(), isCut: true)
        }
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

    /// Nil for an unknown name, and if this machine has no library for the coding.
    init?(name: String) {
        let name = name.lowercased()
        guard let coding = Self(rawValue: name == "x-gzip" ? "gzip" : name), coding.isKnown else { return nil }
        self = coding
    }

    /// The value of `Accept-Encoding`: all codings that can be decoded here.
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
#endif
