import Foundation
import NetworkUtilities

/// The bytes of a caller-provided stream, read on a queue of their own.
///
/// Such a stream may wait, for the other end of a pair of streams or for a slow disk, and the engine that moves other
/// exchanges must not.
struct StreamChunks: AsyncSequence, Sendable {
    typealias Element = Data

    /// What was wrong with the stream, told apart from the errors of a caller's own sequence.
    private struct StreamFailure: Error {
        let underlying: any Error
    }

    /// What was wrong with a stream, if an error says so.
    static func cause(of error: any Error) -> (any Error)? { (error as? StreamFailure)?.underlying }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: Stream

        mutating func next() async throws -> Data? { try await stream.next() }
    }

    private let stream: Stream

    /// Takes a stream that must have so many bytes; `.max` for one that ends where it ends.
    init(_ stream: sending InputStream, length: Int) {
        self.stream = Stream(OneShotReader(stream, length: length))
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: stream) }

    /// The lock is only for the queue: nobody else waits for it.
    fileprivate final class Stream: Sendable {
        private struct State {
            let reader: OneShotReader
            var isOpen = false
        }

        private let queue = DispatchQueue(label: "NetworkClient.StreamChunks")
        private let state: Locked<State>

        init(_ reader: sending OneShotReader) {
            state = Locked(State(reader: reader))
        }

        deinit {
            queue.async { [state] in
                state.withLock { if $0.isOpen { $0.reader.close() } }
            }
        }

        func next() async throws -> Data? {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [state] in
                    continuation.resume(with: Result { try state.withLock { try Self.read(&$0) } })
                }
            }
        }

        private static func read(_ state: inout State) throws -> Data? {
            if !state.isOpen { state.reader.open() }
            state.isOpen = true
            var chunk = Data(count: portion)
            do {
                let count = try chunk.withUnsafeMutableBytes { try state.reader.read(into: $0) }
                return count == 0 ? nil : chunk.prefix(count)
            } catch {
                throw StreamFailure(underlying: error)
            }
        }

        private static let portion = 1 << 16
    }
}
