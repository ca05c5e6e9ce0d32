/// Why an exchange with a server failed, or could not begin.
public struct TransportError: Swift.Error, Sendable {
    /// The kinds of failure; more may come, so switch over it with a `default`.
    public struct Reason: Hashable, Sendable {
        let name: String
    }

    /// What failed.
    public let reason: Reason
}
