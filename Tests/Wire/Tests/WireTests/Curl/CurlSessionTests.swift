#if os(Linux)
import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// New connections that resume the TLS session of an earlier one.
@Suite(.enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"))
struct CurlSessionTests {
    /// A server with TLS 1.3: libcurl accepts no tickets before.
    private func server(closes: Bool) throws -> LoopbackServer {
        try LoopbackServer(tls: TLSConfiguration(versions: .tls13 ... .tls13, sendsTickets: true)) { _ in
            closes ? [.respond(headers: ["Connection": "close"], body: "1"), .close] : .respond(body: "1")
        }
    }

    private func client(pins: [Data] = [], keepTime: UInt64? = nil) throws -> NetworkClient {
        let security = CurlTransport.Security(trustRoots: TLSFixtures.root, pinnedPublicKeys: pins)
        var configuration = CurlTransport.Configuration(security: security)
        configuration.keepTime = keepTime ?? configuration.keepTime
        return NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
    }

    private func expectResumption(_ client: NetworkClient, _ server: LoopbackServer) async throws {
        for number in 0..<3 {
            #expect(await client.outcome(of: URLRequest(url: server.url)) == .answered(200, "1"))
            #expect(try await server.handshake(at: number).isResumed == (number > 0))
            try await withDeadline { try await server.waitForOpenConnections(0) }
        }
    }

    @Test func aNewConnectionResumesTheSessionOfAnEarlierOne() async throws {
        try await expectResumption(client(), server(closes: true))
    }

    @Test func aSessionOutlivesTheConnectionsOfAnIdleEngine() async throws {
        try await expectResumption(client(keepTime: 100_000_000), server(closes: false))
    }

    /// libcurl compares the key with the certificate of the session.
    @Test func aSessionIsResumedWithAPinnedKey() async throws {
        let pin = try TLSFixtures.publicKeyPin(of: TLSFixtures.localhost).dropFirst("sha256//".count)
        let pins = [try #require(Data(base64Encoded: String(pin)))]
        try await expectResumption(client(pins: pins), server(closes: true))
    }
}
#endif
