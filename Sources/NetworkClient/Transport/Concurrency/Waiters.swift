/// The tasks that wait for one event.
///
/// Part of a state behind a lock: the code that removes waiters resumes them after it has released the lock.
package struct Waiters<Output: Sendable>: Sendable {
    private var members: [UInt64: Waiter<Output>] = [:]

    package init() {}

    package var isEmpty: Bool { members.isEmpty }

    package var count: Int { members.count }

    package func contains(_ id: UInt64) -> Bool { members[id] != nil }

    package mutating func add(_ waiter: Waiter<Output>) {
        members[waiter.id] = waiter
    }

    package mutating func remove(_ id: UInt64) -> Waiter<Output>? { members.removeValue(forKey: id) }

    /// Removes all waiters, in the order in which they began to wait.
    package mutating func removeAll() -> [Waiter<Output>] {
        defer { members = [:] }
        return members.values.sorted { $0.id < $1.id }
    }
}

/// A task that waits until it is resumed with a value or an error, once.
package struct Waiter<Output: Sendable>: Sendable {
    /// The number of the wait; a later wait has a higher number.
    package let id: UInt64
    private let continuation: CheckedContinuation<Output, any Error>

    fileprivate init(id: UInt64, _ continuation: CheckedContinuation<Output, any Error>) {
        self.id = id
        self.continuation = continuation
    }

    package func resume(with result: Result<Output, any Error>) {
        continuation.resume(with: result)
    }

    package func resume(returning output: Output) {
        continuation.resume(returning: output)
    }

    package func resume(throwing error: any Error) {
        continuation.resume(throwing: error)
    }
}

extension Waiter<Void> {
    package func resume() { resume(returning: ()) }
}

/// The number of the last wait of the process.
private let lastWait = Locked<UInt64>(0)

extension Locked {
    /// Suspends the current task until its waiter is resumed, until a limit passes, or until the task or its call is
    /// cancelled.
    ///
    /// - Parameters:
    ///   - limit: The limit of the wait; nil for none.
    ///   - join: Decides under the lock: returns the result, or stores the waiter and returns nil.
    ///   - leave: Removes the waiter with a number; returns nil if it was resumed before.
    ///   - begun: Called after the lock is released, if the task waits.
    /// - Returns: What the waiter is resumed with, or what `join` returns.
    /// - Throws: ``TimeLimit/Passed``; `CancellationError`; the error of `join`, or the one that the waiter is resumed
    ///   with.
    package nonisolated(nonsending) func wait<Output: Sendable>(
        until limit: TimeLimit? = nil,
        joining join: (inout Value, Waiter<Output>) throws -> Output?,
        leaving leave: @escaping @Sendable (_ id: UInt64) -> Waiter<Output>?,
        begun: () -> Void = {}
    ) async throws -> Output {
        let id = lastWait.withLock { last in
            last += 1
            return last
        }
        let giveUp = { @Sendable (error: any Error) in
            leave(id)?.resume(throwing: error)
        }
        var alarm: Alarm?
        defer {
            alarm?.stop()
            meet()
        }
        return try await CallScope.withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter<Output>(id: id, continuation)
                do {
                    if let output = try withLock({ try join(&$0, waiter) }) {
                        return waiter.resume(returning: output)
                    }
                } catch {
                    return waiter.resume(throwing: error)
                }
                begun()
                alarm = limit?.alarm { giveUp(TimeLimit.Passed()) }
                // If the task was cancelled before the waiter was stored, `onCancel` did not find the waiter.
                if CallScope.isCancelled { giveUp(CancellationError()) }
            }
        } onCancel: {
            giveUp(CancellationError())
        }
    }
}
