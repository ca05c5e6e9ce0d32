import Foundation

/// The calls of a client that are under way, so that all of them can be cancelled.
final class CallRegistry: Sendable {
    /// One call: remembers a cancellation that comes before there is a task.
    private final class Call: Sendable {
        private struct State {
            var isCancelled = false
            var cancellation: (@Sendable () -> Void)?
        }

        private let state = Locked(State())

        func attach(_ cancellation: @escaping @Sendable () -> Void) {
            let isLate = state.withLock { state in
                state.cancellation = cancellation
                return state.isCancelled
            }
            if isLate { cancellation() }
        }

        var isCancelled: Bool { state.withLock { $0.isCancelled } }

        func cancel() {
            let cancellation = state.withLock { state in
                state.isCancelled = true
                return state.cancellation
            }
            cancellation?()
        }
    }

    private struct State {
        var nextID: UInt64 = 0
        var calls: [UInt64: Call] = [:]
    }

    private let state = Locked(State())

    /// How many calls are under way.
    var count: Int { state.withLock { $0.calls.count } }

    /// Runs one call in a task of its own, which ``cancelAll()`` can reach also where the call waits in an interceptor.
    func run<Success: Sendable>(_ operation: @escaping @Sendable () async throws -> Success) async throws -> Success {
        try Task.checkCancellation()
        // Registered before it starts, so that no cancellation comes between.
        let call = Call()
        let id = add(call)
        defer { remove(id) }
        // Cancelled by `cancelAll`, and with the caller. Not started in place (`Task.immediate`), which saves 0.7
        // microseconds here and costs each asynchronous call on the way a lock.
        let task = Task(operation: operation)
        call.attach { task.cancel() }
        let result = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        // It may have run, to its end even, before there was a task to cancel.
        if call.isCancelled { throw CancellationError() }
        return result
    }

    func cancelAll() {
        let calls = state.withLock { Array($0.calls.values) }
        for call in calls { call.cancel() }
    }

    private func add(_ call: Call) -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            state.calls[state.nextID] = call
            return state.nextID
        }
    }

    private func remove(_ id: UInt64) {
        state.withLock { _ = $0.calls.removeValue(forKey: id) }
    }
}
