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

    /// Creates metrics with a total time in seconds; the other values are set by name.
    public init(total: TimeInterval) {
        self.total = total
    }
}
