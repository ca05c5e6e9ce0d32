/// Lets identical requests wait for one exchange.
final class SharedExchanges: Sendable {
    /// Runs an exchange; after `close` is called, later callers don't join it.
    typealias Exchange = @Sendable (_ close: @escaping @Sendable () -> Void) async throws -> TransportResponse

    private let state = Locked(SharingState<SharingKey, Waiter<TransportResponse>>())

    /// The number of exchanges in flight.
    var exchangeCount: Int { state.withLock { $0.exchangeCount } }

    /// The number of waiting callers, over all exchanges.
    var waiterCount: Int { state.withLock { $0.waiterCount } }

    /// Returns why a request does not join an exchange of the same method, URL and body, such as "not shared: X-Nonce
    /// differs"; nil if it joins one, or if there is none like it among a hundred of those in flight.
    func obstacle(for key: SharingKey, of request: URLRequest) -> String? {
        let others = state.withLock { $0.canBeJoined(key) ? [] : $0.keys(limit: 100) }
        guard let names = others.lazy.compactMap({ key.differences(from: $0) }).first else { return nil }
        let fields = Dictionary((request.allHTTPHeaderFields ?? [:]).keys.map { ($0.lowercased(), $0) }) { $1 }
        let differing = names.map { fields[$0] ?? $0 }.joined(separator: ", ")
        return "not shared: \(differing) \(names.count == 1 ? "differs" : "differ")"
    }

    /// Waits for the exchange of a key, and starts it if there is none.
    ///
    /// - Parameters:
    ///   - key: The properties that identical requests have in common.
    ///   - limit: How long this caller waits, even for an exchange that another caller started earlier; nil for no
    ///     limit.
    ///   - onJoin: Called if the caller joins another caller's exchange.
    ///   - exchange: Runs the exchange, without an attempt timeout.
    /// - Returns: The same response for all callers.
    /// - Throws: The error of the exchange; ``TimeLimit/Passed``; `CancellationError`.
    func share(
        _ key: SharingKey,
        until limit: TimeLimit?,
        onJoin: () -> Void = {},
        exchange: @escaping Exchange
    ) async throws -> TransportResponse {
        var admission: SharingState<SharingKey, Waiter<TransportResponse>>.Admission?
        return try await state.wait(until: limit) { state, waiter in
            admission = state.join(key, id: waiter.id, waiter, Task.currentPriority)
            return nil
        } leaving: { [state] id in
            guard let departure = state.withLock({ $0.leave(id) }) else { return nil }
            departure.abandoned?.cancel()
            return departure.waiter
        } begun: {
            switch admission {
            case .starts(let exchangeID, let priority): start(exchangeID, priority, exchange)
            case .joins(let taskToRaise):
                onJoin()
                if let taskToRaise { raise(taskToRaise, to: Task.currentPriority) }
            case nil: break
            }
        }
    }

    private func start(_ exchangeID: UInt64, _ priority: TaskPriority, _ exchange: @escaping Exchange) {
        // Cancelled by `share`, when the last caller has left. Detached, since the exchange serves all its callers: it
        // must not have the task-local values of the first caller.
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

    /// Raises the priority of an exchange: a waiting task lends its priority to the task that it waits for.
    private func raise(_ task: Task<Void, Never>, to priority: TaskPriority) {
        // Never cancelled: this new task ends when the task of the exchange ends.
        Task.detached(priority: priority) { await task.value }
    }
}

/// The callers and the exchanges that they wait for.
///
/// Each mutating function takes an event and returns the action that ``SharedExchanges`` performs after the lock is
/// released.
struct SharingState<Key: Hashable & Sendable, Waiter> {
    /// An exchange in flight.
    private struct Entry {
        let key: Key
        var waiters: [UInt64: Waiter] = [:]
        var task: Task<Void, Never>?
        /// The highest priority of its callers.
        var priority: TaskPriority
    }

    /// The action for a caller who joins.
    enum Admission {
        /// Start the exchange with this identifier, in a task with this priority.
        case starts(UInt64, TaskPriority)
        /// Wait for another caller's exchange, and raise the priority of its task if there is one.
        case joins(taskToRaise: Task<Void, Never>?)
    }

    /// The action for a caller who leaves before the response is complete.
    struct Departure {
        let waiter: Waiter
        /// The task of the exchange, to be cancelled; nil if other callers still wait for it.
        let abandoned: Task<Void, Never>?
    }

    /// The exchanges in flight by identifier.
    private var entries: [UInt64: Entry] = [:]
    /// The identifiers of exchanges that callers may still join.
    private var open: [Key: UInt64] = [:]
    /// The identifier of the exchange that each caller waits for.
    private var exchanges: [UInt64: UInt64] = [:]
    private var lastID: UInt64 = 0

    var exchangeCount: Int { entries.count }

    /// The number of waiting callers, over all exchanges.
    var waiterCount: Int { exchanges.count }

    /// Whether a caller with this key would join an exchange.
    func canBeJoined(_ key: Key) -> Bool { open[key] != nil }

    /// Returns keys of exchanges that callers may still join.
    func keys(limit: Int) -> [Key] { Array(open.keys.prefix(limit)) }

    private mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// Adds a caller.
    mutating func join(_ key: Key, id: UInt64, _ waiter: Waiter, _ priority: TaskPriority = .medium) -> Admission {
        guard let exchangeID = open[key], let entry = entries[exchangeID] else {
            let exchangeID = makeID()
            let priority = max(.medium, priority)
            entries[exchangeID] = Entry(key: key, waiters: [id: waiter], priority: priority)
            open[key] = exchangeID
            exchanges[id] = exchangeID
            return .starts(exchangeID, priority)
        }
        entries[exchangeID]?.waiters[id] = waiter
        exchanges[id] = exchangeID
        guard priority > entry.priority else { return .joins(taskToRaise: nil) }
        entries[exchangeID]?.priority = priority
        return .joins(taskToRaise: entry.task)
    }

    /// Stores the task of an exchange.
    ///
    /// - Returns: The highest priority of the callers, who may have joined since the exchange was started; nil if all
    ///   have left, and the task is to be cancelled.
    mutating func started(_ exchangeID: UInt64, _ task: Task<Void, Never>) -> TaskPriority? {
        entries[exchangeID]?.task = task
        return entries[exchangeID]?.priority
    }

    /// Keeps later callers from joining an exchange; its present callers continue to wait.
    mutating func close(_ exchangeID: UInt64) {
        guard let key = entries[exchangeID]?.key, open[key] == exchangeID else { return }
        open[key] = nil
    }

    /// Removes a caller who was cancelled or has waited too long; the exchange ends with its last caller.
    mutating func leave(_ id: UInt64) -> Departure? {
        guard let exchangeID = exchanges.removeValue(forKey: id),
            let waiter = entries[exchangeID]?.waiters.removeValue(forKey: id)
        else { return nil }
        guard entries[exchangeID]?.waiters.isEmpty == true else { return Departure(waiter: waiter, abandoned: nil) }
        close(exchangeID)
        return Departure(waiter: waiter, abandoned: entries.removeValue(forKey: exchangeID)?.task)
    }

    /// Removes an exchange that has ended, and returns its callers.
    mutating func finished(_ exchangeID: UInt64) -> [Waiter] {
        close(exchangeID)
        guard let entry = entries.removeValue(forKey: exchangeID) else { return [] }
        for id in entry.waiters.keys { exchanges[id] = nil }
        return Array(entry.waiters.values)
    }
}
