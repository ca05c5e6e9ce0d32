import Foundation

/// The calls of a client that are under way, so that all of them can be cancelled.
final class CallRegistry: Sendable {
    private struct State {
        var nextID: UInt64 = 0
        var cancellations: [UInt64: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())

    /// How many calls are under way.
    var count: Int { state.withLock { $0.cancellations.count } }

    /// Runs one call in a task of its own, which ``cancelAll()`` can reach also where the call waits in an interceptor.
    func run<Success: Sendable>(_ operation: @escaping @Sendable () async throws -> Success) async throws -> Success {
        try Task.checkCancellation()
        let task = Self.start(operation)
        let id = add { task.cancel() }
        defer { remove(id) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func cancelAll() {
        let cancellations = state.withLock { Array($0.cancellations.values) }
        for cancel in cancellations { cancel() }
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

    private func add(_ cancellation: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            state.cancellations[state.nextID] = cancellation
            return state.nextID
        }
    }

    private func remove(_ id: UInt64) {
        state.withLock { _ = $0.cancellations.removeValue(forKey: id) }
    }
}
