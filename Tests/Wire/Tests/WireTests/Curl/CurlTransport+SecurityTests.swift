#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

@Suite(.enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"))
struct CurlTransportSecurityTests {
    typealias Security = TransportSecurity
    typealias Failure = TransportError.SecurityFailure

    private func client(_ security: Security) throws -> NetworkClient {
        NetworkClient(transport: try CurlTransport(configuration: .init(security: security)), logging: .off)
    }

    private func server(
        _ identity: TLSIdentity = TLSFixtures.localhost,
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        demandsCertificate: Bool = false
    ) throws -> LoopbackServer {
        let tls = TLSConfiguration(identity, versions: versions, demandsCertificate: demandsCertificate)
        return try LoopbackServer(tls: tls) { _ in .json("1") }
    }

    private func fetch(_ server: LoopbackServer, _ security: Security, host: String? = nil) async throws -> Int {
        let place = host.map { url("https://\($0):\(server.port)/a") } ?? server.url("/a")
        let response: NetworkClient.Response<Int> = try await client(security)
            .fetch(request: URLRequest.get(url: place).build())
        return response.item
    }

    /// Returns the error of a request that the server never receives.
    private func failure(_ server: LoopbackServer, _ security: Security, host: String? = nil) async -> TransportError? {
        let error = await #expect(throws: NetworkClient.Error.self) {
            _ = try await fetch(server, security, host: host)
        }
        #expect(server.requests.isEmpty)
        guard case .requestError(let failure)? = error else { return nil }
        return failure
    }

    private static let trusting = Security(trustRoots: TLSFixtures.root)

    @Test(arguments: [nil, "127.0.0.1"])
    func aServerWithATrustedAuthorityIsReached(host: String?) async throws {
        let server = try server()
        #expect(try await fetch(server, Self.trusting, host: host) == 1)
        #expect(try await server.handshake(at: 0).clientSubject == nil)
    }

    @Test func aServerWithAnIntermediateAuthorityIsReached() async throws {
        #expect(try await fetch(try server(TLSFixtures.withIntermediate), Self.trusting) == 1)
    }

    @Test func theMetricsContainTheTimeOfTheHandshake() async throws {
        let server = try server()
        let client = try client(Self.trusting)
        let request = URLRequest.get(url: server.url("/a")).build()
        let first = try #require(try await client.fetch(request: request).metrics)
        let second = try #require(try await client.fetch(request: request).metrics)
        #expect((first.secureConnection ?? 0) > 0)
        #expect(second.secureConnection == 0 && second.isConnectionReused == true)
    }

    private static let refused: [(TLSIdentity, Failure)] = [
        (TLSFixtures.expired, .expiredCertificate), (TLSFixtures.notYetValid, .prematureCertificate),
        (TLSFixtures.wrongHost, .wrongHost), (TLSFixtures.selfSigned, .untrustedCertificate),
        (TLSFixtures.withoutIntermediate, .untrustedCertificate),
    ]

    @Test(.spec(90), arguments: refused)
    func theDefectOfACertificateIsReported(identity: TLSIdentity, expected: Failure) async throws {
        // GnuTLS reports a wrong date only as a failed verification.
        let isVague = LoadedLibcurl.usesGnuTLS && [.expiredCertificate, .prematureCertificate].contains(expected)
        let expected = isVague ? .untrustedCertificate : expected
        let failure = await failure(try server(identity), Self.trusting)
        #expect(failure?.reason == .secureConnectionFailed)
        #expect(failure?.securityFailure == expected)
        #expect(failure.map { "\($0)".contains(expected.sentence) } == true)
    }

    @Test(arguments: [(TLSFixtures.selfSigned, "signed by itself"), (TLSFixtures.withoutIntermediate, "is missing")])
    func theReasonWhyACertificateIsNotTrustedIsSaid(identity: TLSIdentity, reason: String) async throws {
        let failure = await failure(try server(identity), Self.trusting)
        #expect(failure?.securityFailure == .untrustedCertificate)
        #expect(failure.map { "\($0)".contains(reason) } == !LoadedLibcurl.usesGnuTLS)
    }

    @Test func aServerWithoutTLSIsNotSaidToHaveAnotherVersion() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let request = URLRequest(url: url("https://127.0.0.1:\(server.port)/"))
        let client = try client(Self.trusting)
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("did not respond with TLS; its URL may have to begin with http:"), "\(text)")
    }

    @Test func onlyTheSystemsAuthoritiesAreTrustedByDefault() async throws {
        let failure = await failure(try server(), Security())
        #expect(failure?.securityFailure == .untrustedCertificate)
    }

    @Test func trustRootsThatAreGoneWhenTheyAreNeededAreReported() async throws {
        let folder = try TemporaryDirectory()
        let roots = folder.url.appendingPathComponent("roots.pem")
        try FileManager.default.copyItem(at: TLSFixtures.root, to: roots)
        let client = try client(Security(trustRoots: roots))
        let server = try server()
        try FileManager.default.removeItem(at: roots)
        let error = await #expect(throws: NetworkClient.Error.self) {
            _ = try await client.fetch(request: URLRequest.get(url: server.url("/a")).build())
        }
        guard case .requestError(let failure)? = error else { return }
        #expect(failure.isSecurityFailure)
        #expect(failure.securityFailure == .trustRoots)
    }

    private func pin(_ identity: TLSIdentity) throws -> Data {
        let text = try TLSFixtures.publicKeyPin(of: identity).replacingOccurrences(of: "sha256//", with: "")
        return try #require(Data(base64Encoded: text))
    }

    @Test func aServerWithOneOfThePinnedKeysIsAccepted() async throws {
        let pins = [try pin(TLSFixtures.selfSigned), try pin(TLSFixtures.localhost)]
        let security = Security(trustRoots: TLSFixtures.root, pinnedPublicKeys: pins)
        #expect(try await fetch(try server(), security) == 1)
    }

    @Test func aServerWithAnotherKeyIsRefused() async throws {
        let security = Security(trustRoots: TLSFixtures.root, pinnedPublicKeys: [try pin(TLSFixtures.selfSigned)])
        let failure = await failure(try server(), security)
        #expect(failure?.securityFailure == .unpinnedKey)
    }

    @Test func anUntrustedServerWithAPinnedKeyIsRefused() async throws {
        let security = Security(trustRoots: TLSFixtures.root, pinnedPublicKeys: [try pin(TLSFixtures.selfSigned)])
        let failure = await failure(try server(TLSFixtures.selfSigned), security)
        #expect(failure?.securityFailure == .untrustedCertificate)
    }

    @Test(arguments: [TLSFixtures.client, TLSFixtures.encryptedClient])
    func theClientsCertificateIsSent(identity: TLSIdentity) async throws {
        let server = try server(demandsCertificate: true)
        #expect(try await fetch(server, trusting(identity, password: identity.password)) == 1)
        #expect(try await server.handshake(at: 0).clientSubject == TLSFixtures.clientSubject)
    }

    private static let readsPKCS12 = !LoadedLibcurl.usesGnuTLS

    private func trustingPKCS12(password: String?) -> Security {
        let certificate = Security.ClientCertificate(pkcs12: TLSFixtures.pkcs12Client, password: password)
        return Security(trustRoots: TLSFixtures.root, clientCertificate: certificate)
    }

    @Test(.enabled(if: readsPKCS12, "GnuTLS reads no PKCS#12 files"))
    func theClientsCertificateInAPKCS12FileIsSent() async throws {
        let server = try server(demandsCertificate: true)
        let security = trustingPKCS12(password: TLSFixtures.encryptedClient.password)
        #expect(try await fetch(server, security) == 1)
        #expect(try await server.handshake(at: 0).clientSubject == TLSFixtures.clientSubject)
    }

    @Test(.enabled(if: !readsPKCS12, "OpenSSL reads PKCS#12 files"))
    func aPKCS12FileThatLibcurlCannotReadIsRefused() {
        let error = #expect(throws: TransportError.self) { try client(trustingPKCS12(password: nil)) }
        #expect(error?.reason == .unsupported)
        #expect(error?.description.contains("use ClientCertificate(certificate:key:password:)") == true)
    }

    @Test(.enabled(if: readsPKCS12, "GnuTLS reads no PKCS#12 files"), arguments: ["wrong phrase", nil])
    func aPKCS12FileThatCannotBeReadIsReported(password: String?) async throws {
        let failure = await failure(try server(demandsCertificate: true), trustingPKCS12(password: password))
        #expect(failure?.securityFailure == .clientCertificate)
        let texts = failure.map { ["\($0)", $0.underlying.map { "\($0)" } ?? ""] } ?? []
        #expect(texts.first?.contains("cannot be read, or its password is wrong") == true)
        #expect(!texts.joined().contains("wrong phrase"))
    }

    private func trusting(_ identity: TLSIdentity, password: String?) -> Security {
        let certificate = Security.ClientCertificate(
            certificate: identity.certificates,
            key: identity.key,
            password: password
        )
        return Security(trustRoots: TLSFixtures.root, clientCertificate: certificate)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func aServerThatRequiresACertificateIsReported(version: TLSVersion) async throws {
        let failure = await failure(try server(versions: version...version, demandsCertificate: true), Self.trusting)
        #expect(failure?.reason == .secureConnectionFailed)
    }

    @Test func aServerThatRefusesTheCertificateIsReported() async throws {
        let security = trusting(TLSFixtures.selfSigned, password: nil)
        let failure = await failure(try server(demandsCertificate: true), security)
        #expect(failure?.securityFailure == .clientCertificate)
    }

    @Test(arguments: ["wrong", nil])
    func aKeyThatCannotBeReadIsReported(password: String?) async throws {
        let failure = await failure(try server(), trusting(TLSFixtures.encryptedClient, password: password))
        #expect(failure?.securityFailure == .clientCertificate)
        #expect(failure?.description.contains("cannot be read, or its password is wrong") == true)
    }

    private static let versions: [(ClosedRange<TLSVersion>, Security.Version, TLSVersion?)] = [
        (.tls12 ... .tls13, .tls12, .tls13), (.tls12 ... .tls12, .tls12, .tls12), (.tls13 ... .tls13, .tls13, .tls13),
        (.tls12 ... .tls12, .tls13, nil), (.tls10 ... .tls11, .tls12, nil), (.tls10 ... .tls10, .tls13, nil),
    ]

    @Test(arguments: versions)
    func noVersionOlderThanTheMinimumIsAccepted(
        server versions: ClosedRange<TLSVersion>,
        minimum: Security.Version,
        spoken: TLSVersion?
    ) async throws {
        let server = try server(versions: versions)
        let security = Security(trustRoots: TLSFixtures.root, minimumVersion: minimum)
        if let spoken {
            #expect(try await fetch(server, security) == 1)
            #expect(try await server.handshake(at: 0).version == spoken)
        } else {
            let failure = await failure(server, security)
            #expect(failure?.reason == .secureConnectionFailed)
            #expect(failure?.securityFailure == .protocolVersion)
        }
    }

    @Test(.spec(162)) func aRedirectToAPlainConnectionIsRefused() async throws {
        let target = try LoopbackServer { _ in .json("1") }
        let server = try LoopbackServer(tls: TLSConfiguration()) { _ in .redirect(to: target.url.absoluteString) }
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client(Self.trusting).fetch(request: URLRequest.get(url: server.url).build())
        }
        guard case .requestError(let failure)? = error else { return }
        #expect(failure.reason == .redirectRefused)
        #expect(target.requests.isEmpty)
    }

    @Test func aBodyThatBreaksOffIsAnError() async throws {
        let server = try LoopbackServer(tls: TLSConfiguration(omitsCloseNotify: true)) { _ in
            [.respond(length: .stated(8), body: "half"), .close]
        }
        await #expect(throws: NetworkClient.Error.self) {
            try await client(Self.trusting).fetch(request: URLRequest.get(url: server.url).build())
        }
    }
}
#endif
