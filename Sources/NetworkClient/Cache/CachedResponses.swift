/// The stored responses of a cache, and the requests in flight: a state machine without I/O.
struct CachedResponses: Sendable {
    /// A stored response, with its identifier.
    struct Match: Sendable {
        let id: UInt64
        let response: CachedResponse
    }

    /// The stored responses for a request when it begins.
    struct Selection: Sendable {
        /// The stored responses that the request selects, the most recent first (RFC 9111 §4.1).
        var selected: [Match] = []
        /// The others that its partition may use.
        var others: [Match] = []
        /// How the first selected response is reused.
        var reuse = CacheReuse.none
        /// The number of the request that is sent now, perhaps in the background; nil if its response changes nothing.
        var flight: UInt64?
    }

    /// What a response changes.
    enum Change {
        case nothing
        /// A response is stored, and those that it follows are removed.
        case received(CachedResponse?, replacing: [UInt64])
        /// A response was confirmed; the newer forms of it are stored if it is still there.
        case confirmed(UInt64, [CachedResponse])
        /// A response is validated before its next use.
        case suspect(UInt64)
    }

    /// The responses to one URL, in the order in which they were stored.
    private struct Place {
        /// Those that every partition may use.
        var common: [UInt64] = []
        var own: [CachePartition: [UInt64]] = [:]

        /// Those of a partition; nil for the common ones.
        subscript(partition: CachePartition?) -> [UInt64] {
            get { partition.map { own[$0] ?? [] } ?? common }
            set {
                guard let partition else { return common = newValue }
                own[partition] = newValue.isEmpty ? nil : newValue
            }
        }

        var all: [UInt64] { common + own.values.flatMap { $0 } }
    }

    private struct Entry {
        let response: CachedResponse
        let key: String
        /// Nil for a response that every partition may use.
        let partition: CachePartition?
        /// Its neighbours in the order of use.
        var older: UInt64?
        var newer: UInt64?
        var isRevalidating = false
        /// Whether it has to be validated before its next use, whatever its age is.
        var isSuspect = false
    }

    private struct Flight {
        let key: String
        /// The response that is validated in the background; nil for a request that a caller waits for.
        let revalidated: UInt64?
    }

    private let limits: ResponseCache.Limits
    private(set) var statistics = ResponseCache.Statistics()
    private var entries: [UInt64: Entry] = [:]
    private var places: [String: Place] = [:]
    private var (oldest, newest): (UInt64?, UInt64?)
    private var lastID: UInt64 = 0
    private var flights: [UInt64: Flight] = [:]
    /// The last number before each invalidation while requests are in flight, by URL, and of all URLs: the responses to
    /// earlier requests are not stored.
    private var invalidated: [String: UInt64] = [:]
    private var allInvalidated: UInt64 = 0
    /// The newest number of a person that was seen of each session, and the entries that its persons own.
    private var persons: [UUID: (number: Int, entries: Set<UInt64>)] = [:]
    private var revalidations = 0

    private static let maxRevalidations = 4
    private static let maxInvalidated = 1_000

    init(limits: ResponseCache.Limits) {
        self.limits = limits
    }

    /// The number of requests in flight whose responses may change something.
    var flightCount: Int { flights.count }

    // MARK: - Requests

    /// Begins a request; `reuse` returns how the first response that it selects is reused, suspect or not.
    ///
    /// Unless the response of the server is needed, it is counted as a hit; otherwise the request departs if it may be
    /// sent.
    mutating func begin(
        _ request: CacheRequest,
        maySend: Bool,
        _ reuse: (_ match: CachedResponse, _ isSuspect: Bool) -> CacheReuse
    ) -> Selection {
        for person in request.partition.persons { meet(person) }
        var selection = matches(request)
        var revalidated: UInt64?
        let departs = maySend && !request.control.noStore
        if let first = selection.selected.first, let entry = entries[first.id] {
            selection.reuse = reuse(first.response, entry.isSuspect)
            if selection.reuse != .none {
                statistics.hits += 1
                if first.id != newest {
                    leaveOrder(entry.older, entry.newer)
                    entries[first.id]?.older = newest
                    entries[first.id]?.newer = nil
                    joinOrder(first.id)
                }
                let isFree = revalidations < Self.maxRevalidations && !entry.isRevalidating
                guard selection.reuse == .staleWhileRevalidating, isFree, departs else { return selection }
                entries[first.id]?.isRevalidating = true
                revalidations += 1
                revalidated = first.id
            }
        }
        guard departs else { return selection }
        lastID += 1
        flights[lastID] = Flight(key: request.key, revalidated: revalidated)
        selection.flight = lastID
        return selection
    }

    /// Ends a request that was sent, by its number, with what its response changes.
    ///
    /// A validation in the background that has failed lets the next request wait for the server.
    mutating func end(
        _ flight: UInt64?,
        _ change: Change,
        for request: CacheRequest,
        hasFailed: Bool = false,
        counting count: WritableKeyPath<ResponseCache.Statistics, Int>? = nil
    ) {
        let ended = flight.flatMap { flights.removeValue(forKey: $0) }
        let isOutdated = flight.map { $0 <= max(allInvalidated, invalidated[request.key] ?? 0) } ?? true
        if flights.isEmpty, !invalidated.isEmpty { invalidated = [:] }
        if let revalidated = ended?.revalidated {
            revalidations -= 1
            entries[revalidated]?.isRevalidating = false
            if hasFailed { entries[revalidated]?.isSuspect = true }
        } else if let count {
            statistics[keyPath: count] += 1
        }
        if ended != nil, !isOutdated { carryOut(change, for: request) }
    }

    private mutating func carryOut(_ change: Change, for request: CacheRequest) {
        switch change {
        case .nothing: break
        case .suspect(let id): entries[id]?.isSuspect = true
        case .received(let response, let replaced):
            remove(replaced)
            if let response { store(response, for: request) }
        case .confirmed(let id, let newer):
            guard entries[id] != nil else { return }
            remove([id])
            for response in newer { store(response, for: request) }
        }
    }

    private func matches(_ request: CacheRequest) -> Selection {
        var matches = Selection()
        guard let place = places[request.key] else { return matches }
        for id in place[request.partition] + place.common {
            guard let entry = entries[id], entry.response.isFor(request) else { continue }
            let match = Match(id: id, response: entry.response)
            if entry.response.isSelected(by: request) {
                matches.selected.append(match)
            } else if entry.partition != nil {
                matches.others.append(match)
            }
        }
        guard matches.selected.count > 1 else { return matches }
        matches.selected.sort { $0.response.freshness.isNewer(than: $1.response.freshness) }
        return matches
    }

    // MARK: - Storing

    /// Stores a response if it may be stored, in the place of those that the same requests select.
    private mutating func store(_ response: CachedResponse, for request: CacheRequest) {
        guard response.isStorable, response.body.count <= limits.response, response.size <= limits.memory,
            limits.variants > 0,
            response.owner.persons.allSatisfy({ $0.number >= persons[$0.session]?.number ?? 0 })
        else { return }
        let (key, partition) = (request.key, response.isForAll ? nil : response.owner)
        let known = places[key]?[partition] ?? []
        let same = known.filter { entries[$0]?.response.isVariant(of: response) == true }
        // A response to a later request may have arrived earlier.
        let isLate = same.contains { entries[$0]?.response.freshness.isNewer(than: response.freshness) == true }
        guard !isLate else { return }
        remove(same + known.filter { !same.contains($0) }.dropLast(limits.variants - 1))
        lastID += 1
        entries[lastID] = Entry(response: response, key: key, partition: partition, older: newest)
        joinOrder(lastID)
        places[key, default: Place()][partition].append(lastID)
        for person in response.owner.persons {
            persons[person.session, default: (person.number, [])].entries.insert(lastID)
        }
        statistics.bytes += response.size
        while statistics.bytes > limits.memory, let oldest { remove([oldest]) }
        statistics.stored = entries.count
    }

    // MARK: - Removing

    private mutating func remove(_ ids: [UInt64]) {
        for id in ids {
            guard let entry = entries.removeValue(forKey: id) else { continue }
            leaveOrder(entry.older, entry.newer)
            statistics.bytes -= entry.response.size
            for person in entry.response.owner.persons { persons[person.session]?.entries.remove(id) }
            places[entry.key]?[entry.partition].removeAll { $0 == id }
            if let place = places[entry.key], place.common.isEmpty, place.own.isEmpty { places[entry.key] = nil }
        }
        statistics.stored = entries.count
    }

    /// Removes all responses to URLs; those in flight are not stored.
    mutating func invalidate(_ keys: [String]) {
        for key in keys {
            if !flights.isEmpty { invalidated[key] = lastID }
            remove(places[key]?.all ?? [])
        }
        guard invalidated.count > Self.maxInvalidated else { return }
        // Requests are in flight all the time: what all of them have begun after goes.
        let oldest = flights.keys.min() ?? .max
        invalidated = invalidated.filter { $0.value >= oldest }
        // One of them is old: what is in flight now is not stored.
        if invalidated.count > Self.maxInvalidated / 2 { (invalidated, allInvalidated) = ([:], lastID) }
    }

    mutating func removeAll() {
        allInvalidated = lastID
        remove(Array(entries.keys))
    }

    /// Removes what earlier persons of a session own, once a newer one is seen.
    private mutating func meet(_ person: SessionPerson) {
        let known = persons[person.session]
        guard person.number > known?.number ?? -1 else { return }
        persons[person.session, default: (0, [])].number = person.number
        guard known == nil else { return remove(Array(known?.entries ?? [])) }
        // What owns nothing any more goes, but only when the number of sessions may have doubled.
        guard persons.count.nonzeroBitCount == 1 else { return }
        persons = persons.filter { !$0.value.entries.isEmpty || $0.key == person.session }
    }

    // MARK: - The order of use

    /// Makes an entry, whose older neighbour is the newest one so far, the newest.
    private mutating func joinOrder(_ id: UInt64) {
        if let newest { entries[newest]?.newer = id } else { oldest = id }
        newest = id
    }

    /// Joins the neighbours of an entry that leaves its place in the order.
    private mutating func leaveOrder(_ older: UInt64?, _ newer: UInt64?) {
        if let older { entries[older]?.newer = newer } else { oldest = newer }
        if let newer { entries[newer]?.older = older } else { newest = older }
    }
}
