/// One way of making transfers.
public struct TransferVariant: Sendable {
    enum Way: Sendable {
        /// In a process of ours.
        case client(@Sendable () async throws -> TransferClient)

        /// A program with these arguments.
        case command(@Sendable (TransferKind, TransferTarget) -> [String])
    }

    /// What it is called in the report.
    public let name: String

    let kinds: [TransferKind]
    let way: Way

    /// A client.
    ///
    /// - Parameters:
    ///   - name: What it is called in the report.
    ///   - kinds: What it can do.
    ///   - client: Makes a client, anew for each transfer that is measured, in a process of its own.
    public init(
        _ name: String,
        _ kinds: [TransferKind] = TransferKind.allCases,
        client: @escaping @Sendable () async throws -> TransferClient
    ) {
        self.init(name, kinds, .client(client))
    }

    init(_ name: String, _ kinds: [TransferKind], _ way: Way) {
        self.name = name
        self.kinds = kinds
        self.way = way
    }
}
