/// A transfer that has begun: how far it is, what comes of it, and how to stop it.
///
/// The transfer goes on as long as somebody has this handle. Dropping the handle, ``cancel()``, and cancelling a task
/// that waits for ``value`` stop the transfer. A loop over ``progress`` that begins when nobody has the handle any more
/// takes its place: then leaving the loop stops the transfer.
///
/// ```swift
/// let upload: Transfer<NetworkClient.Response<Item>> = client.upload(request: request)
/// for await progress in upload.progress { print(progress.fraction ?? 0) }
/// let item = try await upload.value.item
/// ```
public final class Transfer<Value: Sendable>: Sendable {
    private let task: Task<Value, any Error>
    private let life: TransferLife
    private let progressLife: ProgressLife

    init(_ board: ProgressBoard, _ operation: @escaping @Sendable () async throws -> Value) {
        // Cancelled by `life`.
        let task = Task {
            defer { board.end() }
            return try await operation()
        }
        self.task = task
        life = TransferLife {
            task.cancel()
            board.end()
        }
        progressLife = ProgressLife(life)
        progress = TransferProgress.Updates(board: board, life: progressLife)
    }

    deinit {
        progressLife.handleHasGone()
    }

    /// The bytes that have been transferred, whenever their number changes.
    ///
    /// `for await progress in client.upload(request: request).progress` runs the transfer to its end, although nobody
    /// keeps the handle.
    public let progress: TransferProgress.Updates

    /// Waits for the end and returns what came of it, to anybody who asks.
    ///
    /// Throws ``NetworkClient/Error``, what the error mapper or an interceptor throws, and `CancellationError` if the
    /// transfer was cancelled.
    public var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                cancel()
            }
        }
    }

    /// Stops it; without effect when it is over.
    public func cancel() {
        life.end()
    }
}

/// Stops a transfer when neither its handle nor a loop over its progress is left.
private final class TransferLife: Sendable {
    private let stop: @Sendable () -> Void

    init(_ stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    deinit {
        stop()
    }

    func end() {
        stop()
    }
}

/// Lets the progress of a transfer keep the transfer going where nobody keeps the handle.
///
/// Once a loop has begun while there is a handle, the handle alone decides: dropping it stops the transfer, although
/// the loop is still running.
final class ProgressLife: Sendable {
    private struct State {
        var life: TransferLife?
        var hasHandle = true
    }

    private let state: Locked<State>

    fileprivate init(_ life: TransferLife) {
        state = Locked(State(life: life))
    }

    func handleHasGone() {
        state.withLock { $0.hasHandle = false }
    }

    func loopHasBegun() {
        state.withLock { state in
            if state.hasHandle { state.life = nil }
        }
    }
}
