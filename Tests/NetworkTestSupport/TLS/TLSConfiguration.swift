import CTLS
package import Foundation

/// The TLS of a ``LoopbackServer``.
package struct TLSConfiguration: Sendable {
    /// Whether servers with TLS work on this machine: Linux with OpenSSL 1.1.1 or later.
    package static let isAvailable = TLSSession.isAvailable

    let identity: TLSIdentity
    let versions: ClosedRange<TLSVersion>
    /// Whether clients need a certificate that ``TLSFixtures/root`` has signed.
    let demandsCertificate: Bool
    /// Whether connections end without `close_notify`, as an attacker could end them.
    let omitsCloseNotify: Bool
    /// Whether clients of TLS 1.3 get session tickets; otherwise, every connection has a full handshake.
    let sendsTickets: Bool
    /// The protocol under TLS by its ALPN name; none is selected if the client doesn't offer it.
    let applicationProtocol: String

    /// Creates a configuration; before TLS 1.2, a client may have to permit weak ciphers as well.
    package init(
        _ identity: TLSIdentity = TLSFixtures.localhost,
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        demandsCertificate: Bool = false,
        omitsCloseNotify: Bool = false,
        sendsTickets: Bool = false,
        applicationProtocol: String = "http/1.1"
    ) {
        self.identity = identity
        self.versions = versions
        self.demandsCertificate = demandsCertificate
        self.omitsCloseNotify = omitsCloseNotify
        self.sendsTickets = sendsTickets
        self.applicationProtocol = applicationProtocol
    }

    func makeSession() -> OpaquePointer? {
        ctls_session_make(
            identity.certificates.path,
            identity.key.path,
            demandsCertificate ? TLSFixtures.root.path : nil,
            applicationProtocol,
            Int32(versions.lowerBound.rawValue),
            Int32(versions.upperBound.rawValue),
            sendsTickets ? 1 : 0
        )
    }
}

/// A version of TLS; the raw value is its number in the protocol.
package enum TLSVersion: Int, Sendable, Comparable {
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
    /// The password of the key; nil if it isn't encrypted, as a server's must not be.
    package let password: String?
}

/// The certificates of `scripts/make-test-certificates`, for tests only.
package enum TLSFixtures {
    private static let folder = PackageFiles.root.appendingPathComponent("Tests/NetworkTestSupport/TLS/Fixtures")
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
    /// The client's identity as a PKCS#12 file, with the password of ``encryptedClient``.
    package static let pkcs12Client = file("client.p12")
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
