import Foundation
import NetworkTestSupport

@testable import NetworkClient

extension LoopbackServer {
    /// Returns the request that a server receives at `/items` and responds to without a body.
    static func received(
        by transport: TransportUnderTest,
        _ build: (URL) throws -> URLRequest
    ) async throws -> RecordedRequest {
        let server = try LoopbackServer { _ in .respond() }
        try await transport.client().fetch(request: try build(server.url("/items")))
        return try await server.request(at: 0)
    }
}
