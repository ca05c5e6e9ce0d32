/// Where the client takes time from, so that a test can set it.
package protocol TimeSource: Sendable {
    /// Seconds since some fixed moment; never goes back.
    var now: Double { get }

    /// Waits until `seconds` have passed, or throws `CancellationError` as soon as the task is cancelled.
    func sleep(seconds: Double) async throws
}
