import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct TransportSecurityTests {
    typealias ClientCertificate = TransportSecurity.ClientCertificate

    private static let key = Data(repeating: 7, count: 32)
    private static let place = URL(fileURLWithPath: "/nowhere/certificates.pem")

    /// Creates the transport of the platform with these settings.
    private static func makeTransport(_ security: TransportSecurity) throws -> any Transport {
        #if os(Linux)
        try CurlTransport(configuration: .init(security: security))
        #else
        try URLSessionTransport(security: security)
        #endif
    }

    private func failure(_ security: TransportSecurity) -> TransportError? {
        #expect(throws: TransportError.self) { _ = try Self.makeTransport(security) }
    }

    @Test func validSettingsAreAccepted() throws {
        let certificate = ClientCertificate(
            pkcs12: TLSFixtures.pkcs12Client,
            password: TLSFixtures.encryptedClient.password
        )
        let security = TransportSecurity(
            trustRoots: TLSFixtures.root,
            pinnedPublicKeys: [Self.key],
            clientCertificate: certificate,
            minimumVersion: .tls13
        )
        #if os(Linux)
        guard !LoadedLibcurl.usesGnuTLS else { return }
        #endif
        _ = try Self.makeTransport(security)
    }

    @Test(arguments: [0, 20, 31, 33, 64])
    func aPinOfAnotherLengthIsRefused(count: Int) {
        let pins = [Self.key, Data(repeating: 7, count: count)]
        let failure = failure(TransportSecurity(pinnedPublicKeys: pins))
        #expect(failure?.isSecurityFailure == true && failure?.securityFailure == .pinnedKeys)
        #expect(
            failure?.description
                == "The request failed: a pinned key has \(count) bytes, but a SHA-256 digest has 32."
        )
    }

    @Test func missingTrustRootsAreRefused() {
        let failure = failure(TransportSecurity(trustRoots: Self.place))
        #expect(failure?.isSecurityFailure == true && failure?.securityFailure == .trustRoots)
        #expect(
            failure?.description
                == "The request failed: the file '\(Self.place.path)' of trusted certificates cannot be read."
        )
    }

    @Test func trustRootsInTheNetworkAreRefused() {
        let failure = failure(TransportSecurity(trustRoots: url("https://user:secret@example.com/roots.pem?token=t")))
        #expect(
            failure?.description
                == "The request failed: the URL 'roots.pem' of trusted certificates is not a file URL."
        )
    }

    private static let invalidFiles = [
        ("", "contains no certificate in PEM form"),
        ("my-host\n", "contains no certificate in PEM form"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "contains no certificate in PEM form"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n", "contains an invalid PEM block"),
        ("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", "contains an invalid PEM block"),
        ("-----BEGIN CERTIFICATE-----\n<AAA>\n-----END CERTIFICATE-----\n", "contains an invalid PEM block"),
        (
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "contains an invalid PEM block"
        ),
    ]

    @Test(arguments: invalidFiles)
    func trustRootsWithoutCertificatesOrWithAnInvalidBlockAreRefused(content: String, defect: String) throws {
        let folder = try TemporaryDirectory()
        let file = folder.url.appendingPathComponent("roots.pem")
        try Data(content.utf8).write(to: file)
        let failure = failure(TransportSecurity(trustRoots: file))
        #expect(failure?.securityFailure == .trustRoots)
        #expect(
            failure?.description == "The request failed: the file '\(file.path)' of trusted certificates \(defect)."
        )
    }

    /// Bundles of authorities have texts between their blocks, often with line ends of other systems.
    @Test func allCertificatesOfABundleAreRead() throws {
        let folder = try TemporaryDirectory()
        let file = folder.url.appendingPathComponent("roots.pem")
        let block = try String(contentsOf: TLSFixtures.root, encoding: .utf8)
        let old = block.replacingOccurrences(of: " CERTIFICATE", with: " X509 CERTIFICATE")
        let bundle = Data("Root of the tests, caf".utf8) + Data([0xE9, 0x0A]) + Data(block.utf8)
        let windows = old.replacingOccurrences(of: "\n", with: "\r\n")
        let trusted = block.replacingOccurrences(of: " CERTIFICATE", with: " TRUSTED CERTIFICATE")
        try (bundle + Data("\n  # the same again\n\(windows)\n\(trusted)".utf8)).write(to: file)
        let certificates = try #require(try TransportSecurity(trustRoots: file).readTrustRoots())
        #expect(certificates.count == 3 && Set(certificates).count == 1)
        #expect(certificates.allSatisfy { $0.first == 0x30 && $0.count > 300 })
    }

    private static let certificates = [
        (ClientCertificate(pkcs12: place), "the file '\(place.path)' of the client's certificate cannot be read"),
        (ClientCertificate(pkcs12: TLSFixtures.root), "'\(TLSFixtures.root.path)' is not a PKCS#12 file"),
    ]

    @Test(arguments: certificates)
    func aClientCertificateThatIsNotPKCS12IsRefused(certificate: ClientCertificate, sentence: String) {
        let failure = failure(TransportSecurity(clientCertificate: certificate))
        #expect(failure?.isSecurityFailure == true && failure?.securityFailure == .clientCertificate)
        #expect(failure?.description == "The request failed: \(sentence).")
    }

    #if os(Linux)
    private static let pairs = [
        (place, TLSFixtures.client.key, "the file '\(place.path)' of the client's certificate cannot be read"),
        (
            TLSFixtures.client.key, TLSFixtures.client.key,
            "the file '\(TLSFixtures.client.key.path)' of the client's certificate contains no certificate in PEM form"
        ),
        (TLSFixtures.client.certificates, place, "the file '\(place.path)' of the client's key cannot be read"),
    ]

    @Test(arguments: pairs)
    func aClientCertificateWithoutItsFilesIsRefused(certificate: URL, key: URL, sentence: String) {
        let pair = ClientCertificate(certificate: certificate, key: key)
        let failure = failure(TransportSecurity(clientCertificate: pair))
        #expect(failure?.isSecurityFailure == true && failure?.securityFailure == .clientCertificate)
        #expect(failure?.description == "The request failed: \(sentence).")
    }

    @Test func urlSessionOnLinuxRefusesTheSettings() {
        let error = #expect(throws: TransportError.self) {
            _ = try URLSessionTransport(security: TransportSecurity(pinnedPublicKeys: [Self.key]))
        }
        #expect(error?.reason == .unsupported)
        #expect(
            error?.description == "The request failed: URLSession on Linux has no TLS settings; "
                + "use CurlTransport(configuration:)."
        )
    }
    #else
    @Test func aPairOfPEMFilesIsRefused() {
        let pair = ClientCertificate(certificate: TLSFixtures.client.certificates, key: TLSFixtures.client.key)
        let failure = failure(TransportSecurity(clientCertificate: pair))
        #expect(failure?.reason == .unsupported)
        #expect(failure?.description.contains("use ClientCertificate(pkcs12:password:)") == true)
    }

    @Test func aWrongPasswordIsRefused() {
        let certificate = ClientCertificate(pkcs12: TLSFixtures.pkcs12Client, password: "wrong")
        let failure = failure(TransportSecurity(clientCertificate: certificate))
        #expect(failure?.isSecurityFailure == true && failure?.securityFailure == .clientCertificate)
        #expect(failure?.description.contains("the password of the file 'client.p12' is wrong") == true)
    }
    #endif

    @Test func noTextContainsThePassword() {
        let certificate = ClientCertificate(pkcs12: Self.place, password: "secret phrase")
        let security = TransportSecurity(clientCertificate: certificate)
        var texts = ["\(security)", String(reflecting: security), String(reflecting: certificate)]
        dump(security, to: &texts[0])
        if let failure = failure(security) {
            texts += ["\(failure)", String(reflecting: failure), failure.underlying.map { "\($0)" } ?? ""]
        }
        #expect(!texts.joined().contains("secret"))
        #expect("\(certificate)" == "ClientCertificate(certificates.pem)")
    }
}
