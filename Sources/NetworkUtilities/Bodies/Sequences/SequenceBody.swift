package import Foundation

/// A body that an asynchronous sequence of the user's own gives, which can be asked for its elements once.
package final class SequenceBody: Sendable {
    /// Passes each chunk to a closure that returns when there is room for more.
    typealias Iteration = @Sendable (_ take: @Sendable (Data) async throws -> Void) async throws -> Void

    /// The number of bytes that the user stated; nil if they are not known beforehand.
    package let length: Int?

    /// Told how many bytes have been read, from the first on.
    package let onRead: (@Sendable (Int) -> Void)?

    /// Nil when it was claimed, so that the sequence lives no longer than the one pass over it.
    private let iteration: Locked<Iteration?>

    /// Holds a sequence, and asks it for nothing yet.
    package init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int?
    ) where Chunks.Element: DataProtocol {
        self.length = length
        onRead = nil
        iteration = Locked { take in
            for try await chunk in chunks { try await take(chunk as? Data ?? Data(chunk)) }
        }
    }

    private init(_ body: SequenceBody, onRead: @escaping @Sendable (Int) -> Void) {
        length = body.length
        iteration = body.iteration
        self.onRead = onRead
    }

    /// The same body, of which still only one pass can be had, that says how far it has been read.
    package func counted(_ onRead: @escaping @Sendable (Int) -> Void) -> SequenceBody {
        SequenceBody(self, onRead: onRead)
    }

    /// The one pass over the sequence, which is not begun yet; nil if it was given away before.
    ///
    /// The length is one that the request states where the body states none.
    package func claim(length: Int? = nil) -> SequenceBodyReader? {
        let iteration: Iteration? = iteration.withLock { iteration in
            defer { iteration = nil }
            return iteration
        }
        return iteration.map { SequenceBodyReader($0, length: self.length ?? length, onRead: onRead) }
    }
}
