/// An upload in flight: its progress, its response, and its cancellation.
///
/// The transfer continues as long as this handle exists. Releasing the handle, ``cancel()``, and cancelling a task that
/// waits for ``value`` stop the transfer. If a loop over ``progress`` begins after the handle was released, the loop
/// keeps the transfer running, and leaving the loop stops it.
///
/// ```swift
/// let upload = client.upload(request.decoded(as: Item.self))
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
        progressLife.handleWasReleased()
    }

    /// The number of transferred bytes, whenever it changes.
    ///
    /// `for await progress in client.upload(request).progress` runs the transfer to its end without keeping
    /// the handle.
    public let progress: TransferProgress.Updates

    /// The response, available as soon as the transfer has ended; any number of tasks may wait for it.
    ///
    /// Throws ``NetworkClient/Error``, errors of the error mapper and of interceptors, and `CancellationError` if the
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

    /// Stops the transfer; has no effect after its end.
    public func cancel() {
        life.end()
    }
}

/// Stops a transfer when neither its handle nor a loop over its progress exists.
private final class TransferLife: Sendable {
    let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit {
        end()
    }
}

/// Lets a loop over the progress of a transfer keep the transfer running after the handle was released.
///
/// If the loop began while the handle existed, only the handle counts: releasing it stops the transfer, even if the
/// loop is still running.
final class ProgressLife: Sendable {
    private struct State {
        var life: TransferLife?
        var hasHandle = true
    }

    private let state: Locked<State>

    fileprivate init(_ life: TransferLife) {
        state = Locked(State(life: life))
    }

    func handleWasReleased() {
        state.withLock { $0.hasHandle = false }
    }

    func loopHasBegun() {
        state.withLock { state in
            if state.hasHandle { state.life = nil }
        }
    }
}
