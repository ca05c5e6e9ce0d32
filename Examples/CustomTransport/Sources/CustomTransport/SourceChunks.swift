import NIOCore
import NetworkClient
import NetworkUtilities

import Foundation

/// The bytes of a file, a form or a custom source, which every exchange opens anew.
struct SourceChunks: AsyncSequence, Sendable {
    let source: any BodySource
    let request: URLRequest
    let limits: TimeLimits

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

    struct Iterator: AsyncIteratorProtocol {
        let chunks: SourceChunks
        private var opened: OpenedSource?

        init(chunks: SourceChunks) {
            self.chunks = chunks
        }

        mutating func next() async throws -> ByteBuffer? {
            chunks.limits.noteProgress()
            do {
                let opened = try opened ?? OpenedSource(reader: chunks.source.open())
                self.opened = opened
                var buffer = ByteBuffer()
                let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 1 << 16) {
                    try opened.reader.read(into: $0)
                }
                return count == 0 ? nil : buffer
            } catch {
                throw TransportError(.bodyUnreadable, request: chunks.request, underlying: error)
            }
        }
    }

    /// Closes the reader with the iterator.
    private final class OpenedSource {
        let reader: any BodyReader

        init(reader: any BodyReader) {
            self.reader = reader
        }

        deinit { reader.close() }
    }
}
