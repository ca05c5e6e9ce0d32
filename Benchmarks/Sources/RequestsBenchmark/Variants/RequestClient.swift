/// A client that is ready to make one and the same request.
public struct RequestClient: Sendable {
    let send: @Sendable () async throws -> RequestedItem
    let end: @Sendable () async throws -> Void

    /// Takes what it does.
    ///
    /// - Parameters:
    ///   - send: Makes one request and decodes the answer.
    ///   - end: Closes the client.
    public init(
        send: @escaping @Sendable () async throws -> RequestedItem,
        end: @escaping @Sendable () async throws -> Void
    ) {
        self.send = send
        self.end = end
    }
}
