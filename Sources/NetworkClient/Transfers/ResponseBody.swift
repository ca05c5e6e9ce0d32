public import Foundation

/// The body of an answer, read while it comes.
///
/// It is read once. While nobody asks for the next chunk, no more than about a megabyte is kept in memory, and the
/// server is made to wait (URLSession on Linux cannot: there the rest goes to a file without a name). Leaving a loop
/// over it, dropping it, and cancelling the task that reads it stop the transfer.
///
/// ```swift
/// let response = try await client.stream(request: request)
/// for try await chunk in response.item {
///     print(chunk.count)
/// }
/// ```
public struct ResponseBody: AsyncSequence, Sendable {
    /// A chunk: one byte or more.
    public typealias Element = Data

    let reading: BodyReading

    /// How many bytes there will be, after content decoding; nil if the server does not say.
    public var expectedLength: Int? { reading.expectedLength }

    /// How far the reader is.
    public var progress: TransferProgress.Updates { reading.board.updates }

    /// Stops the transfer; whoever reads gets a `CancellationError`.
    ///
    /// Without effect when all has been read.
    public func cancel() {
        reading.cancel()
    }

    /// Begins to read.
    ///
    /// - Returns: An iterator; all but the first throw ``TransportError/Reason/bodyNotReplayable``.
    public func makeAsyncIterator() -> Iterator { Iterator(pass: reading.begin()) }

    /// The one pass over the body of an answer.
    public struct Iterator: AsyncIteratorProtocol {
        let pass: BodyPass

        /// Waits for the next chunk.
        ///
        /// - Returns: At least one byte; nil at the end.
        /// - Throws: ``NetworkClient/Error``; `CancellationError` if the task or the body was cancelled.
        public mutating func next() async throws -> Data? { try await pass.next() }
    }
}
