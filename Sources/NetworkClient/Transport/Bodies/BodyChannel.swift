import Foundation

/// Where the bytes of a streamed body come from.
///
/// It is read by one task at a time, and cancelled from anywhere.
protocol BodyChannel: AnyObject, Sendable {
    /// The next bytes, at least one; nil at the end.
    ///
    /// Throws `CancellationError` when the task is cancelled, and after ``cancel()``.
    func next() async throws -> Data?

    /// Stops what brings the bytes; without effect if all have come.
    func cancel()
}
