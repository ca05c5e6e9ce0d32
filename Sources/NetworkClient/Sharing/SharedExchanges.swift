import Foundation

/// Lets identical requests wait for one exchange.
final class SharedExchanges: Sendable {
    private typealias Waiter = CheckedContinuation<TransportResponse, any Error>

    /// Runs an exchange; the closure that it is given keeps later callers from joining it.
    typealias Exchange = @Sendable (_ close: @escaping @Sendable () -> Void) async throws -> TransportResponse

    private let state = Locked(SharingState<SharingKey, Waiter>())

    /// How many exchanges are in flight.
    var exchangeCount: Int { state.withLock { $0.exchangeCount } }

    /// How many callers wait, over all exchanges.
    var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Waits for the exchange of that key, and starts it if there is none.
    ///
    /// - Parameters:
    ///   - key: What identical requests have in common.
    ///   - total: The seconds that this caller waits, whoever started the exchange and when; nil for no limit.
    ///   - exchange: Runs the exchange, without a total timeout.
    /// - Returns: The response to all callers.
    /// - Throws: What the exchange throws; ``WaitedTooLong``; `CancellationError`.
    func share(
        _ key: SharingKey,
        within total: TimeInterval?,
        _ exchange: @escaping Exchange
    ) async throws -> TransportResponse {
        let timer = total.map { ExchangeTimer(idle: $0, total: nil) }
        defer { timer?.stop() }
        let id = state.withLock { $0.makeID() }
        return try await CallScope.withCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                switch state.withLock({ $0.join(key, id: id, waiter, Task.currentPriority) }) {
                case .starts(let exchangeID, let priority): start(exchangeID, priority, exchange)
                case .joins(let taskToRaise): if let taskToRaise { raise(taskToRaise, to: Task.currentPriority) }
                }
                timer?.start { [weak self] in self?.leave(id, WaitedTooLong()) }
                // The cancellation may have come before there was anyone to be found.
                if CallScope.isCancelled { leave(id, CancellationError()) }
            }
        } onCancel: {
            self.leave(id, CancellationError())
        }
    }

    private func start(_ exchangeID: UInt64, _ priority: TaskPriority, _ exchange: @escaping Exchange) {
        // Cancelled by `leave`, when the last caller has gone. Detached, since it serves all of its callers: it must
        // not run with the task-locals of the first.
        let task = Task.detached(priority: priority) {
            let result: Result<TransportResponse, any Error>
            do {
                result = .success(try await exchange { self.state.withLock { $0.close(exchangeID) } })
            } catch {
                result = .failure(error)
            }
            for waiter in self.state.withLock({ $0.finished(exchangeID) }) {
                waiter.resume(with: result)
            }
        }
        guard let highest = state.withLock({ $0.started(exchangeID, task) }) else { return task.cancel() }
        if highest > priority { raise(task, to: highest) }
    }

    /// Runs an exchange with at least this priority: a task lends its priority to the task that it waits for.
    private func raise(_ task: Task<Void, Never>, to priority: TaskPriority) {
        // Never cancelled: it ends with the exchange.
        Task.detached(priority: priority) { await task.value }
    }

    private func leave(_ id: UInt64, _ error: any Error) {
        guard let departure = state.withLock({ $0.leave(id) }) else { return }
        departure.abandoned?.cancel()
        departure.waiter.resume(throwing: error)
    }
}

/// A caller's total timeout is over, and the exchange is not.
struct WaitedTooLong: Error {}
