/// Whom a TLS server lets in.
package enum TLSClients: Sendable {
    /// Everybody, without asking for a certificate.
    case anonymous
    /// Those who show no certificate, and those who show one that ``TLSFixtures/root`` has signed.
    case asked
    /// Only those who show a certificate that ``TLSFixtures/root`` has signed.
    case certified
}
