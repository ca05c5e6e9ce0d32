/// The part that the client's cache had in a response (RFC 9111).
///
/// The age of a response from the cache is in its field `Age`, in seconds.
public struct CacheStatus: Hashable, Sendable, CustomStringConvertible {
    /// The name, as in the source: `fresh`.
    public let description: String

    private init(_ name: String) {
        description = name
    }

    /// The server sent the response; the cache had none that could be used.
    public static let network = CacheStatus("network")

    /// A stored response, without a request to the server.
    public static let fresh = CacheStatus("fresh")

    /// A stored response, which the server has confirmed with the status 304.
    public static let revalidated = CacheStatus("revalidated")

    /// A stored response that is no longer fresh, which the server, the request or its cache policy allows.
    public static let stale = CacheStatus("stale")

    /// A stored response that is no longer fresh, instead of an error of the server or the network.
    public static let staleOnError = CacheStatus("staleOnError")
}

extension HTTPURLResponse {
    /// The part that the client's cache had in the response.
    ///
    /// Nil if it had none, and for a response that URLSession received with an accepted status; in the last case, use
    /// `Response.cacheStatus`.
    public var cacheStatus: CacheStatus? { (self as? ReceivedResponse)?.knownCacheStatus }
}
