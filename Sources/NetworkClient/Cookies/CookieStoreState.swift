import Foundation

/// The cookies of a store, without its lock.
struct CookieStoreState: Sendable {
    /// As many as RFC 6265 §6.1 asks for, and as few as that.
    static let mostOfDomain = 50
    static let most = 3000

    private struct Entry {
        var cookie: Cookie
        /// In which order they came; a replaced one keeps its place.
        let creation: UInt64
        var lastAccess: UInt64
    }

    private var domains: [String: [Entry]] = [:]
    private var count = 0
    /// Counts up, so that no two cookies were used at the same time.
    private var moment: UInt64 = 0

    /// Those that have not ended, the oldest first.
    func cookies(now: Date) -> [Cookie] {
        let live = domains.values.joined().filter { $0.cookie.isLive(at: now) }
        return live.sorted { $0.creation < $1.creation }.map(\.cookie)
    }

    /// What goes to a target, in the order of RFC 6265 §5.4, which is a use of them.
    mutating func cookies(for target: CookieTarget, now: Date) -> [Cookie] {
        var found: [Entry] = []
        for domain in target.host.domains {
            // Taken out for as long as it changes, so that it is not copied.
            guard var entries = domains.removeValue(forKey: domain) else { continue }
            for index in entries.indices {
                guard entries[index].cookie.isLive(at: now), target.receives(entries[index].cookie) else { continue }
                entries[index].lastAccess = nextMoment()
                found.append(entries[index])
            }
            domains[domain] = entries
        }
        found.sort { one, other in
            let (length, otherLength) = (one.cookie.path.utf8.count, other.cookie.path.utf8.count)
            return length == otherLength ? one.creation < other.creation : length > otherLength
        }
        return found.map(\.cookie)
    }

    /// Keeps what an answer set, but for what would replace or hide a secure cookie from plain http (RFC 6265bis §5.7).
    mutating func receive(_ cookies: [Cookie], from target: CookieTarget, now: Date) {
        guard !target.isSecure else { return set(cookies, now: now) }
        let names = Set(cookies.map(\.name))
        let secure = domains.values.joined().map(\.cookie).filter {
            $0.isSecure && names.contains($0.name) && $0.isLive(at: now)
        }
        set(cookies.filter { cookie in !secure.contains { $0.isShadowed(by: cookie) } }, now: now)
    }

    /// Replaces or adds each in turn; one that has ended takes the one that it would have replaced with it.
    mutating func set(_ cookies: [Cookie], now: Date) {
        for cookie in cookies { set(cookie, now: now) }
        if count > Self.most { evict(now: now) }
    }

    /// Those for which the condition holds.
    mutating func remove(where isRemoved: (Cookie) -> Bool) {
        for domain in Array(domains.keys) { remove(from: domain, where: isRemoved) }
    }

    private mutating func nextMoment() -> UInt64 {
        moment += 1
        return moment
    }

    private mutating func remove(from domain: String, where isRemoved: (Cookie) -> Bool) {
        guard let before = domains[domain]?.count else { return }
        domains[domain]?.removeAll { isRemoved($0.cookie) }
        let after = domains[domain]?.count ?? 0
        count -= before - after
        if after == 0 { domains[domain] = nil }
    }

    private mutating func set(_ cookie: Cookie, now: Date) {
        let domain = cookie.domain
        remove(from: domain) { !$0.isLive(at: now) }
        guard cookie.isLive(at: now) else { return remove(from: domain) { $0.isSame(as: cookie) } }
        let moment = nextMoment()
        if let index = domains[domain]?.firstIndex(where: { $0.cookie.isSame(as: cookie) }) {
            domains[domain]?[index].cookie = cookie
            domains[domain]?[index].lastAccess = moment
            return
        }
        domains[domain, default: []].append(Entry(cookie: cookie, creation: moment, lastAccess: moment))
        count += 1
        evict(from: domain)
    }

    /// Where a domain has too many, one that any network could have set goes first.
    private mutating func evict(from domain: String) {
        guard let entries = domains[domain], entries.count > Self.mostOfDomain else { return }
        let oldest = entries.indices.min { one, other in
            let (isSecure, isOtherSecure) = (entries[one].cookie.isSecure, entries[other].cookie.isSecure)
            return isSecure == isOtherSecure ? entries[one].lastAccess < entries[other].lastAccess : isOtherSecure
        }
        guard let oldest else { return }
        domains[domain]?.remove(at: oldest)
        count -= 1
    }

    /// Those that have ended, and then those that have not been used for longest.
    private mutating func evict(now: Date) {
        remove { !$0.isLive(at: now) }
        let excess = count - Self.most
        guard excess > 0 else { return }
        let newestToGo = domains.values.joined().map(\.lastAccess).sorted()[excess - 1]
        for (domain, entries) in domains {
            let kept = entries.filter { $0.lastAccess > newestToGo }
            domains[domain] = kept.isEmpty ? nil : kept
        }
        count = Self.most
    }
}

extension Cookie {
    /// Whether another one of the same name could stand in this one's place.
    fileprivate func isShadowed(by other: Cookie) -> Bool {
        name == other.name
            && (domain == other.domain || CookieHost.isBelow(domain, other.domain)
                || CookieHost.isBelow(other.domain, domain))
            && CookiePath.matches(other.path, path)
    }
}
