/// Stores the cookies of one client, or of several clients that share the store (RFC 6265 §5.3).
///
/// A client has no cookies unless its configuration contains a store. It then sends and stores cookies with every
/// exchange, including redirects, on every transport. Set `URLRequest.httpShouldHandleCookies` to false to exclude a
/// request.
///
/// ```swift
/// let store = CookieStore()
/// let client = NetworkClient(configuration: .init(cookies: store))
/// ```
/// Secure cookies are sent over https only, even to localhost. There is no list of public suffixes: a server may set
/// cookies for every domain above it that contains a dot, such as `co.uk`. Use separate stores for servers that don't
/// trust each other.
///
/// A store holds at most 50 cookies per domain and 3,000 in total, each with at most 4,096 bytes of name and value, and
/// those of a response for at most 400 days. Beyond that it removes expired cookies first, then those of domains with
/// more than 25, within a domain those that aren't secure first, then the least recently used ones (RFC 6265bis §5.7).
/// A request gets at most 150 cookies and 8,190 bytes of them, those with the longest paths first.
///
/// Cookies are held in memory; save ``persistentCookies`` to keep them across launches.
public final class CookieStore: Sendable {
    private let state = Locked(CookieStoreState())
    private let time: any TimeSource

    /// Creates a store.
    ///
    /// - Parameter cookies: The initial cookies, the oldest first; expired ones are left out.
    public convenience init(cookies: [Cookie] = []) {
        self.init(cookies: cookies, on: SystemTimeSource())
    }

    /// Creates a store with the clock for its own functions; a client has its own.
    package init(cookies: [Cookie] = [], on time: any TimeSource) {
        self.time = time
        set(cookies)
    }

    /// The cookies that have not expired, the oldest first.
    public var cookies: [Cookie] {
        state.withLock { [date = time.date] in $0.cookies(now: date) }
    }

    /// The cookies that have an expiry date and so outlive the session.
    ///
    /// ```swift
    /// let store = CookieStore()
    /// let saved = try JSONEncoder().encode(store.persistentCookies)
    /// let cookies = try JSONDecoder().decode([Cookie].self, from: saved)
    /// let restored = CookieStore(cookies: cookies)
    /// ```
    public var persistentCookies: [Cookie] {
        cookies.filter { $0.expires != nil }
    }

    /// Returns the cookies for an absolute URL, HTTP-only ones included, in the order in which they are sent: longer
    /// paths first, then older cookies (RFC 6265 §5.4).
    public func cookies(for url: URL) -> [Cookie] { cookies(for: url, at: time.date) }

    private func cookies(for url: URL, at date: Date) -> [Cookie] {
        CookieTarget(url).map { target in state.withLock { $0.cookies(for: target, now: date) } } ?? []
    }

    /// Adds a cookie, or replaces the one with the same name, domain and path; an expired cookie only removes that one.
    ///
    /// The rules for servers don't apply here: any cookie may be replaced.
    public func set(_ cookie: Cookie) {
        set([cookie])
    }

    /// Removes the cookie with the same name, domain and path; its other properties may differ.
    public func remove(_ cookie: Cookie) {
        state.withLock { state in state.remove { $0.isSame(as: cookie) } }
    }

    /// Removes the cookies that have no expiry date, as browsers do when they quit.
    public func removeSessionCookies() {
        state.withLock { state in state.remove { $0.expires == nil } }
    }

    /// Removes all cookies.
    public func removeAll() {
        state.withLock { $0 = CookieStoreState() }
    }

    /// Stores the cookies of `Set-Cookie` fields that the server of the URL is allowed to set.
    func receive(_ fields: [String], from url: URL, on time: any TimeSource) {
        guard !fields.isEmpty, let target = CookieTarget(url) else { return }
        let date = time.date
        let cookies = fields.compactMap(SetCookie.init).compactMap { Cookie($0, from: target, now: date) }
        state.withLock { $0.receive(cookies, from: target, now: date) }
    }

    private func set(_ cookies: [Cookie]) {
        state.withLock { [date = time.date] in $0.set(cookies, now: date) }
    }
}

extension CookieStore: CustomStringConvertible, CustomReflectable {
    /// The number of cookies.
    public var description: String { "CookieStore (cookies: \(cookies.count))" }

    /// A mirror without children, so that `dump` doesn't show cookies.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - Exchanges

extension CookieStore {
    /// Returns the request with the cookies for its URL.
    ///
    /// The request's own cookies come first and replace stored ones of the same name.
    func adding(to request: URLRequest, on time: any TimeSource) -> URLRequest {
        guard request.httpShouldHandleCookies, let url = request.url else { return request }
        var request = request
        // A custom session would otherwise replace these cookies with the ones in its own storage.
        request.httpShouldHandleCookies = false
        let own = Self.ownCookies(of: request)
        let names = Set(
            own.utf8.split(separator: UInt8(ascii: ";")).map { pair in
                // Names are compared as bytes, because strings with different bytes can be equal.
                Array(ASCII.trimmed(pair.prefix { $0 != UInt8(ascii: "=") }))
            }
        )
        var field = own
        var count = names.count
        for cookie in cookies(for: url, at: time.date)
        where !names.contains(Array(cookie.name.utf8)) && count < Self.maxPerField {
            let pair = "\(field.isEmpty ? "" : "; ")\(cookie.name)=\(cookie.value)"
            guard field.utf8.count + pair.utf8.count <= Self.longestField else { break }
            field += pair
            count += 1
        }
        if field != own { request.set(header: .custom(name: "Cookie", value: field)) }
        return request
    }

    /// The limits of a `Cookie` field, which are curl's: many servers refuse longer heads.
    private static let maxPerField = 150
    private static let longestField = 8_190

    /// Stores the cookies that the response to a request sets, whatever its status.
    func receive(_ response: TransportResponse, to request: URLRequest, on time: any TimeSource) {
        guard request.httpShouldHandleCookies, let url = request.url else { return }
        receive(SetCookieFields.values(of: response.head), from: url, on: time)
    }

    /// Returns the `Cookie` fields of the request as one value.
    private static func ownCookies(of request: URLRequest) -> String {
        let fields = (request.allHTTPHeaderFields ?? [:]).filter { ASCII.isSame($0.key, "Cookie") }
        let values = fields.sorted { $0.key < $1.key }.map { ASCII.trimmed($0.value.utf8) }
        return values.filter { !$0.isEmpty }.map { String(Substring($0)) }.joined(separator: "; ")
    }
}

/// The cookies of a store, without its lock.
struct CookieStoreState: Sendable {
    /// The minimum that RFC 6265 §6.1 requires.
    private static let maxCountPerDomain = 50
    private static let maxCount = 3000

    private struct Entry {
        var cookie: Cookie
        /// The position in the order of creation, which a replacement keeps.
        let creation: UInt64
        var lastAccess: UInt64
    }

    private var domains: [String: [Entry]] = [:]
    private var count = 0
    /// A counter instead of a time, so that no two accesses are equal.
    private var moment: UInt64 = 0

    /// Returns the cookies that have not expired, the oldest first.
    func cookies(now: Date) -> [Cookie] {
        let live = domains.values.joined().filter { $0.cookie.isLive(at: now) }
        return live.sorted { $0.creation < $1.creation }.map(\.cookie)
    }

    /// Returns the cookies for a target in the order of RFC 6265 §5.4, and marks them as used.
    mutating func cookies(for target: CookieTarget, now: Date) -> [Cookie] {
        var found: [Entry] = []
        for domain in target.host.domains {
            // Take the array out of the dictionary while it changes, so that it is not copied.
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

    /// Stores the cookies of a response.
    ///
    /// Over http, cookies that would replace or hide a secure cookie are ignored (RFC 6265bis §5.7).
    mutating func receive(_ cookies: [Cookie], from target: CookieTarget, now: Date) {
        guard !target.isSecure else { return set(cookies, now: now) }
        let names = Set(cookies.map(\.name))
        let secure = domains.values.joined().map(\.cookie).filter {
            $0.isSecure && names.contains($0.name) && $0.isLive(at: now)
        }
        set(cookies.filter { cookie in !secure.contains { Self.hides(cookie, $0) } }, now: now)
    }

    /// Returns whether a cookie could be sent in place of another one of the same name.
    private static func hides(_ cookie: Cookie, _ other: Cookie) -> Bool {
        cookie.name == other.name
            && (cookie.domain == other.domain || CookieHost.isBelow(cookie.domain, other.domain)
                || CookieHost.isBelow(other.domain, cookie.domain))
            && CookieTarget.path(cookie.path, isWithin: other.path)
    }

    /// Inserts each cookie, replacing one with the same identity.
    ///
    /// An expired cookie deletes the stored one.
    mutating func set(_ cookies: [Cookie], now: Date) {
        for cookie in cookies { set(cookie, now: now) }
        if count > Self.maxCount { evict(now: now) }
    }

    /// Removes the cookies that satisfy the condition.
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

    /// Removes cookies from a domain that has more than a number: first those that aren't secure, which any network can
    /// set, then the least recently used ones.
    private mutating func evict(from domain: String, downTo most: Int = maxCountPerDomain) {
        guard var entries = domains.removeValue(forKey: domain) else { return }
        defer { domains[domain] = entries }
        while entries.count > most {
            let oldest = entries.indices.min { one, other in
                let (isSecure, isOtherSecure) = (entries[one].cookie.isSecure, entries[other].cookie.isSecure)
                return isSecure == isOtherSecure ? entries[one].lastAccess < entries[other].lastAccess : isOtherSecure
            }
            guard let oldest else { return }
            entries.remove(at: oldest)
            count -= 1
        }
    }

    /// Removes expired cookies, then those of domains that have many, then the least recently used ones.
    private mutating func evict(now: Date) {
        remove { !$0.isLive(at: now) }
        guard count > Self.maxCount else { return }
        let counts = domains.mapValues(\.count)
        let fewest = Self.maxCountPerDomain / 2
        let most = (fewest..<Self.maxCountPerDomain).last { most in
            counts.values.reduce(0) { $0 + min($1, most) } <= Self.maxCount
        }
        for (domain, count) in counts where count > most ?? fewest { evict(from: domain, downTo: most ?? fewest) }
        let excess = count - Self.maxCount
        guard excess > 0 else { return }
        let newestToGo = domains.values.joined().map(\.lastAccess).sorted()[excess - 1]
        for (domain, entries) in domains {
            let kept = entries.filter { $0.lastAccess > newestToGo }
            domains[domain] = kept.isEmpty ? nil : kept
        }
        count = Self.maxCount
    }
}
