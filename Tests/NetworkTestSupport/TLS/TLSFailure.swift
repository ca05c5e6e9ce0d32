/// Why a TLS session could not be made, or ended other than by its rules.
package enum TLSFailure: Error, Equatable, CustomStringConvertible {
    /// The machine has no OpenSSL 1.1.1 or later.
    case unavailable
    /// The peer broke the connection off before the handshake was over, without an alert.
    case disconnected
    /// The peer sent an alert of this number (RFC 8446, section 6.2), such as 48: it doesn't know who signed the
    /// certificate.
    case alert(Int)
    /// The peer's certificate isn't trusted; the code is one of OpenSSL's `X509_V_ERR`, the reason is its text.
    case untrusted(Int, reason: String)
    /// Anything else, in the words of OpenSSL.
    case library(String)

    package var description: String {
        switch self {
        case .unavailable: "There is no OpenSSL here."
        case .disconnected: "The peer broke off the handshake."
        case .alert(let number): "The peer sent alert \(number)."
        case .untrusted(let code, let reason): "The peer's certificate is not trusted: \(reason) (\(code))."
        case .library(let reason): "OpenSSL: \(reason)."
        }
    }
}
