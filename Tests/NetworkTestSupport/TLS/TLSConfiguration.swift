import CTLS
package import Foundation

/// The configuration of one side of a session.
package struct TLSConfiguration: Sendable {
    /// The side of the session.
    package enum Role: Sendable {
        /// A client that requests a host, and checks the certificate for it if there are trust roots.
        case client(host: String)
        /// A server; with `demandsCertificate`, clients need a certificate that the trust roots have signed.
        case server(demandsCertificate: Bool)
    }

    package var role: Role
    package var identity: TLSIdentity?
    /// The trust roots as PEM; nil for a server that requests no certificates, or a client that trusts all.
    package var trustRoots: URL?
    package var versions: ClosedRange<TLSVersion>
    /// The protocol under TLS by its ALPN name; a server selects none if the client doesn't offer it.
    package var applicationProtocol: String

    package init(
        _ role: Role,
        identity: TLSIdentity? = nil,
        trustRoots: URL? = nil,
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        applicationProtocol: String = "http/1.1"
    ) {
        self.role = role
        self.identity = identity
        self.trustRoots = trustRoots
        self.versions = versions
        self.applicationProtocol = applicationProtocol
    }

    func makeSession(_ failure: inout ctls_failure) -> OpaquePointer? {
        var options = ctls_options()
        options.lowest_version = Int32(versions.lowerBound.rawValue)
        options.highest_version = Int32(versions.upperBound.rawValue)
        var host: String?
        switch role {
        case .client(let name): host = name
        case .server(let demandsCertificate):
            options.is_server = 1
            options.requires_certificate = demandsCertificate ? 1 : 0
        }
        let texts = [
            host, identity?.certificates.path, identity?.key.path, identity?.password, trustRoots?.path,
            applicationProtocol,
        ]
        return Self.withCStrings(texts) { pointers in
            options.host = pointers[0]
            options.certificates = pointers[1]
            options.key = pointers[2]
            options.password = pointers[3]
            options.root = pointers[4]
            options.application_protocol = pointers[5]
            return ctls_session_make(&options, &failure)
        }
    }

    private static func withCStrings<Outcome>(
        _ texts: [String?],
        _ body: ([UnsafePointer<CChar>?]) -> Outcome
    ) -> Outcome {
        let copies = texts.map { $0.map { strdup($0) } }
        defer { copies.forEach { free($0 ?? nil) } }
        return body(copies.map { $0.flatMap { UnsafePointer($0) } })
    }
}

/// A version of TLS; the raw value is its number in the protocol.
package enum TLSVersion: Int, Sendable, Comparable, CaseIterable {
    case tls10 = 0x0301
    case tls11 = 0x0302
    case tls12 = 0x0303
    case tls13 = 0x0304

    package static func < (one: TLSVersion, other: TLSVersion) -> Bool {
        one.rawValue < other.rawValue
    }
}

/// The identity of a server or a client: its certificate, intermediate certificates, and key.
package struct TLSIdentity: Sendable {
    /// The certificates as PEM, the identity's certificate first.
    package let certificates: URL
    /// The key as PEM, in PKCS #8.
    package let key: URL
    /// The password of the key; nil if it isn't encrypted.
    package let password: String?

    package init(certificates: URL, key: URL, password: String? = nil) {
        self.certificates = certificates
        self.key = key
        self.password = password
    }
}

/// The certificates of `scripts/make-test-certificates`, for tests only.
package enum TLSFixtures {
    /// The folder of the fixtures.
    package static let folder = PackageFiles.root.appendingPathComponent("Tests/NetworkTestSupport/TLS/Fixtures")
    /// The root certificate for clients and servers, as PEM.
    package static let root = file("root.pem")

    /// For `localhost`, `127.0.0.1` and `::1`, like all the others unless noted; valid until 2120.
    package static let localhost = identity("localhost")
    /// Expired: valid for one day of 2020.
    package static let expired = identity("expired")
    /// Not yet valid: valid from 2119.
    package static let notYetValid = identity("not-yet-valid")
    /// For `wrong.example` only.
    package static let wrongHost = identity("wrong-host")
    /// Signed by itself.
    package static let selfSigned = identity("self-signed")
    /// Signed by an intermediate, which is included.
    package static let withIntermediate = identity("with-intermediate")
    /// Signed by an intermediate, which is missing.
    package static let withoutIntermediate = identity("without-intermediate")

    /// For a client with the name ``clientSubject``.
    package static let client = identity("client")
    /// The client's identity with an encrypted key.
    package static let encryptedClient = identity("encrypted-client", password: "the password of the tests")
    /// The client's name in the format of RFC 4514.
    package static let clientSubject = "CN=Client of the tests,O=For tests only"

    /// Returns the digest of a server's public key in curl's format, `sha256//` and Base64.
    ///
    /// - Throws: What reading the file throws; clients have none.
    package static func publicKeyPin(of identity: TLSIdentity) throws -> String {
        let file = identity.key.deletingPathExtension().appendingPathExtension("pin")
        return try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    private static func identity(_ name: String, password: String? = nil) -> TLSIdentity {
        TLSIdentity(certificates: file("\(name).pem"), key: file("\(name).key"), password: password)
    }

    private static func file(_ name: String) -> URL {
        folder.appendingPathComponent(name)
    }
}
