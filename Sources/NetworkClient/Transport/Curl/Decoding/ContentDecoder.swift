#if os(Linux) || os(Android)
import CCurl

/// Decodes the codings of one body, and knows whether it was there to its end.
///
/// It is used by one thread at a time; the memory of the libraries is kept as addresses, which may go from one to
/// another.
final class ContentDecoder: Sendable {
    /// In the order in which they are undone: the last that was applied comes first (RFC 9110 §8.4).
    private let decoders: [UInt]

    /// Nil if one of them is not known, or there is no memory.
    ///
    /// - Parameter names: In the order in which they were applied.
    init?(names: [String]) {
        let codings = names.filter { $0 != ContentCoding.identity }.map { ContentCoding(name: $0) }
        guard codings.count <= Self.mostCodings, !codings.contains(nil) else { return nil }
        decoders = codings.compactMap(\.self).reversed().map { UInt(bitPattern: ccurl_decoder_make($0.number)) }
        guard !decoders.contains(0) else {
            free()
            return nil
        }
    }

    deinit {
        free()
    }

    private func free() {
        for decoder in decoders { ccurl_decoder_free(OpaquePointer(bitPattern: decoder)) }
    }

    /// What has become of some bytes.
    enum Outcome {
        case used
        /// No more is wanted.
        case stopped
        /// They are not of their coding.
        case broken
    }

    /// Decodes the next bytes of the body and hands out what they become, piece by piece.
    ///
    /// - Parameters:
    ///   - bytes: As they came.
    ///   - use: Takes a piece, which is valid during the call; false if no more is wanted.
    /// - Returns: Whether all was used.
    func decode(_ bytes: UnsafeRawBufferPointer, _ use: (UnsafeRawBufferPointer) -> Bool) -> Outcome {
        decode(bytes, at: 0, use)
    }

    /// Whether nothing is missing, as nothing is of a body of which nothing came.
    var isAtEnd: Bool {
        decoders.allSatisfy { ccurl_decoder_state(OpaquePointer(bitPattern: $0)) == CCURL_DECODING_ENDED }
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer,
        at index: Int,
        _ use: (UnsafeRawBufferPointer) -> Bool
    ) -> Outcome {
        guard !bytes.isEmpty else { return .used }
        guard index < decoders.count else { return use(bytes) ? .used : .stopped }
        let decoder = OpaquePointer(bitPattern: decoders[index])
        return withUnsafeTemporaryAllocation(byteCount: Self.pieceLength, alignment: 1) { output in
            var rest = bytes
            var isFull = false
            repeat {
                var used = rest.count
                var made = output.count
                let state = ccurl_decoder_decode(decoder, rest.baseAddress, &used, output.baseAddress, &made)
                guard state != CCURL_DECODING_FAILED else { return .broken }
                rest = UnsafeRawBufferPointer(rebasing: rest[used...])
                isFull = made == output.count
                let outcome = decode(UnsafeRawBufferPointer(rebasing: output[..<made]), at: index + 1, use)
                guard outcome == .used else { return outcome }
            } while !rest.isEmpty || isFull
            return .used
        }
    }

    private static let pieceLength = 1 << 14
    /// More would have no purpose but to make much of little.
    private static let mostCodings = 4
}
#endif
