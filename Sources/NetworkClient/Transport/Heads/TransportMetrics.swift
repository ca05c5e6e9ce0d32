/// The times of an exchange's steps, and the numbers of bytes that it transferred.
///
/// A value that the transport does not know is nil; on Linux, URLSession reports only the total. After redirects, all
/// values describe the last exchange, except ``total`` and ``redirects``.
public struct TransportMetrics: Hashable, Sendable {
    /// The number of seconds for the look-up of the host's name; 0 for a connection that was already open.
    public var nameLookup: TimeInterval?

    /// The number of seconds for connecting, without TLS; 0 for a connection that was already open.
    public var connect: TimeInterval?

    /// The number of seconds for the TLS handshake; 0 without TLS, and for a connection that was already open.
    public var secureConnection: TimeInterval?

    /// The number of seconds from the beginning to the first byte of the response.
    public var firstByte: TimeInterval?

    /// The number of seconds for the whole exchange, including redirects.
    ///
    /// The wait for a free connection is included only after redirects, and if the transport did not measure the time.
    public var total: TimeInterval

    /// Whether the connection had been used before.
    public var isConnectionReused: Bool?

    /// How often the request was sent: more than once after a kept connection has ended without a response, or the
    /// server has refused its stream, if it is idempotent (RFC 9110 §9.2.2); nil if the transport does not tell.
    public var transmissions: Int?

    /// The version of HTTP, such as `HTTP/1.1` or `HTTP/2`.
    public var httpVersion: String?

    /// The number of body bytes that were sent.
    public var bodyBytesSent: Int?

    /// The number of body bytes that were received, before content decoding.
    public var bodyBytesReceived: Int?

    /// The number of redirects that were followed.
    public var redirects = 0

    /// The entries of `Server-Timing` in the head and in the trailers (W3C Server Timing), at most 100; empty for a
    /// response that a cache has stored.
    public var serverTimings: [ServerTiming] = []

    /// Creates metrics with a total time in seconds; the other values are set by name.
    public init(total: TimeInterval) {
        self.total = total
    }
}

/// One entry of `Server-Timing` (W3C Server Timing §3), such as `db;dur=53.2;desc="query"`.
public struct ServerTiming: Hashable, Sendable {
    /// The name of what was measured, such as `db` or `cache`.
    public let name: String

    /// The number of seconds (`dur`, which is in milliseconds); nil for an entry without a number.
    public let duration: TimeInterval?

    /// The description (`desc`); nil for an entry without one.
    public let description: String?

    /// Creates an entry, for a transport or a test; `duration` is in seconds.
    public init(name: String, duration: TimeInterval? = nil, description: String? = nil) {
        (self.name, self.duration, self.description) = (name, duration, description)
    }

    static let fieldName = "Server-Timing"

    /// Returns the entries in the values of the fields; one whose name is not a token is left out, and of several
    /// parameters with the same name, the first counts (§3.1).
    static func timings(in values: [String]) -> [ServerTiming] {
        values.flatMap { QuotedString.split($0[...], at: ",") }.prefix(100).compactMap { entry in
            let name = String(decoding: ASCII.trimmed(entry.utf8.prefix { $0 != UInt8(ascii: ";") }), as: UTF8.self)
            guard HTTPToken.isValid(name) else { return nil }
            // The parameters have the syntax of those of a media type.
            let entry = MediaType(String(entry))
            let duration = entry.parameter("dur").flatMap { Double($0) }.flatMap { $0.isFinite ? $0 / 1_000 : nil }
            return ServerTiming(name: name, duration: duration, description: entry.parameter("desc"))
        }
    }
}
