public import Foundation

/// A server program with TLS, and its certificate.
///
/// The program's arguments are the files of the certificate and the key, and the names that ALPN has for the protocols
/// it offers. It prints its port, and for each line of its standard input how many connections and requests over
/// HTTP/1.1 and HTTP/2 it has accepted, and the nanoseconds of its processor time.
public struct SecureServerProgram: Sendable {
    let name: String
    let certificate: URL
    let key: URL
    let trustRoots: URL

    /// Creates the description of a program.
    ///
    /// - Parameters:
    ///   - name: The name of the program, which lies beside the running one.
    ///   - certificate: Its certificate for 127.0.0.1, a PEM file.
    ///   - key: The key of the certificate, a PEM file.
    ///   - trustRoots: The certificate of the authority that signed it, a PEM file.
    public init(_ name: String, certificate: URL, key: URL, trustRoots: URL) {
        self.name = name
        self.certificate = certificate
        self.key = key
        self.trustRoots = trustRoots
    }
}
