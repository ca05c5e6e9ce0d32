package import Foundation

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
