import Foundation

/// Who waits for which exchange: takes an event, returns what is to be done.
///
/// It does nothing itself.
struct SharingState<Key: Hashable & Sendable, Waiter> {
    /// One exchange that is in flight.
    private struct Entry {
        let key: Key
        var waiters: [UInt64: Waiter] = [:]
        var task: Task<Void, Never>?
        /// The highest priority of its callers.
        var priority: TaskPriority
    }

    /// What a caller has to do.
    enum Admission {
        /// Start the exchange with this identifier, in a task with this priority.
        case starts(UInt64, TaskPriority)
        /// Wait for another caller's exchange, whose task is to run with the caller's priority if that is higher.
        case joins(taskToRaise: Task<Void, Never>?)
    }

    /// What a waiter that leaves before the response has come leaves to be done.
    struct Departure {
        let waiter: Waiter
        /// The exchange's task, if nobody waits for it any more.
        let abandoned: Task<Void, Never>?
    }

    /// By the identifiers of exchanges.
    private var entries: [UInt64: Entry] = [:]
    /// The exchanges that can still be joined.
    private var open: [Key: UInt64] = [:]
    /// The exchange that each caller waits for.
    private var exchanges: [UInt64: UInt64] = [:]
    private var lastID: UInt64 = 0

    var exchangeCount: Int { entries.count }

    /// How many wait, over all exchanges.
    var waiterCount: Int { exchanges.count }

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// A caller wants the response.
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

    /// The exchange runs in `task`.
    ///
    /// - Returns: The highest priority of the callers, of whom some may have joined in the meantime; nil if all have
    ///   left, and the task is to be cancelled.
    mutating func started(_ exchangeID: UInt64, _ task: Task<Void, Never>) -> TaskPriority? {
        entries[exchangeID]?.task = task
        return entries[exchangeID]?.priority
    }

    /// Whoever comes from now on starts another exchange; those who wait already go on waiting.
    mutating func close(_ exchangeID: UInt64) {
        guard let key = entries[exchangeID]?.key, open[key] == exchangeID else { return }
        open[key] = nil
    }

    /// A caller was cancelled, or has waited too long.
    ///
    /// The last one to leave takes the exchange with it, so that whoever comes next starts anew.
    mutating func leave(_ id: UInt64) -> Departure? {
        guard let exchangeID = exchanges.removeValue(forKey: id),
            let waiter = entries[exchangeID]?.waiters.removeValue(forKey: id)
        else { return nil }
        guard entries[exchangeID]?.waiters.isEmpty == true else { return Departure(waiter: waiter, abandoned: nil) }
        close(exchangeID)
        return Departure(waiter: waiter, abandoned: entries.removeValue(forKey: exchangeID)?.task)
    }

    /// The exchange is over.
    ///
    /// - Returns: All who wait for it.
    mutating func finished(_ exchangeID: UInt64) -> [Waiter] {
        close(exchangeID)
        guard let entry = entries.removeValue(forKey: exchangeID) else { return [] }
        for id in entry.waiters.keys { exchanges[id] = nil }
        return Array(entry.waiters.values)
    }
}
