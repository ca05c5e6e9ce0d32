package import Foundation

/// A sequence of chunks from a closure, which records how many were requested and when its iterator was released.
///
/// The argument of the closure is the number of the chunk, from 0; nil is the end.
package struct ScriptedChunks: AsyncSequence, Sendable {
    package typealias Element = Data

    /// The number of requested elements.
    package let askCount = AwaitableValue(0)

    /// A gate that opens when the iterator is released.
    package let isOver = Gate()

    private let make: @Sendable (Int) async throws -> Data?

    package init(_ make: @escaping @Sendable (Int) async throws -> Data?) {
        self.make = make
    }

    /// Creates a sequence that returns the given chunks without waiting.
    package init(_ chunks: [Data]) {
        self.init { chunks.indices.contains($0) ? chunks[$0] : nil }
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(self)
    }

    package final class Iterator: AsyncIteratorProtocol {
        private let chunks: ScriptedChunks
        private var number = 0

        fileprivate init(_ chunks: ScriptedChunks) {
            self.chunks = chunks
        }

        deinit {
            chunks.isOver.open()
        }

        package func next() async throws -> Data? {
            chunks.askCount.update { $0 += 1 }
            defer { number += 1 }
            return try await chunks.make(number)
        }
    }
}
