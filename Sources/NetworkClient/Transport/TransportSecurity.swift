/// The TLS settings of a transport: the trusted servers, and the identity of the client.
///
/// `CurlTransport.Configuration` on Linux and ``URLSessionTransport/init(session:security:)`` on Apple platforms have
/// the same settings and errors.
///
/// ```swift
/// func security(pins: [Data], password: String) -> TransportSecurity {
///     TransportSecurity(
///         pinnedPublicKeys: pins,
///         clientCertificate: .init(
///             pkcs12: URL(fileURLWithPath: "/etc/my/client.p12"), password: password
///         ),
///         minimumVersion: .tls13
///     )
/// }
/// ```
///
/// The certificate of a server, and the name in it, are always checked; that can't be turned off. The trust roots and
/// the oldest version also apply to a proxy with the scheme `https`.
///
/// Creating a transport fails if a pin has the wrong length, or if a file can't be read or has the wrong format.
/// `CurlTransport` reads the files again for its connections, URLSession only once.
public struct TransportSecurity: Hashable, Sendable {
    /// A file with the certificates (PEM) of the trusted authorities; nil for the system's trust store.
    public var trustRoots: URL?

    /// The SHA-256 digests, each 32 bytes, of public keys (the DER form of `SubjectPublicKeyInfo`).
    ///
    /// The server must have one of these keys in addition to a trusted certificate; an empty array allows any key. The
    /// keys of the authorities between the server's certificate and the root are not compared.
    public var pinnedPublicKeys: [Data]

    /// The certificate for a server that asks for one.
    ///
    /// It goes to every server that asks, also after a redirect to another origin, and shows it the identity in the
    /// certificate. To confine it, give the servers that need it a client of their own, with
    /// ``RedirectPolicy/sameOrigin``.
    public var clientCertificate: ClientCertificate?

    /// The oldest version of TLS that is accepted; 1.2 by default.
    public var minimumVersion: Version

    /// Creates settings.
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
    @nonexhaustive
    public enum Version: Hashable, Sendable {
        /// TLS 1.0 (RFC 2246), which is insecure (RFC 8996); the system may still refuse it.
        case tls10
        /// TLS 1.1 (RFC 4346), which is insecure (RFC 8996); the system may still refuse it.
        case tls11
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// A certificate with its key: a PKCS#12 file, or on Linux two PEM files.
    public struct ClientCertificate: Hashable, Sendable {
        /// The file with the certificate, and the certificates of the authorities between it and the root.
        public var certificate: URL

        /// The PEM file with the private key; nil if ``certificate`` is a PKCS#12 file, which contains the key.
        public var key: URL?

        /// The password with which the key is encrypted; nil if it is not encrypted.
        public var password: String?

        var isPKCS12: Bool { key == nil }

        /// Creates a client certificate from two PEM files, which only `CurlTransport` can read.
        public init(certificate: URL, key: URL, password: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.password = password
        }

        /// Creates a client certificate from a PKCS#12 file (RFC 7292), which usually ends in `.p12` or `.pfx`.
        ///
        /// URLSession and libcurl with OpenSSL can read it. Older Apple systems can't read the encryption that OpenSSL
        /// 3 chooses; all systems can read a file that was made with `openssl pkcs12 -export -certpbe PBE-SHA1-3DES
        /// -keypbe PBE-SHA1-3DES -macalg sha1`.
        public init(pkcs12: URL, password: String? = nil) {
            certificate = pkcs12
            key = nil
            self.password = password
        }
    }
}

extension TransportSecurity.ClientCertificate: OpaqueValue {
    /// The name of the certificate's file, without the password.
    public var description: String { "ClientCertificate(\(certificate.lastPathComponent))" }
}

// MARK: - Checks

extension TransportSecurity {
    /// The length of a SHA-256 digest.
    private static let digestLength = 32

    /// Checks everything that can be checked without a connection.
    ///
    /// - Throws: ``TransportError/Reason/secureConnectionFailed``, which names the invalid setting.
    func check() throws(TransportError) {
        try checkPins()
        _ = try readTrustRoots()
        try clientCertificate?.check()
    }

    func checkPins() throws(TransportError) {
        guard let pin = pinnedPublicKeys.first(where: { $0.count != Self.digestLength }) else { return }
        throw TransportError(
            invalid: .pinnedKeys,
            "a pinned key has \(pin.count) bytes, but a SHA-256 digest has \(Self.digestLength)"
        )
    }

    /// Returns the trust roots, each as DER; nil for the system's.
    ///
    /// Does not check their content, which the TLS library does.
    func readTrustRoots() throws(TransportError) -> [Data]? {
        guard let trustRoots else { return nil }
        return try PEMCertificates.read(trustRoots, "of trusted certificates", .trustRoots)
    }
}

extension TransportSecurity.ClientCertificate {
    func check() throws(TransportError) {
        guard let key else {
            _ = try readPKCS12()
            return
        }
        _ = try PEMCertificates.read(certificate, "of the client's certificate", .clientCertificate)
        _ = try TransportSecurity.read(key, "of the client's key", .clientCertificate)
    }

    func readPKCS12() throws(TransportError) -> Data {
        let content = try TransportSecurity.read(certificate, "of the client's certificate", .clientCertificate)
        // A PKCS#12 file begins with the tag of a sequence (RFC 7292 §4), and a PEM file with text.
        guard content.first == 0x30 else {
            throw TransportError(invalid: .clientCertificate, "'\(certificate.path)' is not a PKCS#12 file")
        }
        return content
    }
}

extension TransportSecurity {
    fileprivate static func read(
        _ file: URL,
        _ content: String,
        _ setting: TransportError.SecurityFailure
    ) throws(TransportError) -> Data {
        // Foundation would load any other URL from the network.
        guard file.isFileURL else {
            let name = file.lastPathComponent
            throw TransportError(invalid: setting, "the URL '\(name)' \(content) is not a file URL")
        }
        do {
            return try Data(contentsOf: file)
        } catch {
            throw TransportError(
                invalid: setting,
                "the file '\(file.path)' \(content) cannot be read",
                underlying: error
            )
        }
    }
}

/// The certificates in a PEM file (RFC 7468).
private enum PEMCertificates {
    /// The last label is OpenSSL's own format, which also states the purposes of a certificate.
    private static let labels = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]

    /// Returns the certificates, at least one, each as DER.
    static func read(
        _ file: URL,
        _ content: String,
        _ setting: TransportError.SecurityFailure
    ) throws(TransportError) -> [Data] {
        // Text between the blocks may have any encoding.
        let text = String(decoding: try TransportSecurity.read(file, content, setting), as: UTF8.self)
        let blocks = blocks(in: text)
        let certificates = blocks.compactMap { Data(base64Encoded: $0) }.filter { !$0.isEmpty }
        guard !blocks.isEmpty, certificates.count == blocks.count else {
            let defect = blocks.isEmpty ? "contains no certificate in PEM form" : "contains an invalid PEM block"
            throw TransportError(invalid: setting, "the file '\(file.path)' \(content) \(defect)")
        }
        return certificates
    }

    /// Returns the Base64 texts between the lines that begin and end certificates; empty for a text without an end.
    private static func blocks(in text: String) -> [String] {
        var blocks: [String] = []
        var block: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            if labels.contains(where: { line == "-----BEGIN \($0)-----" }) {
                if block != nil { blocks.append("") }
                block = ""
            } else if labels.contains(where: { line == "-----END \($0)-----" }) {
                if let whole = block { blocks.append(whole) }
                block = nil
            } else {
                block?.append(line)
            }
        }
        return block == nil ? blocks : blocks + [""]
    }
}

extension TransportError {
    /// Creates the error for invalid settings of a transport.
    init(invalid setting: SecurityFailure, _ detail: String, underlying: (any Swift.Error)? = nil) {
        self.init(.secureConnectionFailed, detail: detail, securityFailure: setting, underlying: underlying)
    }
}
