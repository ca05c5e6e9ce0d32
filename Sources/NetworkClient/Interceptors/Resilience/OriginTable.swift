/// Keeps a value for each of the most recently used origins.
///
/// Comparing origins is faster than hashing them, and successive requests usually have the same origin, so the origin
/// of the last look-up is compared first. If the URL is given, its text is compared, since reading the origin of a URL
/// may allocate.
final class OriginTable<Value: Sendable>: Sendable {
    private struct Entry {
        let value: Value
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Origin: Entry] = [:]
        var last: (origin: Origin, text: String, value: Value)?
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
            last = (origin, origin.text, value)
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

    /// The maximum number of origins; beyond it, the least recently used ones are removed.
    static var capacity: Int { 1_000 }

    /// The number of origins.
    var count: Int { state.withLock { $0.entries.count } }

    /// Returns the value of an origin; creates it if the table has none, as for an origin that was not used recently.
    func value(of origin: Origin) -> Value {
        state.withLock { state in
            if let value = state.use(origin) { return value }
            if state.entries.count >= Self.capacity { state.removeOldest() }
            let value = make()
            state.keep(value, origin)
            return value
        }
    }

    /// Returns the value of the origin of a URL.
    func value(for url: URL) -> Value {
        let text = url.absoluteString
        let last = state.withLock { state -> Value? in
            guard let last = state.last, Origin.text(last.text, isOf: text) else { return nil }
            return last.value
        }
        return last ?? value(of: Origin(of: url))
    }
}

extension Origin {
    /// Returns whether a URL begins with the text of an origin, followed directly by its path.
    ///
    /// False for most other spellings of the same origin, for example with the default port.
    fileprivate static func text(_ origin: String, isOf url: String) -> Bool {
        var (origin, url) = (origin, url)
        return url.withUTF8 { url in
            origin.withUTF8 { origin in
                guard url.count >= origin.count, url.prefix(origin.count).elementsEqual(origin) else { return false }
                return url.count == origin.count || "/?#".utf8.contains(url[origin.count])
            }
        }
    }
}
