/// The stored responses of a cache, and the requests whose responses may be stored: a state machine without I/O.
struct CachedResponses: Sendable {
    /// Where the responses to one URL are that one partition may use.
    struct Place: Hashable {
        let key: String
        /// Nil for responses that every partition may use.
        let partition: CachePartition?
    }

    /// A response that was found, with its identifier.
    struct Match: Sendable {
        let id: UInt64
        let response: CachedResponse
    }

    private struct Entry {
        let response: CachedResponse
        let place: Place
        /// Its neighbours in the order of use.
        var older: UInt64?
        var newer: UInt64?
        var isRevalidating = false
        /// Whether it has to be validated before its next use, whatever its age is.
        var isSuspect = false
    }

    private let limits: ResponseCache.Limits
    private var entries: [UInt64: Entry] = [:]
    private var places: [Place: [UInt64]] = [:]
    private var partitions: [String: Set<CachePartition?>] = [:]
    private var (oldest, newest): (UInt64?, UInt64?)
    private var lastID: UInt64 = 0
    /// The requests in flight whose responses may be stored, by URL.
    private var flights: [String: Set<UInt64>] = [:]
    /// The newest number of a person that was seen of each session.
    private var persons: [UUID: Int] = [:]
    private(set) var bytes = 0
    private var revalidations = 0

    private static let maxRevalidations = 4

    init(limits: ResponseCache.Limits) {
        self.limits = limits
    }

    var count: Int { entries.count }

    /// The number of requests in flight whose responses may be stored.
    var flightCount: Int { flights.values.reduce(0) { $0 + $1.count } }

    // MARK: - Finding

    /// Returns the responses to the URL of a request that its partition may use: first those that the request selects,
    /// of which the most recent is the first (RFC 9111 §4.1), then the others.
    func matches(_ request: CacheRequest) -> (selected: [Match], others: [Match]) {
        var (selected, others): ([Match], [Match]) = ([], [])
        for place in [Place(key: request.key, partition: request.partition), Place(key: request.key, partition: nil)] {
            for id in places[place] ?? [] {
                guard let entry = entries[id] else { continue }
                let match = Match(id: id, response: entry.response)
                if entry.response.selectors.allSatisfy({ $0.matches(request) }) {
                    selected.append(match)
                } else if place.partition != nil {
                    others.append(match)
                }
            }
        }
        if selected.count > 1 { selected.sort { $0.response.freshness.isNewer(than: $1.response.freshness) } }
        return (selected, others)
    }

    func isSuspect(_ id: UInt64) -> Bool { entries[id]?.isSuspect == true }

    /// Makes a response the most recently used one.
    mutating func use(_ id: UInt64) {
        guard id != newest, entries[id] != nil else { return }
        unlink(id)
        link(id)
    }

    // MARK: - Requests in flight

    /// Notes that a request is sent whose response may be stored; returns its number.
    mutating func depart(_ key: String) -> UInt64 {
        lastID += 1
        flights[key, default: []].insert(lastID)
        return lastID
    }

    /// Ends a request in flight; returns whether its response may be stored: not if the URL was invalidated since.
    mutating func arrive(_ flight: UInt64, _ key: String) -> Bool {
        guard flights[key]?.remove(flight) != nil else { return false }
        if flights[key]?.isEmpty == true { flights[key] = nil }
        return true
    }

    /// Begins the revalidation of a response in the background; false if it is being validated, or if too many are.
    mutating func beginRevalidation(_ id: UInt64) -> Bool {
        guard revalidations < Self.maxRevalidations, entries[id]?.isRevalidating == false else { return false }
        entries[id]?.isRevalidating = true
        revalidations += 1
        return true
    }

    /// Ends a revalidation; after a failure, the next request waits for the server.
    mutating func endRevalidation(_ id: UInt64, hasFailed: Bool) {
        revalidations -= 1
        entries[id]?.isRevalidating = false
        if hasFailed { entries[id]?.isSuspect = true }
    }

    // MARK: - Storing

    /// Stores a response, if it may be stored, in the place of those that the same requests select.
    mutating func store(_ response: CachedResponse, for request: CacheRequest) {
        guard response.isStorable, response.body.count <= limits.response, response.size <= limits.memory,
            limits.variants > 0,
            response.owner.persons.allSatisfy({ $0.number >= persons[$0.session] ?? 0 })
        else { return }
        let place = Place(key: request.key, partition: response.isForAll ? nil : response.owner)
        remove(places[place]?.filter { entries[$0]?.response.selectors == response.selectors } ?? [])
        remove(Array(places[place]?.dropLast(limits.variants - 1) ?? []))
        lastID += 1
        entries[lastID] = Entry(response: response, place: place)
        places[place, default: []].append(lastID)
        partitions[place.key, default: []].insert(place.partition)
        bytes += response.size
        link(lastID)
        while bytes > limits.memory, let oldest { remove([oldest]) }
    }

    /// Has a response validated before its next use.
    mutating func suspect(_ id: UInt64) { entries[id]?.isSuspect = true }

    // MARK: - Removing

    mutating func remove(_ ids: [UInt64]) {
        for id in ids {
            guard let entry = entries[id] else { continue }
            unlink(id)
            entries[id] = nil
            bytes -= entry.response.size
            places[entry.place]?.removeAll { $0 == id }
            guard places[entry.place]?.isEmpty == true else { continue }
            places[entry.place] = nil
            partitions[entry.place.key]?.remove(entry.place.partition)
            if partitions[entry.place.key]?.isEmpty == true { partitions[entry.place.key] = nil }
        }
    }

    /// Removes all responses to a URL; those in flight are not stored.
    mutating func invalidate(_ key: String) {
        flights[key] = nil
        for partition in partitions[key] ?? [] { remove(places[Place(key: key, partition: partition)] ?? []) }
    }

    mutating func removeAll() {
        flights = [:]
        remove(Array(entries.keys))
    }

    /// Removes what earlier persons of a session own, once a newer one is seen.
    mutating func meet(_ person: CachePartition.Person) {
        guard person.number > persons[person.session] ?? -1 else { return }
        let isNew = persons.updateValue(person.number, forKey: person.session) == nil
        if isNew {
            // What no session needs any more goes, but only when the number of sessions may have doubled.
            if persons.count.nonzeroBitCount == 1 { forgetPersons(but: person) }
            return
        }
        remove(entries.filter { $0.value.response.owner.persons.contains { $0.isBefore(person) } }.map(\.key))
    }

    private mutating func forgetPersons(but person: CachePartition.Person) {
        let owners = Set(entries.values.flatMap { $0.response.owner.persons.map(\.session) }).union([person.session])
        persons = persons.filter { owners.contains($0.key) }
    }

    // MARK: - The order of use

    private mutating func link(_ id: UInt64) {
        entries[id]?.older = newest
        entries[id]?.newer = nil
        if let newest { entries[newest]?.newer = id } else { oldest = id }
        newest = id
    }

    private mutating func unlink(_ id: UInt64) {
        guard let entry = entries[id] else { return }
        if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
        if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
    }
}

extension CachePartition.Person {
    fileprivate func isBefore(_ other: Self) -> Bool { session == other.session && number < other.number }
}
