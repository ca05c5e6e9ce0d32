package import Foundation

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
