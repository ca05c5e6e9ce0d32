/// The calls of a client that are in flight, so that all of them can be cancelled.
///
/// There are two ways to run a call. If no user code can suspend it, it runs in the caller's task, and waits observe
/// `cancelAll()` through its ``CallScope``. Otherwise it has its own task, since only cancelling a task ends a wait in
/// user code. A task for every call would cost 27 % of the requests per second of one caller (libcurl 7.88).
final class CallRegistry: Sendable {
    private struct State {
        var scopes = SlotArray<CallScope>()
        /// What goes on after its call has returned, such as a body that is read, or between two calls.
        var held: [ObjectIdentifier: Held] = [:]
        /// The number of held objects at which the released ones are removed the next time.
        var sweepCount = CallRegistry.minSweepCount

        /// Removes the released objects, but only when their number may have doubled: a sweep for each new one would
        /// take quadratic time.
        mutating func sweep() {
            guard held.count >= sweepCount else { return }
            held = held.filter { $0.value.object != nil }
            sweepCount = max(CallRegistry.minSweepCount, 2 * held.count)
        }
    }

    private struct Held {
        weak var object: (any Cancellable)?
    }

    private let state = Locked(State())
    private let runsInCallersTask: Bool

    /// Creates the registry of a client; its interceptors and its mapper decide where calls run.
    init(interceptors: [any InterceptorProtocol], mapper: ResponseErrorMapper) {
        runsInCallersTask = interceptors.allSatisfy(\.runsInCallersTask) && !mapper.mayWait
    }

    private static let minSweepCount = 64

    /// The number of calls in flight, including what goes on after its call.
    var count: Int {
        state.withLock { state in
            state.scopes.count + state.held.values.reduce(0) { $0 + ($1.object == nil ? 0 : 1) }
        }
    }

    /// The number of held objects, including released ones.
    var heldCount: Int { state.withLock { $0.held.count } }

    /// Runs one call so that ``cancelAll()`` reaches it wherever it waits.
    ///
    /// `mayWait` says whether user code that belongs to this call alone, such as its mapper, can suspend it.
    nonisolated(nonsending) func run<Success: Sendable>(
        mayWait: Bool = false,
        _ operation: nonisolated(nonsending) @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        try Task.checkCancellation()
        let scope = CallScope()
        // Shared work, such as a refresh, serves other clients too: `cancelAll()` of this one must not end it.
        let slot = SharedWork.isInProgress ? nil : state.withLock { $0.scopes.add(scope) }
        defer {
            if let slot { state.withLock { $0.scopes.remove(slot) } }
        }
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
        let (scopes, held) = state.withLock { ($0.scopes.members, Array($0.held.values)) }
        for scope in scopes { scope.cancel() }
        for held in held { held.object?.cancel() }
    }

    /// Registers an object so that ``cancelAll()`` stops it, until ``release(_:)`` is called or the object is released.
    ///
    /// A body must be held before its call has ended.
    func hold(_ object: any Cancellable) {
        guard !SharedWork.isInProgress else { return }
        state.withLock { state in
            state.sweep()
            state.held[ObjectIdentifier(object)] = Held(object: object)
        }
    }

    func release(_ id: ObjectIdentifier) {
        state.withLock { _ = $0.held.removeValue(forKey: id) }
    }

    private nonisolated(nonsending) func runInOwnTask<Success: Sendable>(
        _ scope: CallScope,
        _ operation: nonisolated(nonsending) @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        // Cancelled by `cancelAll` and with the caller. Not `Task.immediate`: that saves two microseconds here, but
        // adds a lock to each asynchronous call inside.
        let task = Task { try await operation() }
        _ = scope.add({ task.cancel() }, to: nil)
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
            // Runs on the caller's thread, so that a transport that returns without waiting causes no thread hop.
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
