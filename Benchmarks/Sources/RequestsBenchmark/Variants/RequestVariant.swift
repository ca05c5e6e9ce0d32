/// One way of making requests.
public struct RequestVariant: Sendable {
    /// The name of the library with the transport that it has on Linux.
    public static let curlTransportName = "fetch, CurlTransport"

    /// What it is called in the report.
    public let name: String

    let prepare: @Sendable (RequestTarget) async throws -> RequestLoad

    /// A client that is awaited.
    ///
    /// - Parameters:
    ///   - name: What it is called in the report.
    ///   - client: Makes a client for a target, anew for each number of concurrent requests.
    public init(_ name: String, client: @escaping @Sendable (RequestTarget) async throws -> RequestClient) {
        self.name = name
        prepare = { target in
            let client = try await client(target)
            return RequestLoad(
                run: { try await Awaited(concurrency: target.concurrency, send: client.send).run(until: $0) },
                end: client.end
            )
        }
    }

    init(_ name: String, prepare: @escaping @Sendable (RequestTarget) async throws -> RequestLoad) {
        self.name = name
        self.prepare = prepare
    }
}
