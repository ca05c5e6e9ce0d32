public import Foundation

/// The body of a response, read while it is received.
///
/// It is read once. While the next chunk is not asked for, about a megabyte is kept in memory (with libcurl 8.2 and
/// later up to 10 MiB more for HTTP/2), and the server has to wait. URLSession on Linux cannot make it wait: there the
/// remaining bytes go to a file without a name. Leaving a loop over the body, dropping it, and cancelling the task
/// that reads it stop the transfer.
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
