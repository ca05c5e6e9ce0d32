import Foundation

/// Lets identical requests wait for one exchange.
final class SharedExchanges: Sendable {
    private typealias Waiter = CheckedContinuation<TransportResponse, any Error>

    private let state = Locked(SharingState<SharingKey, Waiter>())

    /// How many exchanges are under way.
    var exchangeCount: Int { state.withLock { $0.exchangeCount } }

    /// How many callers wait, over all exchanges.
    var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Waits for the exchange of that key, and starts it if there is none.
    func share(
        _ key: SharingKey,
        _ exchange: @escaping @Sendable () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let id = state.withLock { $0.makeID() }
        return try await CallScope.withCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                if let exchangeID = state.withLock({ $0.join(key, id: id, waiter) }) {
                    start(key, exchangeID, exchange)
                }
                // The cancellation may have come before there was anyone to be found.
                if CallScope.isCancelled { leave(key, id) }
            }
        } onCancel: {
            self.leave(key, id)
        }
    }

    private func start(
        _ key: SharingKey,
        _ exchangeID: UInt64,
        _ exchange: @escaping @Sendable () async throws -> TransportResponse
    ) {
        // Cancelled by `leave`, when the last caller has gone. Detached, since it serves all of its callers: it must
        // not run with the task-locals of the first, nor with a priority that is lower than that of one who comes
        // later.
        let task = Task.detached(priority: max(.medium, Task.currentPriority)) {
            let result: Result<TransportResponse, any Error>
            do {
                result = .success(try await exchange())
            } catch {
                result = .failure(error)
            }
            for waiter in self.state.withLock({ $0.finished(key, exchangeID: exchangeID) }) {
                waiter.resume(with: result)
            }
        }
        if !state.withLock({ $0.started(key, exchangeID: exchangeID, task) }) { task.cancel() }
    }

    private func leave(_ key: SharingKey, _ id: UInt64) {
        guard let departure = state.withLock({ $0.leave(key, id: id) }) else { return }
        departure.abandoned?.cancel()
        departure.waiter.resume(throwing: CancellationError())
    }
}
