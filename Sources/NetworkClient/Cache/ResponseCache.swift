/// Keeps responses in memory, and returns them to later requests by the rules of HTTP (RFC 9111), as a private cache.
///
/// ```swift
/// let cache = ResponseCache()
/// let client = try NetworkClient(
///     baseURL: "https://api.example.com",
///     configuration: .init { $0.cache = cache }
/// )
/// let response = try await client.fetch(.get(path: "items"), as: [Item].self)
/// print(response.cacheStatus == .fresh, response["Age"] ?? "")
/// ```
///
/// The server decides what is stored, and for how long: by `Cache-Control`, `Expires`, `ETag` and `Last-Modified`. A
/// request whose stored response is no longer fresh is sent with its validators, and a 304 makes it fresh. Only
/// responses to GET are stored that are complete in memory, as `fetch` receives them; `stream`, `download` and `upload`
/// neither read nor store. A request that may change something, such as POST, removes the stored responses to its URL,
/// unless it was refused or nothing was sent.
///
/// Responses are kept apart by person: those of a ``TokenSession`` belong to the person who has signed in, and those to
/// requests with any other credential or cookie to requests with the same ones, and the same other fields. Another
/// person gets only what the server calls `public`.
///
/// Several clients may have one cache if they reach the same servers, with the same client certificate if they have
/// one. A cache may be used from any number of tasks at once.
public final class ResponseCache: Sendable {
    /// How much a cache keeps.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of bytes of all responses, 16 MiB by default; those that were not used for the longest
        /// time are removed first.
        public var memory: Int

        /// The maximum number of bytes of one body, 2 MiB by default; a longer one is not stored.
        public var response: Int

        /// The maximum number of responses for one URL and one person that differ by `Vary`, or by the other fields of
        /// the request, 8 by default.
        public var variants: Int

        /// Creates limits.
        public init(memory: Int = 16 << 20, response: Int = 2 << 20, variants: Int = 8) {
            (self.memory, self.response, self.variants) = (memory, response, variants)
        }
    }

    /// What a cache has done so far, and what it has.
    public struct Statistics: Hashable, Sendable {
        /// The number of requests that got a stored response that the server has not confirmed.
        public internal(set) var hits = 0

        /// The number of requests that got a stored response that the server has confirmed with a 304.
        public internal(set) var revalidations = 0

        /// The number of requests that got the response of the server, of those to which a cache may respond.
        public internal(set) var misses = 0

        /// The number of responses that are stored now.
        public internal(set) var stored = 0

        /// The number of bytes that they take, with their fields.
        public internal(set) var bytes = 0
    }

    let staleIfError: TimeInterval?
    let separatesCookies: Bool
    private let responses: Locked<CachedResponses>
    private let names = Locked(KnownCredentialNames())

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - limits: How much is kept.
    ///   - staleIfError: The number of seconds for which a response that is no longer fresh is used instead of an error
    ///     of the server (500, 502, 503, 504), the network or a refresh, if the server does not state a number itself
    ///     (RFC 5861 §4); responses that are good for nothing else are then kept, too. Nil for none.
    ///   - separatesCookies: Whether requests with other cookies have other responses. Without it, a response is used
    ///     whatever the cookies are, unless the server lists `Cookie` in `Vary`; right for servers whose cookies do not
    ///     identify anyone.
    public init(
        limits: Limits = Limits(),
        staleIfError: TimeInterval? = nil,
        separatesCookies: Bool = true
    ) {
        self.staleIfError = staleIfError
        self.separatesCookies = separatesCookies
        responses = Locked(CachedResponses(limits: limits))
    }

    /// What the cache has done so far, and what it has.
    public var statistics: Statistics { withResponses { $0.statistics } }

    /// Removes all stored responses to a URL, of every person; responses in flight are not stored.
    public func remove(for url: URL) {
        let key = CacheRequest.key(of: url).key
        withResponses { $0.invalidate([key]) }
    }

    /// Removes all stored responses; responses in flight are not stored.
    public func removeAll() {
        withResponses { $0.removeAll() }
    }

    /// The number of requests in flight whose responses may change something.
    var flightCount: Int { withResponses { $0.flightCount } }

    func withResponses<Result>(_ body: (inout CachedResponses) -> Result) -> Result {
        responses.withLock { body(&$0) }
    }

    /// Returns the names that hold credentials; `sensitiveHeaders` are further names.
    func credentialNames(among names: some Sequence<String>, _ sensitiveHeaders: [String]) -> [String] {
        self.names.withLock { known in
            names.filter { name in
                sensitiveHeaders.contains { HeaderField.isSameName($0, name) } || known.contains(name)
            }
        }
    }
}

extension ResponseCache: OpaqueValue {
    /// The number of stored responses and their size.
    public var description: String {
        let statistics = statistics
        return "\(statistics.stored) responses, \(statistics.bytes) bytes"
    }
}
