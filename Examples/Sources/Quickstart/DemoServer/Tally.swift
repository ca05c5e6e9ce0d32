import Foundation

/// A count that others can wait for.
actor Tally {
    private struct Waiter {
        let goal: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private(set) var count = 0
    private var waiters: [UUID: Waiter] = [:]

    /// Counts one more, and lets go whoever waited for that many.
    @discardableResult
    func add() -> Int {
        count += 1
        for (id, waiter) in waiters where waiter.goal <= count {
            waiters[id] = nil
            waiter.continuation.resume()
        }
        return count
    }

    /// Returns when the count is at least `goal`; throws `CancellationError` if the task is cancelled before.
    func reaches(_ goal: Int) async throws {
        guard count < goal else { return }
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    waiters[id] = Waiter(goal: goal, continuation: continuation)
                }
            }
        } onCancel: {
            // Ends by itself: it only waits for its turn here.
            Task { await self.giveUp(id) }
        }
    }

    private func giveUp(_ id: UUID) {
        waiters.removeValue(forKey: id)?.continuation.resume(throwing: CancellationError())
    }
}
