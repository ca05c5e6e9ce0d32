/// Collects the cancellation handlers of one call that runs in its caller's task, so that `cancelAll()` can end
/// whatever the call waits for.
///
/// Copies share one scope.
package struct CallScope: Sendable {
    private struct State {
        /// The task in which the call runs; nil before and afterwards.
        var task: Int?
        var isCancelled = false
        var lastID: UInt64 = 0
        /// The first handler, which is usually the only one, so that no array has to be allocated for it.
        var first: Handler?
        var others: [Handler] = []
    }

    private struct Handler {
        let id: UInt64
        let run: @Sendable () -> Void
    }

    @TaskLocal private static var inherited: CallScope?

    /// The scope of the call that runs in the current task; nil for a call that has its own task.
    ///
    /// A task that is started inside a call, for example by a logger or by the body of a request, inherits the
    /// task-local value. It is not part of the call: `cancelAll()` must not cancel its work.
    package static var current: CallScope? {
        guard let scope = inherited, scope.state.withLock({ $0.task }) == currentTask else { return nil }
        return scope
    }

    /// A number that identifies the current task among the tasks that exist at the same time.
    private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// Runs a call in its caller's task.
    nonisolated(nonsending) func run<Result>(
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        state.withLock { $0.task = Self.currentTask }
        defer { state.withLock { $0.task = nil } }
        return try await Self.$inherited.withValue(self) { try await operation() }
    }

    /// Whether the task, or the call that runs in it, was cancelled.
    static var isCancelled: Bool {
        // Whether the scope is that of the current task is only asked if it matters.
        Task.isCancelled || inherited?.isCancelled == true && current != nil
    }

    /// Throws `CancellationError` if the task, or the call that runs in it, was cancelled.
    package static func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }

    private let state = Locked(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends every wait of the call; later waits end immediately.
    func cancel() {
        let (first, others) = state.withLock { state in
            state.isCancelled = true
            return (state.first, state.others)
        }
        first?.run()
        for handler in others { handler.run() }
    }

    /// Adds a handler that is called when the call is cancelled, immediately if it was cancelled before.
    ///
    /// Returns the number with which it has to be removed; nil if the call does not run in the given task.
    func add(_ handler: @escaping @Sendable () -> Void, to task: Int?) -> UInt64? {
        let (id, isLate): (UInt64?, Bool) = state.withLock { state in
            guard state.task == task else { return (nil, false) }
            state.lastID += 1
            let handler = Handler(id: state.lastID, run: handler)
            if state.first == nil { state.first = handler } else { state.others.append(handler) }
            return (state.lastID, state.isCancelled)
        }
        if isLate { handler() }
        return id
    }

    func remove(_ id: UInt64) {
        state.withLock { state in
            if state.first?.id == id { state.first = nil } else { state.others.removeAll { $0.id == id } }
        }
    }

    /// Works like `withTaskCancellationHandler`, for a wait that `cancelAll()` ends too.
    ///
    /// The handler may be called twice, and even before the operation starts. It may be called while the runtime holds
    /// the lock of a task, so it must not wait.
    package nonisolated(nonsending) static func withCancellationHandler<Result>(
        operation: nonisolated(nonsending) () async throws -> Result,
        onCancel handler: @escaping @Sendable () -> Void
    ) async throws -> Result {
        guard let inherited, let id = inherited.add(handler, to: currentTask) else {
            return try await withTaskCancellationHandler(operation: operation, onCancel: handler)
        }
        defer { inherited.remove(id) }
        return try await withTaskCancellationHandler(operation: operation, onCancel: handler)
    }
}
