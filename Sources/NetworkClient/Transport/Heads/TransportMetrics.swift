/// The times of an exchange's steps, and the numbers of bytes that it transferred.
///
/// A value that the transport does not know is nil; on Linux, URLSession reports only the total. After redirects, all
/// values describe the last exchange, except ``total`` and ``redirects``.
public struct TransportMetrics: Hashable, Sendable {
    /// How many seconds the look-up of the host's name took; 0 for a connection that was already open.
    public var nameLookup: TimeInterval?

    /// How many seconds it took to connect, without TLS; 0 for a connection that was already open.
    public var connect: TimeInterval?

    /// How many seconds the TLS handshake took; 0 without TLS, and for a connection that was already open.
    public var secureConnection: TimeInterval?

    /// How many seconds passed from the beginning to the first byte of the response.
    public var firstByte: TimeInterval?

    /// How many seconds the exchange took in total, including redirects, but without the wait for a free connection.
    public var total: TimeInterval

    /// Whether the connection had been used before.
    public var isConnectionReused: Bool?

    /// The version of HTTP, such as `HTTP/1.1` or `HTTP/2`.
    public var httpVersion: String?

    /// How many bytes of a body were sent.
    public var bodyBytesSent: Int?

    /// How many bytes of a body were received, before content decoding.
    public var bodyBytesReceived: Int?

    /// How many redirects were followed.
    public var redirects = 0

    /// Creates metrics with a total time in seconds; the other values are set by name.
    public init(total: TimeInterval) {
        self.total = total
    }
}
