/// The calls of a client that are in flight, so that all of them can be cancelled.
final class CallRegistry: Sendable {
    private struct State {
        var scopes = Register<CallScope>()
        /// The bodies that are read after their calls have returned.
        var bodies: [ObjectIdentifier: Body] = [:]
        /// The number of bodies at which the released ones are removed the next time.
        var sweepCount = CallRegistry.leastSweepCount

        /// Removes the released bodies, but only when their number may have doubled: a sweep for each new body would
        /// take quadratic time.
        mutating func sweepBodies() {
            guard bodies.count >= sweepCount else { return }
            bodies = bodies.filter { $0.value.channel != nil }
            sweepCount = max(CallRegistry.leastSweepCount, 2 * bodies.count)
        }
    }

    private struct Body {
        weak var channel: (any BodyChannel)?
    }

    private let state = Locked(State())

    private static let leastSweepCount = 64

    /// The number of calls in flight, including calls that have returned and whose bodies are being read.
    var count: Int {
        state.withLock { state in
            state.scopes.members.count + state.bodies.values.reduce(0) { $0 + ($1.channel == nil ? 0 : 1) }
        }
    }

    /// The number of registered bodies, including released ones.
    var bodyCount: Int { state.withLock { $0.bodies.count } }

    /// Runs one call so that ``cancelAll()`` reaches it wherever it waits.
    ///
    /// If no user code can suspend the call (`isPrompt`), it runs in the caller's task and observes cancellation
    /// through its scope. Otherwise it has its own task, since only cancelling a task ends a wait in user code.
    nonisolated(nonsending) func run<Success: Sendable>(
        isPrompt: Bool,
        _ operation: nonisolated(nonsending) @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        try Task.checkCancellation()
        let scope = CallScope()
        state.withLock { $0.scopes.add(scope) }
        defer { state.withLock { _ = $0.scopes.remove(scope) } }
        do {
            let result = try await isPrompt ? scope.run(operation) : runInTask(scope, operation)
            // The call may have ended just when it was cancelled.
            if scope.isCancelled { throw CancellationError() }
            return result
        } catch {
            // A transport, an interceptor or the mapper may have replaced the cancellation by another error.
            throw scope.isCancelled ? CancellationError() : error
        }
    }

    func cancelAll() {
        let (scopes, bodies) = state.withLock { ($0.scopes.members, Array($0.bodies.values)) }
        for scope in scopes { scope.cancel() }
        for body in bodies { body.channel?.cancel() }
    }

    /// Registers a body so that ``cancelAll()`` stops it, until ``release(_:)`` or the last reference is gone; to be
    /// called before its call has ended.
    func hold(_ channel: any BodyChannel) {
        state.withLock { state in
            state.sweepBodies()
            state.bodies[ObjectIdentifier(channel)] = Body(channel: channel)
        }
    }

    func release(_ id: ObjectIdentifier) {
        state.withLock { _ = $0.bodies.removeValue(forKey: id) }
    }

    private nonisolated(nonsending) func runInTask<Success: Sendable>(
        _ scope: CallScope,
        _ operation: nonisolated(nonsending) @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        // Cancelled by `cancelAll` and with the caller. Not `Task.immediate`: that saves two microseconds here, but
        // adds a lock to each asynchronous call inside.
        let task = Task { try await operation() }
        _ = scope.add { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
