/// A transfer that has begun: how far it is, what comes of it, and how to stop it.
///
/// It goes on as long as somebody has this handle. Dropping it, ``cancel()``, and cancelling a task that waits for
/// ``value`` stop the transfer.
///
/// ```swift
/// let upload: Transfer<NetworkClient.Response<Item>> = client.upload(request: request)
/// for await progress in upload.progress { print(progress.fraction ?? 0) }
/// let item = try await upload.value.item
/// ```
public final class Transfer<Value: Sendable>: Sendable {
    private let board: ProgressBoard
    private let task: Task<Value, any Error>

    init(_ board: ProgressBoard, _ operation: @escaping @Sendable () async throws -> Value) {
        self.board = board
        // Cancelled by the handle.
        task = Task {
            defer { board.end() }
            return try await operation()
        }
    }

    deinit {
        cancel()
    }

    /// How far it is.
    public var progress: TransferProgress.Updates { board.updates }

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
        task.cancel()
        board.end()
    }
}
