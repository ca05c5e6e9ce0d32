#if os(Linux)
public import Foundation

extension CurlTransport {
    /// Which servers are trusted, and who the client is for them.
    ///
    /// The certificate of a server is always checked, and the name in it; there is no way to turn that off. The trust
    /// roots and the oldest version hold for a proxy that is reached by `https` too.
    public struct Security: Hashable, Sendable {
        /// A file with the certificates (PEM) of the authorities that are trusted, in place of the system's; nil for
        /// the system's trust store.
        public var trustRoots: URL?

        /// The SHA-256 digests, each 32 bytes, of the public keys (the DER form of `SubjectPublicKeyInfo`) one of which
        /// the server must have, besides a trusted certificate; none for any key.
        public var pinnedPublicKeys: [Data]

        /// What the client shows to a server that asks for it.
        public var clientCertificate: ClientCertificate?

        /// The oldest version of TLS that is spoken; 1.2 unless told otherwise.
        public var minimumVersion: Version

        /// Takes the settings.
        ///
        /// - Parameters:
        ///   - trustRoots: A file with certificates (PEM), or nil for the system's.
        ///   - pinnedPublicKeys: SHA-256 digests of public keys.
        ///   - clientCertificate: What the client shows.
        ///   - minimumVersion: The oldest version of TLS.
        public init(
            trustRoots: URL? = nil,
            pinnedPublicKeys: [Data] = [],
            clientCertificate: ClientCertificate? = nil,
            minimumVersion: Version = .tls12
        ) {
            self.trustRoots = trustRoots
            self.pinnedPublicKeys = pinnedPublicKeys
            self.clientCertificate = clientCertificate
            self.minimumVersion = minimumVersion
        }

        /// A version of TLS.
        public enum Version: Hashable, Sendable {
            /// TLS 1.0 (RFC 2246), which is insecure (RFC 8996); the system may refuse it all the same.
            case tls10
            /// TLS 1.1 (RFC 4346), which is insecure (RFC 8996); the system may refuse it all the same.
            case tls11
            /// TLS 1.2 (RFC 5246).
            case tls12
            /// TLS 1.3 (RFC 8446).
            case tls13
        }

        /// A certificate with its key, both PEM files.
        public struct ClientCertificate: Hashable, Sendable {
            /// The file with the certificate, and those of the authorities between it and the root.
            public var certificate: URL

            /// The file with the private key.
            public var key: URL

            /// What the key is encrypted with; nil if it is not.
            public var password: String?

            /// Takes the files.
            ///
            /// - Parameters:
            ///   - certificate: The file with the certificate.
            ///   - key: The file with the private key.
            ///   - password: What the key is encrypted with.
            public init(certificate: URL, key: URL, password: String? = nil) {
                self.certificate = certificate
                self.key = key
                self.password = password
            }
        }
    }
}

extension CurlTransport.Security.ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The file with the certificate; never the password.
    public var description: String { "ClientCertificate(\(certificate.lastPathComponent))" }

    /// As ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, which would show the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
