import Foundation
import NetworkClient
import Testing

/// Links on which packets vanish, as when a router forgets a connection, a host dies, or a cable is pulled.
///
/// No system acknowledges anything then. `.ci/weekly` runs these tests, since they need root.
@Suite(
    .server(.link),
    .serialized,
    .timeLimit(.minutes(2)),
    .enabled(if: ProcessInfo.processInfo.environment["LINK_TESTS"] != nil, "LINK_TESTS is not set: they need root")
)
struct DyingLinkTests {
    /// The ports of the server for HTTP/2 and HTTP/1.1.
    private static let ports = [443, 8443]

    /// Controls the link, and returns the address of the server behind it.
    private func control(_ path: String) async throws -> String {
        let url = try ServerProcess.of(.link).url(path)
        return try await NetworkClient.forTests().fetch(.get(url: url), as: String.self).item
    }

    private func client() throws -> NetworkClient {
        let roots = try ServerProcess.of(.link).folder.appendingPathComponent("root.pem")
        return try .forTests(security: TransportSecurity(trustRoots: roots))
    }

    /// Returns whether a call succeeds within a second without a byte.
    private func succeeds(_ client: NetworkClient, _ address: String, _ port: Int) async -> Bool {
        let text = try? await client.fetch(
            .get(http: "https://\(address):\(port)/"),
            as: String.self,
            options: CallOptions(idleTimeout: 1)
        )
        return text?.item == "1"
    }

    @Test(arguments: ports) func afterAConnectionHasDiedAtMostOneCallFails(port: Int) async throws {
        let (client, address) = (try client(), try await control("/up"))
        #expect(await succeeds(client, address, port))
        _ = try await control("/vanish")
        var outcomes: [Bool] = []
        for _ in 0..<5 { outcomes.append(await succeeds(client, address, port)) }
        #expect(outcomes == [false, true, true, true, true])
    }

    /// The next call needs no more than the time of a new connection.
    @Test(arguments: ports) func aLinkThatIsBackWorksWithTheNextCall(port: Int) async throws {
        let (client, address) = (try client(), try await control("/up"))
        #expect(await succeeds(client, address, port))
        _ = try await control("/down")
        for _ in 0..<5 { #expect(await !succeeds(client, address, port)) }
        _ = try await control("/up")
        for _ in 0..<3 { #expect(await succeeds(client, address, port)) }
    }
}
