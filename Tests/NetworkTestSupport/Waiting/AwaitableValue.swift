import Foundation
@testable import NetworkUtilities

/// A value behind a lock whose readers can wait for a condition; gates and counters are made of it.
///
/// Conditions run under the lock, so they must be short and never wait. They are evaluated after each change, in the
/// order of registration; the waiters that they release run after the lock is released.
package final class AwaitableValue<Value: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let id: Int
        /// Returns nil while the condition doesn't hold, then the action to perform.
        let check: @Sendable (Value) -> (@Sendable () -> Void)?
        let cancel: @Sendable () -> Void
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
        var nextID = 0

        mutating func makeID() -> Int {
            defer { nextID += 1 }
            return nextID
        }

        mutating func takeDueActions() -> [@Sendable () -> Void] {
            guard !waiters.isEmpty else { return [] }
            var actions: [@Sendable () -> Void] = []
            waiters.removeAll { waiter in
                guard let action = waiter.check(value) else { return false }
                actions.append(action)
                return true
            }
            return actions
        }
    }

    private let state: Locked<State>

    package init(_ value: Value) {
        state = Locked(State(value: value))
    }

    package var current: Value {
        state.withLock { $0.value }
    }

    /// Reads a part of the value without copying the whole value.
    package func read<Part>(_ part: (Value) -> Part) -> Part {
        state.withLock { part($0.value) }
    }

    /// Changes the value and releases the waiters whose condition holds now.
    @discardableResult
    package func update<Outcome>(_ change: (inout Value) -> Outcome) -> Outcome {
        let (outcome, actions) = state.withLock { state in
            let outcome = change(&state.value)
            return (outcome, state.takeDueActions())
        }
        for action in actions {
            action()
        }
        return outcome
    }

    /// Waits until `condition` returns a value other than nil, and returns that value.
    ///
    /// - Throws: What `condition` throws; `CancellationError` as soon as the task is cancelled, unless the condition
    ///   held already.
    package func wait<Answer: Sendable>(
        until condition: @escaping @Sendable (Value) throws -> Answer?
    ) async throws -> Answer {
        let id = state.withLock { $0.makeID() }
        defer { state.meet() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Answer, any Error>) in
                let waiter = Waiter(
                    id: id,
                    check: { value in
                        do {
                            guard let answer = try condition(value) else { return nil }
                            return { continuation.resume(returning: answer) }
                        } catch {
                            return { continuation.resume(throwing: error) }
                        }
                    },
                    cancel: { continuation.resume(throwing: CancellationError()) }
                )
                enlist(waiter)
                // A cancellation before the waiter was in the list found nothing to remove.
                if Task.isCancelled { remove(id)?.cancel() }
            }
        } onCancel: {
            remove(id)?.cancel()
        }
    }

    /// Performs `action` once, as soon as `condition` holds, which may be immediately on this thread.
    ///
    /// - Returns: The identifier for ``forget(_:)``, which drops the action.
    func whenever(
        _ condition: @escaping @Sendable (Value) -> Bool,
        perform action: @escaping @Sendable () -> Void
    ) -> Int {
        let id = state.withLock { $0.makeID() }
        enlist(Waiter(id: id, check: { condition($0) ? action : nil }, cancel: {}))
        return id
    }

    func forget(_ id: Int) {
        _ = remove(id)
    }

    /// Blocks the thread until `condition` holds; never call it in a task, which shares its thread.
    func waitBlocking(until condition: @escaping @Sendable (Value) -> Bool) {
        let semaphore = DispatchSemaphore(value: 0)
        _ = whenever(condition) { semaphore.signal() }
        semaphore.wait()
    }

    private func enlist(_ waiter: Waiter) {
        let action = state.withLock { state in
            let action = waiter.check(state.value)
            if action == nil { state.waiters.append(waiter) }
            return action
        }
        action?()
    }

    private func remove(_ id: Int) -> Waiter? {
        state.withLock { state in
            state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
        }
    }
}
