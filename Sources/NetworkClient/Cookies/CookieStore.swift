public import Foundation

/// Keeps the cookies of one client, or of several that are given the same store (RFC 6265 §5.3).
///
/// A client has none unless its configuration says so. With a store, it sends and keeps cookies with every exchange,
/// also those of redirects, on every transport; `URLRequest.httpShouldHandleCookies` takes one request out.
///
/// ```swift
/// let store = CookieStore()
/// let client = NetworkClient(configuration: .init(cookies: store))
/// ```
/// Secure cookies go over https only, also to this machine. There is no list of public suffixes: a server may set
/// cookies for each domain above it that has a dot in it, `co.uk` among them, so that servers that do not trust each
/// other want clients with stores of their own.
///
/// It holds 50 cookies of a domain and 3,000 in all, each with a name and a value of 4,096 bytes together at the most;
/// what is over goes in the order of RFC 6265 §5.3: what has ended, then, of a domain, what is not secure, then what
/// was not used for longest.
///
/// It lives in memory; ``persistentCookies`` are what to keep across launches.
public final class CookieStore: Sendable {
    private let state = Locked(CookieStoreState())
    private let now: @Sendable () -> Date

    /// Makes a store.
    ///
    /// - Parameter cookies: What it holds from the start, the oldest first; those that have ended are left out.
    public convenience init(cookies: [Cookie] = []) {
        self.init(cookies: cookies, now: { Date() })
    }

    /// Makes a store for which another clock says what has ended.
    package init(cookies: [Cookie] = [], now: @escaping @Sendable () -> Date) {
        self.now = now
        set(cookies)
    }

    /// Those that have not ended, the oldest first.
    public var cookies: [Cookie] {
        let now = now()
        return state.withLock { $0.cookies(now: now) }
    }

    /// Those of them that outlive the session, since they have a date at which they end: what to give to a new store.
    ///
    /// ```swift
    /// let store = CookieStore()
    /// let saved = try JSONEncoder().encode(store.persistentCookies)
    /// let restored = CookieStore(cookies: try JSONDecoder().decode([Cookie].self, from: saved))
    /// ```
    public var persistentCookies: [Cookie] {
        cookies.filter { $0.expires != nil }
    }

    /// What goes to a URL, in the order in which it is sent: longer paths first, then older cookies (RFC 6265 §5.4).
    ///
    /// - Parameter url: An absolute URL.
    /// - Returns: The cookies, those that are not for scripts included; none for a URL without a host.
    public func cookies(for url: URL) -> [Cookie] {
        guard let target = CookieTarget(url) else { return [] }
        let now = now()
        return state.withLock { $0.cookies(for: target, now: now) }
    }

    /// Adds a cookie, in place of one with the same name, domain and path; one that has ended removes it.
    ///
    /// - Parameter cookie: The cookie. What holds for servers does not hold here: any cookie may be replaced.
    public func set(_ cookie: Cookie) {
        set([cookie])
    }

    /// Removes the cookie with the same name, domain and path.
    ///
    /// - Parameter cookie: The cookie; its value and its other attributes do not count.
    public func remove(_ cookie: Cookie) {
        state.withLock { state in state.remove { $0.isSame(as: cookie) } }
    }

    /// Removes those that have no date at which they end, as browsers do when they quit.
    public func removeSessionCookies() {
        state.withLock { state in state.remove { $0.expires == nil } }
    }

    /// Removes all of them.
    public func removeAll() {
        state.withLock { $0 = CookieStoreState() }
    }

    /// Keeps what an answer sets, as far as its server may.
    func receive(_ fields: [String], from url: URL) {
        guard !fields.isEmpty, let target = CookieTarget(url) else { return }
        let now = now()
        let cookies = fields.compactMap(SetCookie.init).compactMap { Cookie($0, from: target, now: now) }
        state.withLock { $0.receive(cookies, from: target, now: now) }
    }

    private func set(_ cookies: [Cookie]) {
        let now = now()
        state.withLock { $0.set(cookies, now: now) }
    }
}

extension CookieStore: CustomStringConvertible, CustomReflectable {
    /// How many cookies it holds.
    public var description: String { "CookieStore (cookies: \(cookies.count))" }

    /// A mirror without children, so that `dump` shows no cookie.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
