import Foundation
import NIOCore
import NetworkClient
import Synchronization

/// The bytes of a stream that can be read once, on a separate queue, since a read may wait.
final class StreamChunks: AsyncSequence, Sendable {
    private let stream: Mutex<InputStream>
    private let request: URLRequest
    private let limits: TimeLimits
    private let queue = DispatchQueue(label: "StreamChunks")

    /// Throws ``TransportError/Reason/bodyNotReplayable`` for a stream that was read before.
    init(of request: URLRequest, limits: TimeLimits) throws {
        guard let stream = request.httpBodyStream, stream.streamStatus == .notOpen else {
            throw TransportError(.bodyNotReplayable, request: request)
        }
        stream.open()
        self.stream = Mutex(stream)
        self.request = request
        self.limits = limits
    }

    deinit {
        stream.withLock { $0.close() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: StreamChunks

        mutating func next() async throws -> ByteBuffer? {
            chunks.limits.noteProgress()
            return try await chunks.next()
        }
    }

    private func next() async throws -> ByteBuffer? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.read() }) }
        }
    }

    private func read() throws -> ByteBuffer? {
        try stream.withLock { stream in
            var (buffer, count) = (ByteBuffer(), 0)
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 1 << 16) { bytes in
                let start = bytes.bindMemory(to: UInt8.self).baseAddress
                count = start.map { stream.read($0, maxLength: bytes.count) } ?? 0
                return Swift.max(0, count)
            }
            guard count >= 0 else {
                throw TransportError(.bodyUnreadable, request: request, underlying: stream.streamError)
            }
            return count == 0 ? nil : buffer
        }
    }
}
