#if os(Linux)
import CCurl

/// One coding of a body, and the bytes that it has not decoded yet.
struct DecodingStage: Sendable {
    /// What has become of a request for bytes.
    enum Outcome {
        /// So many, at least one.
        case made(Int)
        case needsMore
        case broken
    }

    private let decoder: Decoder
    private var pending = PendingBytes()
    /// Whether the last buffer was filled, so that there may be more without more input.
    private var mayHaveMore = false

    /// Nil if there is no library for it, or no memory.
    init?(_ coding: ContentCoding) {
        guard let decoder = Decoder(coding) else { return nil }
        self.decoder = decoder
    }

    var isAtEnd: Bool { pending.isEmpty && ccurl_decoder_state(decoder.pointer) == CCURL_DECODING_ENDED }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        pending.append(bytes)
    }

    mutating func decode(into output: UnsafeMutableRawBufferPointer) -> Outcome {
        while mayHaveMore || !pending.isEmpty {
            var made = output.count
            let (state, used) = pending.withBytes { bytes in
                var used = bytes.count
                let state = ccurl_decoder_decode(decoder.pointer, bytes.baseAddress, &used, output.baseAddress, &made)
                return (state, used)
            }
            guard state != CCURL_DECODING_FAILED else { return .broken }
            pending.drop(used)
            mayHaveMore = made == output.count
            if made > 0 { return .made(made) }
        }
        return .needsMore
    }

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
#endif
