public import Foundation

/// How an exchange went: how long its steps took, and what it moved.
///
/// What a transport does not know is nil. On Linux URLSession tells no more than the total. After redirects all of it
/// is about the last exchange, but for ``total`` and ``redirects``.
public struct TransportMetrics: Hashable, Sendable {
    /// How many seconds the look-up of the host's name took; 0 for a connection that was there already.
    public var nameLookup: TimeInterval?

    /// How many seconds the connection took to be made, without TLS; 0 for one that was there already.
    public var connect: TimeInterval?

    /// How many seconds the TLS handshake took; 0 without TLS, and for a connection that was there already.
    public var secureConnection: TimeInterval?

    /// How many seconds passed from the beginning to the first byte of the answer.
    public var firstByte: TimeInterval?

    /// How many seconds it took in all, redirects included; waiting for a free connection is not.
    public var total: TimeInterval

    /// Whether the connection had been used before.
    public var isConnectionReused: Bool?

    /// The version of HTTP that was spoken, such as `HTTP/1.1` or `HTTP/2`.
    public var httpVersion: String?

    /// How many bytes of a body were sent.
    public var bodyBytesSent: Int?

    /// How many bytes of a body were received, before content decoding.
    public var bodyBytesReceived: Int?

    /// How many redirects were followed.
    public var redirects = 0

    /// Takes the time that an exchange took; everything else is set by name.
    ///
    /// - Parameter total: Seconds.
    public init(total: TimeInterval) {
        self.total = total
    }
}
