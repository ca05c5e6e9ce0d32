package import Foundation

/// A sequence of chunks that a closure makes, and that knows how often it was asked and whether it was let go.
///
/// The closure gets the number of the chunk, from 0 on, and returns nil at the end.
package struct ScriptedChunks: AsyncSequence, Sendable {
    package typealias Element = Data

    /// How many elements were asked for.
    package let askCount = AwaitableValue(0)

    /// Opens when the iteration is over and its iterator gone.
    package let isOver = Gate()

    private let make: @Sendable (Int) async throws -> Data?

    package init(_ make: @escaping @Sendable (Int) async throws -> Data?) {
        self.make = make
    }

    /// The chunks one after the other, without a wait.
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
