import Foundation

/// An operation of a test that didn't end in time.
package struct DeadlineExceeded: Error, CustomStringConvertible {
    package let what: String
    package let seconds: Double
    package let place: String

    package var description: String {
        "Gave up on \(what) after \(seconds) s (\(place))."
    }
}

/// Runs `operation`, and throws ``DeadlineExceeded`` if it is late, so that a hang becomes a failure with a message.
///
/// This guard is the only use of real time in the tests. A late operation is cancelled but not awaited, since it may
/// ignore the cancellation. Cancelling the caller cancels the operation, whose outcome is then returned.
package func withDeadline<Success: Sendable>(
    seconds: Double = 120,
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
    // In a separate task, which the caller's cancellation doesn't reach: the operation decides how it responds.
    let first = Task { try await outcome.wait { $0 } }
    return try await withTaskCancellationHandler {
        try await first.value.get()
    } onCancel: {
        work.cancel()
    }
}
