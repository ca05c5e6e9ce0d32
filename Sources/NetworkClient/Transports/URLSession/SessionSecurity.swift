#if canImport(FoundationNetworking)

/// The TLS settings of a URLSession; can't be created on Linux, where a URLSession has no such settings.
struct SessionSecurity: Sendable {
    init(_ security: TransportSecurity) throws {
        throw TransportError(
            .unsupported,
            detail: "URLSession on Linux has no TLS settings; use CurlTransport(configuration:)"
        )
    }

    func apply(to configuration: URLSessionConfiguration) {}

    func respond(
        to challenge: URLAuthenticationChallenge,
        of exchange: SessionExchange?,
        _ completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Bool { false }
}

#else
import CryptoKit
import Security

/// The TLS settings of a URLSession, which decide its challenges as libcurl does.
///
/// A server needs a trusted certificate and one of the pinned keys.
///
/// It contains no object of the Security framework except the credential, since the others are not `Sendable`.
struct SessionSecurity: Sendable {
    private let minimumVersion: TransportSecurity.Version
    /// The certificates of the trusted authorities as DER; nil for the system's.
    private let roots: [Data]?
    private let pins: Set<Data>
    private let identity: URLCredential?

    /// A serial queue, since a trust must be evaluated on the queue that receives the result.
    private static let queue = DispatchQueue(label: "NetworkClient.Trust")

    init(_ security: TransportSecurity) throws {
        try security.checkPins()
        minimumVersion = security.minimumVersion
        pins = Set(security.pinnedPublicKeys)
        roots = try security.readTrustRoots()
        identity = try security.clientCertificate.map(Self.identity)
        if let file = security.trustRoots, let roots, Self.certificates(roots) == nil {
            throw TransportError(
                invalid: .trustRoots,
                "the file '\(file.path)' of trusted certificates contains an invalid certificate"
            )
        }
    }

    func apply(to configuration: URLSessionConfiguration) {
        configuration.tlsMinimumSupportedProtocolVersion =
            switch minimumVersion {
            case .tls10: .TLSv10
            case .tls11: .TLSv11
            case .tls12: .TLSv12
            case .tls13: .TLSv13
            }
    }

    /// Responds to a challenge, immediately or later; returns false if the settings don't apply to it.
    ///
    /// As with libcurl, a proxy does not receive the client's certificate.
    func respond(
        to challenge: URLAuthenticationChallenge,
        of exchange: SessionExchange?,
        _ completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Bool {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust where roots != nil || !pins.isEmpty:
            // The evaluation would block the delegate's queue: the system may have to fetch certificates and revocation
            // lists.
            Self.queue.async {
                evaluate(challenge) { failure, error in
                    guard let failure else { return completionHandler(.useCredential, Self.credential(challenge)) }
                    exchange?.refused(failure, error)
                    completionHandler(.cancelAuthenticationChallenge, nil)
                }
            }
            return true
        case NSURLAuthenticationMethodClientCertificate:
            guard let identity, !challenge.protectionSpace.isProxy() else { return false }
            completionHandler(.useCredential, identity)
            return true
        default:
            return false
        }
    }

    private static func credential(_ challenge: URLAuthenticationChallenge) -> URLCredential? {
        challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) }
    }

    /// Calls `completion` with the defect of the server's certificate; with nil if it has none.
    private func evaluate(
        _ challenge: URLAuthenticationChallenge,
        then completion: @escaping @Sendable (TransportError.SecurityFailure?, (any Error)?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust, setRoots(of: trust) else {
            return completion(.untrustedCertificate, nil)
        }
        let status = SecTrustEvaluateAsyncWithError(trust, Self.queue) { trust, isTrusted, error in
            guard isTrusted else {
                let error = error as (any Error)? as NSError?
                return completion(.init(trustStatus: error?.code), error.map(Self.publicError))
            }
            completion(pins.isEmpty || Self.pin(of: trust).map(pins.contains) == true ? nil : .unpinnedKey, nil)
        }
        if status != errSecSuccess { completion(.untrustedCertificate, nil) }
    }

    /// Returns the error with only its code and text, since its other values contain the certificates.
    private static func publicError(_ error: NSError) -> any Error {
        let text = [NSLocalizedDescriptionKey: error.localizedDescription]
        return NSError(domain: error.domain, code: error.code, userInfo: text)
    }

    /// Replaces the system's trust roots; returns false if that fails.
    private func setRoots(of trust: SecTrust) -> Bool {
        guard let roots else { return true }
        guard let certificates = Self.certificates(roots) else { return false }
        return SecTrustSetAnchorCertificates(trust, certificates as CFArray) == errSecSuccess
            && SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
    }

    /// Returns the certificates; nil if one of them is invalid.
    private static func certificates(_ encoded: [Data]) -> [SecCertificate]? {
        let certificates = encoded.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        return certificates.count == encoded.count ? certificates : nil
    }

    /// Returns the digest of the server's key; nil if the key is of an unknown kind.
    private static func pin(of trust: SecTrust) -> Data? {
        guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let server = chain.first,
            let key = SecCertificateCopyKey(server),
            let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?
        else { return nil }
        return SubjectPublicKeyInfo.encode(bytes).map { Data(SHA256.hash(data: $0)) }
    }

    /// Reads a PKCS#12 file.
    ///
    /// On macOS before 15 the system stores the key in the user's keychain.
    private static func identity(_ certificate: TransportSecurity.ClientCertificate) throws -> URLCredential {
        let name = certificate.certificate.path
        guard certificate.key == nil else {
            throw TransportError(
                .unsupported,
                detail: "URLSession cannot use the PEM file '\(name)'; use ClientCertificate(pkcs12:password:)"
            )
        }
        let content = try certificate.readPKCS12()
        var options: [String: Any] = [kSecImportExportPassphrase as String: certificate.password ?? ""]
        #if os(macOS) || targetEnvironment(macCatalyst)
        if #available(macOS 15, macCatalyst 18, *) { options[kSecImportToMemoryOnly as String] = true }
        #endif
        var result: CFArray?
        let status = SecPKCS12Import(content as CFData, options as CFDictionary, &result)
        guard status != errSecAuthFailed, status != errSecPkcs12VerifyFailure else {
            let detail = "the password of the file '\(name)' is wrong, or the system cannot read its encryption"
            throw TransportError(invalid: .clientCertificate, detail)
        }
        let items = result as? [[String: Any]] ?? []
        let item = items.first { $0[kSecImportItemIdentity as String] != nil } ?? [:]
        // An array is cast, since the compiler refuses a conditional cast to a type of Core Foundation.
        let identities = [item[kSecImportItemIdentity as String]].compactMap { $0 } as? [SecIdentity]
        guard status == errSecSuccess, let identity = identities?.first else {
            let detail = "the file '\(name)' contains no certificate with its key that the system can read"
            throw TransportError(invalid: .clientCertificate, detail)
        }
        // The first certificate of the chain belongs to the identity.
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        return URLCredential(identity: identity, certificates: Array(chain.dropFirst()), persistence: .forSession)
    }
}

#endif

extension TransportError.SecurityFailure {
    /// Creates the defect of a certificate from the status of the Security framework, an `errSec` number.
    init(trustStatus: Int?) {
        self =
            switch trustStatus {
            case -67_602: .wrongHost
            case -67_818: .expiredCertificate
            case -67_819: .prematureCertificate
            case -67_820: .revokedCertificate
            default: .untrustedCertificate
            }
    }
}
