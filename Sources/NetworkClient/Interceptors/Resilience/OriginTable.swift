import Foundation

/// Keeps a value for each of the origins that were used last.
///
/// Comparing origins is faster than hashing them, and successive requests usually have the same origin: that of the
/// last look-up is compared first.
final class OriginTable<Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Origin: Entry] = [:]
        var last: (origin: Origin, value: Value)?
        var useCount: UInt64 = 0

        mutating func use(_ origin: Origin) -> Value? {
            if let last, last.origin == origin { return last.value }
            guard let value = entries[origin]?.value else { return nil }
            keep(value, origin)
            return value
        }

        mutating func keep(_ value: Value, _ origin: Origin) {
            useCount += 1
            entries[origin] = Entry(value: value, lastUse: useCount)
            last = (origin, value)
        }

        /// Removes half of the entries, so that the cost of sorting them is shared by many additions.
        mutating func removeOldest() {
            let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(entries.count / 2)
            for entry in oldest { entries[entry.key] = nil }
        }
    }

    private let make: @Sendable () -> Value
    private let state = Locked(State())

    /// Creates a table that makes the values of new origins with a closure, which is called under a lock.
    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// The number of origins above which those that were used least recently are removed.
    static var capacity: Int { 1_000 }

    /// The number of origins.
    var count: Int { state.withLock { $0.entries.count } }

    /// Returns the value of an origin, which is new for an origin that was not used recently.
    func value(of origin: Origin) -> Value {
        state.withLock { state in
            if let value = state.use(origin) { return value }
            if state.entries.count >= Self.capacity { state.removeOldest() }
            let value = make()
            state.keep(value, origin)
            return value
        }
    }
}

extension Origin {
    /// The origin as in a URL, without the default port: `https://api.example.com`.
    var text: String {
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let isDefault = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host)" + (isDefault ? "" : ":\(port)")
    }
}
