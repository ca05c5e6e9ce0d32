#if os(Linux)

/// A streamed body from libcurl, decoded in the task that reads it.
///
/// So the engine only moves bytes, and if a small body decodes to a large one, only the part that is read needs memory.
final class CurlBodyChannel: BodyChannel {
    private let buffer: BodyBuffer
    private let head: ResponseHead
    private let decoder: Locked<ContentDecoder?>
    private let hasUnknownCoding: Bool
    private let isCancelled = Locked(false)
    private let publicError: @Sendable (any Error) -> any Error

    init(
        _ buffer: BodyBuffer,
        of head: ResponseHead,
        codings: [String],
        _ publicError: @escaping @Sendable (any Error) -> any Error
    ) {
        (self.buffer, self.head, self.publicError) = (buffer, head, publicError)
        let decoder = codings.isEmpty ? nil : ContentDecoder(names: codings)
        hasUnknownCoding = !codings.isEmpty && decoder == nil
        self.decoder = Locked(decoder)
    }

    /// Stops the transfer.
    deinit {
        buffer.cancel()
    }

    func next() async throws -> Data? {
        do {
            let portion = try await nextPortion()
            if portion == nil { head.endsStream() }
            return portion
        } catch {
            // After a failure, the remaining bytes can't be read either.
            cancel()
            throw publicError(error)
        }
    }

    func cancel() {
        // Without bytes that wait to be decoded, the buffer knows whether the body was read to its end.
        if decoder.withLock({ $0?.isAtEnd == false }) { isCancelled.withLock { $0 = true } }
        buffer.cancel()
    }

    private func nextPortion() async throws -> Data? {
        while true {
            try checkCancellation()
            if let decoded = try decoded() { return decoded }
            guard let bytes = try await buffer.next() else { break }
            guard !hasUnknownCoding else { throw CurlFailure.unknownCoding }
            let isCoded = decoder.withLock { $0?.feed(bytes) != nil }
            if !isCoded { return bytes }
        }
        guard decoder.withLock({ $0?.isAtEnd != false }) else { throw CurlFailure.incompleteContent }
        return nil
    }

    private func checkCancellation() throws {
        try CallScope.checkCancellation()
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
    }

    /// Returns the next decoded portion; nil if the decoder needs more bytes, or the body has no coding.
    private func decoded() throws -> Data? {
        guard decoder.withLock({ $0 != nil }) else { return nil }
        while true {
            var data = Data(count: Self.portion)
            let portion = decoder.withLock { decoder in data.withUnsafeMutableBytes { decoder?.decode(into: $0) } }
            switch portion {
            case .bytes(Self.portion): return data
            // A copy, since a slice would keep the memory of the whole portion.
            case .bytes(let count): return data.subdata(in: 0..<count)
            case .needsInput, nil: return nil
            case .isBroken: throw CurlFailure.brokenContent
            case .nothingYet:
                try checkCancellation()
                // The transfer may time out while earlier bytes are being decoded.
                if let failure = buffer.failure as? CurlFailure, failure.reason == .timedOut { throw failure }
            }
        }
    }

    private static let portion = 1 << 16
}
#endif
