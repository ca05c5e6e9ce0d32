import Foundation

/// Runs `operation`, and throws ``DeadlineExceeded`` if it is late: a hang becomes a failure with a message.
///
/// The only use of real time in the tests, and only as a guard. An operation that is late is cancelled and left behind
/// even if it ignores that, since waiting for it would block the run. Cancelling the caller cancels the operation,
/// whose outcome is then the outcome here.
package func withDeadline<Success: Sendable>(
    seconds: Double = 10,
    _ what: String = "the operation",
    fileID: String = #fileID,
    line: Int = #line,
    operation: @escaping @Sendable () async throws -> Success
) async throws -> Success {
    let outcome = AwaitableValue<Result<Success, any Error>?>(nil)
    let work = Task {
        let result: Result<Success, any Error>
        do {
            result = .success(try await operation())
        } catch {
            result = .failure(error)
        }
        outcome.update { $0 = $0 ?? result }
    }
    let alarm = Task {
        try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
        let exceeded = DeadlineExceeded(what: what, seconds: seconds, place: "\(fileID):\(line)")
        outcome.update { $0 = $0 ?? .failure(exceeded) }
        work.cancel()
    }
    defer { alarm.cancel() }
    // In a task of its own, which a cancel of the caller does not reach: the operation's own answer to it counts.
    let first = Task { try await outcome.wait { $0 } }
    return try await withTaskCancellationHandler {
        try await first.value.get()
    } onCancel: {
        work.cancel()
    }
}
