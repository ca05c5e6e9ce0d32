public import Foundation

/// The limits of one exchange.
public struct TransportOptions: Hashable, Sendable {
    /// The most bytes that a body may have after content decoding; a longer one ends the exchange with
    /// ``TransportError/Reason/bodyTooLarge``.
    public var bodyLimit: Int

    /// How many seconds the whole exchange may take, waiting for a connection included; nil for no such limit.
    public var totalTimeout: TimeInterval?

    /// Takes the limits.
    ///
    /// - Parameters:
    ///   - bodyLimit: Bytes, 256 MiB unless told otherwise.
    ///   - totalTimeout: Seconds, or nil.
    public init(bodyLimit: Int = 256 << 20, totalTimeout: TimeInterval? = nil) {
        self.bodyLimit = bodyLimit
        self.totalTimeout = totalTimeout
    }
}
