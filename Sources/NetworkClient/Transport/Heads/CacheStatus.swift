/// The part that the client's cache had in a response (RFC 9111).
///
/// The age of a response from the cache is in its field `Age`, in seconds.
public struct CacheStatus: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
        case network, fresh, revalidated, stale, staleOnError
    }

    private let kind: Kind

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// The name, as in the source: `fresh`.
    public var description: String { kind.rawValue }

    /// The server sent the response; the cache had none that could be used.
    public static let network = CacheStatus(.network)

    /// A stored response, without a request to the server.
    public static let fresh = CacheStatus(.fresh)

    /// A stored response, which the server has confirmed with the status 304.
    public static let revalidated = CacheStatus(.revalidated)

    /// A stored response that is not fresh for this request, which the server, the request or its cache policy allows.
    public static let stale = CacheStatus(.stale)

    /// A stored response instead of an error of the server or the network.
    public static let staleOnError = CacheStatus(.staleOnError)

    /// Whether the response tells nothing about the server of today: its waits and its failures are those of the past.
    var isOfThePast: Bool { self == .fresh || self == .stale || self == .staleOnError }
}

extension HTTPURLResponse {
    /// The part that the client's cache had in the response.
    ///
    /// Nil if it had none, and for a response that URLSession received with an accepted status; in the last case, use
    /// `Response.cacheStatus`.
    public var cacheStatus: CacheStatus? { (self as? ReceivedResponse)?.knownCacheStatus }

    /// Whether the response tells nothing about the server of today.
    var isFromCache: Bool { cacheStatus?.isOfThePast == true }

    /// Whether some of the fields are those of an earlier response.
    var hasStoredFields: Bool { cacheStatus.map { $0 != .network } ?? false }
}
