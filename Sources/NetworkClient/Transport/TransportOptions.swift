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
