#if os(Linux)
import CCurl
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension CurlFailure {
    /// Which part of TLS failed; nil if it was something else, or nobody knows.
    ///
    /// `certificateCheck` is what OpenSSL's check of the certificate came to, 0 if it was content or not asked;
    /// libcurl's other libraries say it in the text only.
    static func security(
        of result: ccurl_result,
        _ text: String,
        certificateCheck: Int,
        hasSent: Bool
    ) -> TransportError.SecurityFailure? {
        switch result {
        case CCURL_RESULT_PINNED_KEY: .unpinnedKey
        case CCURL_RESULT_CLIENT_CERTIFICATE, CCURL_RESULT_CLIENT_CERTIFICATE_REQUIRED: .clientCertificate
        case CCURL_RESULT_TRUST_ROOTS: .trustRoots
        // The client's key or its password, from libcurl 8.16 on.
        case CCURL_RESULT_BAD_ARGUMENT where !hasSent && isAboutKey(text): .clientCertificate
        case CCURL_RESULT_SERVER_CERTIFICATE: certificate(text.lowercased(), certificateCheck)
        case CCURL_RESULT_TLS_NOT_AGREED, CCURL_RESULT_NOT_RECEIVED, CCURL_RESULT_NOT_SENT:
            handshake(text.lowercased(), certificateCheck)
        default: nil
        }
    }

    private static func isAboutKey(_ text: String) -> Bool {
        text.contains("private key") || text.contains("client certificate") || text.contains("PEM file")
    }

    private static func certificate(_ text: String, _ check: Int) -> TransportError.SecurityFailure {
        switch check {
        case notYetValid: return .prematureCertificate
        case expired: return .expiredCertificate
        case revoked: return .revokedCertificate
        case hostMismatch, addressMismatch: return .wrongHost
        default: break
        }
        if text.contains("subject name") || text.contains("does not match") { return .wrongHost }
        if text.contains("expired") || text.contains("expiration date has passed") { return .expiredCertificate }
        if text.contains("not yet valid") || text.contains("not activated") { return .prematureCertificate }
        return text.contains("revoked") ? .revokedCertificate : .untrustedCertificate
    }

    /// An alert of the server's comes as text only, and in TLS 1.3 not before the client reads.
    private static func handshake(_ text: String, _ check: Int) -> TransportError.SecurityFailure? {
        let isAbout = { (words: [String]) in words.contains { text.contains($0) } }
        if isAbout(["protocol version", "unsupported protocol", "no protocols available", "wrong version"]) {
            return .protocolVersion
        }
        let alerts = [
            "certificate required", "certificate is required", "bad certificate", "certificate is bad",
            "alert unknown ca", "alert certificate",
        ]
        return isAbout(alerts) ? .clientCertificate : nil
    }

    /// What OpenSSL calls them, in the numbers of its interface.
    private static let notYetValid = 9
    private static let expired = 10
    private static let revoked = 23
    private static let hostMismatch = 62
    private static let addressMismatch = 64
}

extension TransportError {
    init(_ failure: CurlFailure, request: URLRequest) {
        self.init(
            failure.reason,
            request: request,
            detail: failure.detail,
            securityFailure: failure.security,
            proxyStatus: failure.proxyStatus,
            underlying: failure
        )
    }
}
#endif
