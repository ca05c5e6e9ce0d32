public import Foundation

/// The limits of one exchange.
public struct TransportOptions: Hashable, Sendable {
    /// The most bytes that a body may have after content decoding; a longer one ends the exchange with
    /// ``TransportError/Reason/bodyTooLarge``.
    public var bodyLimit: Int

    /// How many seconds the whole exchange may take, waiting for a connection included; nil for no such limit.
    public var totalTimeout: TimeInterval?

    /// Whether the answer is wanted as soon as its head is there, with a body that is read while it comes.
    ///
    /// A transport that cannot do that may answer with a body that is complete. ``bodyLimit`` does not hold for a body
    /// that is streamed, and ``totalTimeout`` ends with the last byte of it.
    public var streamsBody: Bool

    /// The statuses that the call accepts, for a client, which wants to know the status of a response whose body is too
    /// long; nil for others, for whom a body that is too long is an error whatever the status.
    var acceptedStatuses: AcceptedStatuses?

    /// The statuses of redirects that may be followed: the caller gets the response to the target instead.
    var redirectStatuses: Set<Int> = []

    /// Whether a body that is longer than ``bodyLimit`` is cut there, and marked so, rather than an error: it is the
    /// page of a redirect or of an error.
    func cutsBody(ofStatus status: Int) -> Bool {
        guard let acceptedStatuses else { return false }
        return !acceptedStatuses.contains(status) || redirectStatuses.contains(status)
    }

    /// Takes the limits.
    ///
    /// - Parameters:
    ///   - bodyLimit: Bytes, 256 MiB unless told otherwise.
    ///   - totalTimeout: Seconds, or nil.
    ///   - streamsBody: Whether the body is read while it comes.
    public init(bodyLimit: Int = 256 << 20, totalTimeout: TimeInterval? = nil, streamsBody: Bool = false) {
        self.bodyLimit = bodyLimit
        self.totalTimeout = totalTimeout
        self.streamsBody = streamsBody
    }
}
