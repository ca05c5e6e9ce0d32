/// The calls of a client that are under way, so that all of them can be cancelled.
final class CallRegistry: Sendable {
    private struct State {
        var scopes = Register<CallScope>()
        /// The bodies that are being read after their calls have returned.
        var bodies: [ObjectIdentifier: Body] = [:]
        /// How many bodies there are when those that are gone are looked for the next time.
        var sweepCount = CallRegistry.leastSweepCount

        /// Removes the bodies that are gone, each time when their number may have doubled: looking at all of them for
        /// each new body would take quadratic time.
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

    /// How many calls are in flight, those included whose bodies are being read.
    var count: Int {
        state.withLock { state in
            state.scopes.members.count + state.bodies.values.reduce(0) { $0 + ($1.channel == nil ? 0 : 1) }
        }
    }

    /// How many bodies are remembered, those included that are gone.
    var bodyCount: Int { state.withLock { $0.bodies.count } }

    /// Runs one call so that ``cancelAll()`` reaches it wherever it waits.
    ///
    /// A call that is prompt waits in nothing but the library's own code, which asks its scope: it runs in the caller's
    /// task. Any other has a task of its own, since only that can end a wait in the user's code.
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
            // It may have come to its end just when it was cancelled.
            if scope.isCancelled { throw CancellationError() }
            return result
        } catch {
            // Whatever the transport, an interceptor or the mapper made of the cancellation.
            throw scope.isCancelled ? CancellationError() : error
        }
    }

    func cancelAll() {
        let (scopes, bodies) = state.withLock { ($0.scopes.members, Array($0.bodies.values)) }
        for scope in scopes { scope.cancel() }
        for body in bodies { body.channel?.cancel() }
    }

    /// Has a body end with ``cancelAll()``, until it is released or nobody has it any more; to be called before its
    /// call is over.
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
        // Cancelled by `cancelAll`, and with the caller. Not started in place (`Task.immediate`), which saves two
        // microseconds here and costs each asynchronous call on the way a lock.
        let task = Task { try await operation() }
        _ = scope.add { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
