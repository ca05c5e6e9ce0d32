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

    private func client(
        roots: URL = TLSFixtures.root,
        certificate: TransportSecurity.ClientCertificate? = nil,
        pins: [Data] = [],
        keepTime: UInt64? = nil,
        sessionTime: UInt64? = nil
    ) throws -> NetworkClient {
        let security = TransportSecurity(
            trustRoots: roots,
            pinnedPublicKeys: pins,
            clientCertificate: certificate
        )
        var configuration = CurlTransport.Configuration(security: security)
        configuration.keepTime = keepTime ?? configuration.keepTime
        configuration.sessionTime = sessionTime ?? configuration.sessionTime
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

    /// Returns whether a new connection resumed a session; nil if it was not made.
    private func isResumed(_ client: NetworkClient, _ server: LoopbackServer) async throws -> Bool? {
        switch await client.outcome(of: URLRequest(url: server.url)) {
        // A client may refuse a server only after its part of the handshake.
        case .answered(200, Data("1".utf8)): try await server.handshake(at: server.connectionCount - 1).isResumed
        case .failed(.secureConnectionFailed): nil
        case let other: throw Unexpected(outcome: other)
        }
    }

    private struct Unexpected: Error {
        let outcome: Outcome
    }

    @Test(.spec(305)) func aSessionIsNotResumedAfterTheFileOfAuthoritiesHasChanged() async throws {
        let folder = try TemporaryDirectory()
        let (right, wrong) = try (
            Data(contentsOf: TLSFixtures.root), Data(contentsOf: TLSFixtures.selfSigned.certificates)
        )
        let roots = try folder.file("roots.pem", right)
        let (server, client) = (try server(closes: true), try client(roots: roots))
        #expect(try await isResumed(client, server) == false)
        #expect(try await isResumed(client, server) == true)
        try wrong.write(to: roots)
        for _ in 0..<3 { #expect(try await isResumed(client, server) == nil) }
        try right.write(to: roots)
        #expect(try await isResumed(client, server) == false)
        #expect(try await isResumed(client, server) == true)
        withExtendedLifetime(folder) {}
    }

    @Test(.spec(305)) func aSessionIsNotResumedAfterTheClientsCertificateHasChanged() async throws {
        let folder = try TemporaryDirectory()
        let certificate = try Data(contentsOf: TLSFixtures.client.certificates)
        let file = try folder.file("client.pem", certificate)
        let (server, client) = (
            try server(closes: true), try client(certificate: .init(certificate: file, key: TLSFixtures.client.key))
        )
        #expect(try await isResumed(client, server) == false)
        #expect(try await isResumed(client, server) == true)
        try (certificate + Data("\n".utf8)).write(to: file)
        #expect(try await isResumed(client, server) == false)
        #expect(try await isResumed(client, server) == true)
        withExtendedLifetime(folder) {}
    }

    @Test(.spec(305)) func aSessionIsKeptForALimitedTime() async throws {
        let (server, client) = (try server(closes: true), try client(sessionTime: 0))
        for _ in 0..<3 { #expect(try await isResumed(client, server) == false) }
    }

    /// libcurl compares the key with the certificate of the session.
    @Test func aSessionIsResumedWithAPinnedKey() async throws {
        let pin = try TLSFixtures.publicKeyPin(of: TLSFixtures.localhost).dropFirst("sha256//".count)
        let pins = [try #require(Data(base64Encoded: String(pin)))]
        try await expectResumption(client(pins: pins), server(closes: true))
    }
}
#endif
