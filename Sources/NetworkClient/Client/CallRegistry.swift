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
        // Registered before it starts, since it may do much before `start` returns.
        let call = Call()
        let id = add(call)
        defer { remove(id) }
        let task = Self.start(operation)
        call.attach { task.cancel() }
        let result = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        // The first part of the call may have run, to its end even, before there was a task to cancel.
        if call.isCancelled { throw CancellationError() }
        return result
    }

    func cancelAll() {
        let calls = state.withLock { Array($0.calls.values) }
        for call in calls { call.cancel() }
    }

    /// Starts on the caller's thread where that can be had: it saves the way to another one and back.
    private static func start<Success: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Success
    ) -> Task<Success, any Error> {
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // Cancelled by `run`, when its caller is cancelled, and by `cancelAll`.
            return Task.immediate(operation: operation)
        }
        // Cancelled by `run`, when its caller is cancelled, and by `cancelAll`.
        return Task(operation: operation)
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
