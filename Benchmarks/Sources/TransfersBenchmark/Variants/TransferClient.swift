/// A client that is ready to make transfers.
public struct TransferClient: Sendable {
    let transfer: @Sendable (TransferKind, TransferTarget) async throws -> Int
    let end: @Sendable () async throws -> Void

    /// Takes what it does.
    ///
    /// - Parameters:
    ///   - transfer: Makes one transfer and returns how many bytes came, or how many the server says it got.
    ///   - end: Closes the client.
    public init(
        transfer: @escaping @Sendable (TransferKind, TransferTarget) async throws -> Int,
        end: @escaping @Sendable () async throws -> Void
    ) {
        self.transfer = transfer
        self.end = end
    }
}
