import Foundation
import NetworkTestSupport
import Testing

@Suite(.enabled(if: TLSServer.isAvailable, "there is no OpenSSL here"))
struct TLSServerTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 2\r\n\r\nok"

    private func server(
        _ identity: TLSIdentity = TLSFixtures.localhost,
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        clients: TLSClients = .anonymous
    ) throws -> TLSServer {
        let plain = try LoopbackServer { _ in .respond(body: "ok") }
        return try TLSServer(before: plain, identity: identity, versions: versions, clients: clients)
    }

    @Test func aTLSServerReturnsItsURLs() throws {
        let server = try server()
        let port = server.port
        #expect(server.url.absoluteString == "https://localhost:\(port)")
        #expect(server.url("/a?b=c").absoluteString == "https://localhost:\(port)/a?b=c")
        #expect(server.url("", host: "127.0.0.1").absoluteString == "https://127.0.0.1:\(port)")
    }

    @Test func aTLSServerRespondsToConsecutiveRequests() async throws {
        let server = try server()
        for number in 0..<2 {
            let client = try TLSClient(server)
            try client.shakeHands()
            for _ in 0..<3 {
                try client.get("/\(number)")
                #expect(try client.read(Self.ok))
            }
        }
        #expect(server.plain.requests.map(\.target) == ["/0", "/0", "/0", "/1", "/1", "/1"])
        #expect(server.plain.connectionCount == 2)
        let expected = TLSHandshake(version: .tls13, serverName: "localhost", applicationProtocol: "http/1.1")
        #expect(server.handshakes == [expected, expected])
    }

    @Test func clientsSendNoServerNameForAnAddress() async throws {
        let server = try server()
        try TLSClient(server, host: "127.0.0.1").shakeHands()
        let handshake = try await withDeadline { try await server.handshake(at: 0) }
        #expect(handshake.serverName == nil)
        #expect(handshake.failure == nil)
    }

    @Test(.enabled(if: (try? Socket.bound(to: .ipv6)) != nil, "no IPv6 here"))
    func aTLSServerListensOnIPv6() throws {
        let server = try server()
        let client = try TLSClient(server, host: "::1", on: .ipv6)
        try client.shakeHands()
        try client.get()
        #expect(try client.read(Self.ok))
    }

    @Test(arguments: TLSVersion.allCases)
    func aTLSServerSpeaksTheVersionsOfItsConfiguration(_ version: TLSVersion) async throws {
        let server = try server(versions: version...version)
        let client = try TLSClient(server)
        try client.shakeHands()
        try client.get()
        #expect(try client.read(Self.ok))
        #expect(try await withDeadline { try await server.handshake(at: 0) }.version == version)
    }

    @Test(arguments: [
        (TLSVersion.tls10 ... .tls11, TLSVersion.tls12 ... .tls13),
        (TLSVersion.tls13 ... .tls13, TLSVersion.tls10 ... .tls12),
    ])
    func aTLSServerRefusesOtherVersions(versions: ClosedRange<TLSVersion>, other: ClosedRange<TLSVersion>) async throws
    {
        let server = try server(versions: versions)
        let client = try TLSClient(server, versions: other)
        // protocol_version
        #expect(throws: TLSFailure.alert(70)) { try client.shakeHands() }
        let handshake = try await withDeadline { try await server.handshake(at: 0) }
        #expect(handshake.version == nil)
        #expect(handshake.failure == .library("unsupported protocol"))
        #expect(server.plain.connectionCount == 0)
    }

    @Test func aTLSServerRecordsTheAlertOfAClient() async throws {
        let server = try server(TLSFixtures.expired)
        let client = try TLSClient(server)
        let error = #expect(throws: TLSFailure.self) { try client.shakeHands() }
        guard case .untrusted(10, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let handshake = try await withDeadline { try await server.handshake(at: 0) }
        #expect(handshake == TLSHandshake(serverName: "localhost", failure: .alert(45)))
        #expect(server.plain.connectionCount == 0)
    }

    @Test(arguments: [TLSFixtures.client, TLSFixtures.encryptedClient], [TLSClients.asked, .certified])
    func aTLSServerRecordsTheNameOfAClient(identity: TLSIdentity, clients: TLSClients) async throws {
        let server = try server(clients: clients)
        let client = try TLSClient(server, identity: identity)
        try client.shakeHands()
        try client.get()
        #expect(try client.read(Self.ok))
        #expect(server.handshakes.map(\.clientSubject) == [TLSFixtures.clientSubject])
    }

    @Test func aTLSServerAcceptsClientsWithoutAnOptionalCertificate() async throws {
        let server = try server(clients: .asked)
        let client = try TLSClient(server)
        try client.shakeHands()
        try client.get()
        #expect(try client.read(Self.ok))
        #expect(server.handshakes.map(\.clientSubject) == [nil])
    }

    /// Before TLS 1.3 the client is told in its handshake, afterwards (certificate_required) when it reads.
    @Test(arguments: [(TLSVersion.tls12, 40), (.tls13, 116)])
    func aTLSServerRejectsClientsWithoutARequiredCertificate(version: TLSVersion, alert: Int) async throws {
        let server = try server(versions: version...version, clients: .certified)
        let client = try TLSClient(server)
        #expect(throws: TLSFailure.alert(alert)) {
            try client.shakeHands()
            try client.get()
            _ = try client.readToEnd()
        }
        let handshake = try await withDeadline { try await server.handshake(at: 0) }
        #expect(handshake.failure == .library("peer did not return a certificate"))
        #expect(server.plain.connectionCount == 0)
    }

    @Test(arguments: [TLSClients.asked, .certified])
    func aTLSServerRejectsClientsWithAnUntrustedCertificate(clients: TLSClients) async throws {
        let server = try server(clients: clients)
        let client = try TLSClient(server, identity: TLSFixtures.selfSigned)
        #expect(throws: TLSFailure.alert(48)) {
            try client.shakeHands()
            _ = try client.readToEnd()
        }
        let handshake = try await withDeadline { try await server.handshake(at: 0) }
        guard case .untrusted(18, _)? = handshake.failure else {
            Issue.record("\(handshake)")
            return
        }
        #expect(server.plain.connectionCount == 0)
    }

    @Test func stoppingATLSServerEndsWaitsForHandshakes() async throws {
        let server = try server()
        let waiting = Task { try await server.handshake(at: 0) }
        server.stop()
        server.stop()
        let error = await #expect(throws: ServerStopped.self) { try await withDeadline { _ = try await waiting.value } }
        #expect(error?.description == "The server was stopped before handshake 0.")
    }
}
