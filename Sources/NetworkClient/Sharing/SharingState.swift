import Foundation

/// Who waits for which exchange: takes an event, returns what is to be done.
///
/// It does nothing itself.
struct SharingState<Key: Hashable & Sendable, Waiter> {
    /// One exchange that is under way.
    private struct Entry {
        let id: UInt64
        var waiters: [UInt64: Waiter] = [:]
        var task: Task<Void, Never>?
    }

    /// What a cancelled waiter leaves to be done.
    struct Departure {
        let waiter: Waiter
        /// The exchange's task, if nobody waits for it any more.
        let abandoned: Task<Void, Never>?
    }

    private var entries: [Key: Entry] = [:]
    private var lastID: UInt64 = 0

    var exchangeCount: Int { entries.count }

    /// How many wait, over all exchanges.
    var waiterCount: Int { entries.values.reduce(0) { $0 + $1.waiters.count } }

    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    /// A caller wants the answer.
    ///
    /// Returns the identifier of the exchange that it has to start, or nil to wait for another's.
    mutating func join(_ key: Key, id: UInt64, _ waiter: Waiter) -> UInt64? {
        let isNew = entries[key] == nil
        let exchangeID = isNew ? makeID() : 0
        entries[key, default: Entry(id: exchangeID)].waiters[id] = waiter
        return isNew ? exchangeID : nil
    }

    /// The exchange runs in `task`.
    ///
    /// Returns false if everyone has left in the meantime: the task is to be cancelled.
    mutating func started(_ key: Key, exchangeID: UInt64, _ task: Task<Void, Never>) -> Bool {
        guard entries[key]?.id == exchangeID else { return false }
        entries[key]?.task = task
        return true
    }

    /// A caller was cancelled.
    ///
    /// The last one to leave takes the exchange with it, so that whoever comes next starts anew.
    mutating func leave(_ key: Key, id: UInt64) -> Departure? {
        guard let waiter = entries[key]?.waiters.removeValue(forKey: id) else { return nil }
        guard entries[key]?.waiters.isEmpty == true else { return Departure(waiter: waiter, abandoned: nil) }
        return Departure(waiter: waiter, abandoned: entries.removeValue(forKey: key)?.task)
    }

    /// The exchange is over.
    ///
    /// Returns everyone who waits for it.
    mutating func finished(_ key: Key, exchangeID: UInt64) -> [Waiter] {
        guard entries[key]?.id == exchangeID else { return [] }
        return entries.removeValue(forKey: key).map { Array($0.waiters.values) } ?? []
    }
}
