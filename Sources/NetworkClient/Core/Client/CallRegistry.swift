/// The calls of a client that are in flight, so that all of them can be cancelled.
///
/// There are two ways to run a call. If no user code can suspend it, it runs in the caller's task, and waits observe
/// `cancelAll()` through its ``CallScope``. Otherwise it has its own task, since only cancelling a task ends a wait in
/// user code. A task for every call would cost 27 % of the requests per second of one caller (libcurl 7.88).
final class CallRegistry: Sendable {
    private struct State {
        var scopes = SlotArray<CallScope>()
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
    private let runsInCallersTask: Bool

    /// Creates the registry of a client; its interceptors and its mapper decide where calls run.
    init(interceptors: [any InterceptorProtocol], mapper: ResponseErrorMapper) {
        runsInCallersTask = interceptors.allSatisfy(\.waitsOnlyInNext) && !mapper.mayWait
    }

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
    /// `mayWait` says whether user code that belongs to this call alone, such as its mapper, can suspend it.
    nonisolated(nonsending) func run<Success: Sendable>(
        mayWait: Bool = false,
        _ operation: nonisolated(nonsending) @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        try Task.checkCancellation()
        let scope = CallScope()
        // The calls of shared work, such as a refresh, are not this client's alone.
        if !SharedWork.isInProgress { state.withLock { $0.scopes.add(scope) } }
        defer { state.withLock { _ = $0.scopes.remove(scope) } }
        do {
            let staysInTask = runsInCallersTask && !mayWait
            let result = try await staysInTask ? scope.run(operation) : runInOwnTask(scope, operation)
            // The call may have ended just when it was cancelled.
            if scope.isCancelled { throw CancellationError() }
            return result
        } catch {
            // A transport, an interceptor or the mapper may have replaced the cancellation with another error.
            throw scope.isCancelled ? CancellationError() : error
        }
    }

    func cancelAll() {
        let (scopes, bodies) = state.withLock { ($0.scopes.members, Array($0.bodies.values)) }
        for scope in scopes { scope.cancel() }
        for body in bodies { body.channel?.cancel() }
    }

    /// Registers a body so that ``cancelAll()`` stops it, until ``release(_:)`` is called or the body is released.
    ///
    /// Must be called before the call of the body has ended.
    func hold(_ channel: any BodyChannel) {
        guard !SharedWork.isInProgress else { return }
        state.withLock { state in
            state.sweepBodies()
            state.bodies[ObjectIdentifier(channel)] = Body(channel: channel)
        }
    }

    func release(_ id: ObjectIdentifier) {
        state.withLock { _ = $0.bodies.removeValue(forKey: id) }
    }

    private nonisolated(nonsending) func runInOwnTask<Success: Sendable>(
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

/// Sends with a custom transport, which does not observe a ``CallScope``.
///
/// In a call that runs in the caller's task, the transport gets its own task, so that `cancelAll()` can cancel it.
struct TransportInTask: Transport {
    let wrapped: any Transport

    var description: String { wrapped.description }
    var defaults: TransportDefaults { wrapped.defaults }

    func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        guard CallScope.current != nil else { return try await wrapped.send(request, options: options) }
        let task: Task<TransportResponse, any Error>
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // On the caller's thread, so that a transport that returns without waiting causes no thread hop.
            task = .immediate { try await wrapped.send(request, options: options) }
        } else {
            // Cancelled with the caller's task and by `cancelAll`.
            task = Task { try await wrapped.send(request, options: options) }
        }
        return try await CallScope.withCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
