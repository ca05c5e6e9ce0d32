#if os(Linux)
import Foundation

/// A body that libcurl brings, decoded where it is read: the engine only moves bytes, and a little that becomes much
/// takes no more memory than what is read of it.
final class CurlBodyChannel: BodyChannel {
    private let buffer: BodyBuffer
    private let decoder: Locked<ContentDecoder?>
    /// Whether the codings are known.
    private let isReadable: Bool
    private let isCancelled = Locked(false)
    private let publicError: @Sendable (any Error) -> any Error

    init(_ buffer: BodyBuffer, codings: [String], _ publicError: @escaping @Sendable (any Error) -> any Error) {
        self.buffer = buffer
        self.publicError = publicError
        let decoder = codings.isEmpty ? nil : ContentDecoder(names: codings)
        isReadable = codings.isEmpty || decoder != nil
        self.decoder = Locked(decoder)
    }

    /// When nobody has it any more, the transfer stops.
    deinit {
        buffer.cancel()
    }

    func next() async throws -> Data? {
        do {
            return try await nextPortion()
        } catch {
            // What is left cannot be read either.
            cancel()
            throw publicError(error)
        }
    }

    func cancel() {
        isCancelled.withLock { $0 = true }
        buffer.cancel()
    }

    private func nextPortion() async throws -> Data? {
        while true {
            try CallScope.checkCancellation()
            if isCancelled.withLock({ $0 }) { throw CancellationError() }
            if let decoded = try decoded() { return decoded }
            guard let bytes = try await buffer.next() else { break }
            guard isReadable else { throw CurlFailure.unknownCoding }
            let isPlain = decoder.withLock { decoder in
                bytes.withUnsafeBytes { decoder?.feed($0) }
                return decoder == nil
            }
            if isPlain { return bytes }
        }
        guard decoder.withLock({ $0?.isAtEnd != false }) else { throw CurlFailure.incompleteContent }
        return nil
    }

    /// What the bytes that have been fed become, at least one; nil if more is needed.
    private func decoded() throws -> Data? {
        try decoder.withLock { decoder in
            guard decoder != nil else { return nil }
            var data = Data(count: Self.portion)
            guard let count = data.withUnsafeMutableBytes({ decoder?.read(into: $0) }) else {
                throw CurlFailure.brokenContent
            }
            guard count < Self.portion else { return data }
            // Not a slice, which would keep the room for all of them.
            return count == 0 ? nil : data.subdata(in: 0..<count)
        }
    }

    private static let portion = 1 << 16
}
#endif
