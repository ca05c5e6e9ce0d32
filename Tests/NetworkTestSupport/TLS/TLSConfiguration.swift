import CTLS
package import Foundation

/// What one side of a session brings along.
package struct TLSConfiguration: Sendable {
    /// Which side it is.
    package enum Role: Sendable {
        /// Asks for the host, and checks the certificate for it if there are trust roots.
        case client(host: String)
        /// With `demandsCertificate`, no client gets through the handshake without one that the trust roots signed.
        case server(demandsCertificate: Bool)
    }

    package var role: Role
    package var identity: TLSIdentity?
    /// PEM; nil for a server that does not ask for certificates, and for a client that believes everything.
    package var trustRoots: URL?
    package var versions: ClosedRange<TLSVersion>
    /// What it speaks under TLS, by its ALPN name: a server leaves it open if the client doesn't offer just that.
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

/// A version of the protocol; the raw value is its number on the wire.
package enum TLSVersion: Int, Sendable, Comparable, CaseIterable {
    case tls10 = 0x0301
    case tls11 = 0x0302
    case tls12 = 0x0303
    case tls13 = 0x0304

    package static func < (one: TLSVersion, other: TLSVersion) -> Bool {
        one.rawValue < other.rawValue
    }
}

/// A certificate, those that vouch for it, and its key: what a server or a client shows of itself.
package struct TLSIdentity: Sendable {
    /// PEM, its own certificate first.
    package let certificates: URL
    /// PEM, PKCS #8.
    package let key: URL
    /// Of the key, nil if it is not encrypted.
    package let password: String?

    package init(certificates: URL, key: URL, password: String? = nil) {
        self.certificates = certificates
        self.key = key
        self.password = password
    }
}

/// The certificates of `scripts/make-test-certificates`, for tests only.
package enum TLSFixtures {
    /// Where they are.
    package static let folder = PackageFiles.root.appendingPathComponent("Tests/NetworkTestSupport/TLS/Fixtures")
    /// The one that a client has to trust, and by which a server knows its clients; PEM.
    package static let root = file("root.pem")

    /// For `localhost`, `127.0.0.1` and `::1`, as all that follow unless they say otherwise; valid until 2120.
    package static let localhost = identity("localhost")
    /// Was valid for one day of 2020.
    package static let expired = identity("expired")
    /// Will be valid from 2119.
    package static let notYetValid = identity("not-yet-valid")
    /// For `wrong.example` only.
    package static let wrongHost = identity("wrong-host")
    /// Vouched for by nobody.
    package static let selfSigned = identity("self-signed")
    /// Vouched for by an intermediate, which is shown with it.
    package static let withIntermediate = identity("with-intermediate")
    /// The same one and its key, but the intermediate is kept back.
    package static let withoutIntermediate = identity("without-intermediate")

    /// For a client, whose name is ``clientSubject``.
    package static let client = identity("client")
    /// The same one, with its key encrypted.
    package static let encryptedClient = identity("encrypted-client", password: "the password of the tests")
    /// As RFC 4514 writes it.
    package static let clientSubject = "CN=Client of the tests,O=For tests only"

    /// The digest of a server's public key as curl takes it, `sha256//` and Base64.
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
