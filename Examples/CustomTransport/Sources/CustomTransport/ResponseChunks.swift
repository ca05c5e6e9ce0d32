import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NetworkClient

/// The body of a response as it is received: each chunk is taken from AsyncHTTPClient when the reader asks for it, so
/// that a slow reader makes the server wait.
struct ResponseChunks: AsyncSequence, Sendable {
    let body: HTTPClientResponse.Body
    let limits: TimeLimits
    /// Returns the error that the reader gets.
    let publicError: @Sendable (any Error) -> any Error

    /// Starts the task that takes the chunks; it ends with the body, with the iterator, and with the reader's task.
    func makeAsyncIterator() -> Iterator {
        let (demands, demand) = AsyncStream.makeStream(of: Void.self)
        let (chunks, chunk) = AsyncThrowingStream.makeStream(of: Data.self)
        let task = Task {
            do {
                try await limits.apply { try await pass(demands, to: chunk) }
                chunk.finish()
            } catch {
                chunk.finish(throwing: publicError(error))
            }
        }
        chunk.onTermination = { _ in task.cancel() }
        return Iterator(demand: demand, chunks: chunks.makeAsyncIterator())
    }

    private func pass(
        _ demands: AsyncStream<Void>,
        to chunk: AsyncThrowingStream<Data, any Error>.Continuation
    ) async throws {
        var demands = demands.makeAsyncIterator()
        var buffers = body.makeAsyncIterator()
        while await limits.pause({ await demands.next() }) != nil {
            guard let buffer = try await buffers.next() else { return }
            chunk.yield(Data(buffer: buffer))
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        let demand: AsyncStream<Void>.Continuation
        var chunks: AsyncThrowingStream<Data, any Error>.Iterator

        mutating func next() async throws -> Data? {
            demand.yield()
            return try await chunks.next()
        }
    }
}
