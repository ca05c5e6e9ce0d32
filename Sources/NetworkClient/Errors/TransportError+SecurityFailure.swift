extension TransportError {
    /// Which part of making a connection secure failed; more may come, so switch over it with a `default`.
    public struct SecurityFailure: Hashable, Sendable {
        private let name: String
        let sentence: String

        private init(name: String, sentence: String) {
            self.name = name
            self.sentence = sentence
        }
    }
}

extension TransportError.SecurityFailure: CustomStringConvertible {
    /// The name of the failure.
    public var description: String { name }
}

extension TransportError.SecurityFailure {
    /// The server's certificate was not issued by an authority that is trusted.
    public static let untrustedCertificate = Self(
        name: "untrustedCertificate",
        sentence: "the server's certificate is not from an authority that is trusted"
    )

    /// The server's certificate is no longer valid.
    public static let expiredCertificate = Self(
        name: "expiredCertificate",
        sentence: "the server's certificate has expired"
    )

    /// The server's certificate is not valid yet.
    public static let prematureCertificate = Self(
        name: "prematureCertificate",
        sentence: "the server's certificate is not valid yet"
    )

    /// The server's certificate was revoked.
    public static let revokedCertificate = Self(
        name: "revokedCertificate",
        sentence: "the server's certificate was revoked"
    )

    /// The server's certificate names other hosts than the one in the URL.
    public static let wrongHost = Self(
        name: "wrongHost",
        sentence: "the server's certificate is for another host"
    )

    /// The server's public key is none of those that are pinned.
    public static let unpinnedKey = Self(
        name: "unpinnedKey",
        sentence: "the server's public key is none of those that are pinned"
    )

    /// The server wants a certificate of the client's and got none that it takes, or the client's cannot be used.
    public static let clientCertificate = Self(
        name: "clientCertificate",
        sentence: "the client's certificate is missing, refused or unusable"
    )

    /// Client and server have no version of TLS or no cipher in common.
    public static let protocolVersion = Self(
        name: "protocolVersion",
        sentence: "client and server have no version of TLS in common"
    )

    /// The file of trusted certificates cannot be used.
    public static let trustRoots = Self(
        name: "trustRoots",
        sentence: "the file of trusted certificates cannot be used"
    )
}
