#if os(Linux)
import CCurl

/// The authorities that the system trusts: a file of certificates and, on Debian and Ubuntu, a directory.
///
/// If there is a directory, libcurl reads the whole file for each connection, which takes 20 ms of processor time;
/// otherwise it keeps the certificates (from 7.87 on). So the directory is read only for a server that can't be
/// verified with the file alone.
struct SystemTrust: Sendable {
    /// The path of the file, or of the directory; nil for libcurl's default.
    var file = Self.missingFile
    var directory: String?

    /// Whether the directory is read too.
    var readsDirectory = true

    /// The file for a libcurl that has no default, such as the one in the Static Linux SDK, or that lacks its own;
    /// nil for any other.
    private static let missingFile: String? = {
        // Before 7.84, libcurl does not report its defaults.
        guard CurlLibrary.problem == nil, !CurlLibrary.isOlder(than: 7, 84), let handle = CurlHandle(),
            handle.text(CURLINFO_CAPATH) == nil
        else { return nil }
        let isReadable = FileManager.default.isReadableFile
        if let own = handle.text(CURLINFO_CAINFO), isReadable(own) { return nil }
        return file(in: ProcessInfo.processInfo.environment, isReadable: isReadable)
    }()

    /// Returns the file that OpenSSL's variable names, or else the first of the systems' usual files that exists.
    static func file(in environment: [String: String], isReadable: (String) -> Bool) -> String? {
        let usual = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
            "/usr/share/ssl/certs/ca-bundle.crt", "/usr/local/share/certs/ca-root-nss.crt",
        ]
        if let named = environment["SSL_CERT_FILE"], !named.isEmpty { return named }
        return usual.first(where: isReadable)
    }

    /// libcurl's own file; nil before 7.84, which does not report it.
    static let usualFile = CurlLibrary.isOlder(than: 7, 84) ? nil : CurlHandle()?.text(CURLINFO_CAINFO)

    /// Whether libcurl keeps the content of the file if there is no directory.
    private static let isKept = CurlLibrary.problem == nil && !CurlLibrary.isOlder(than: 7, 87)

    /// Whether libcurl has both a file and a directory by default.
    private static let hasBoth: Bool = {
        guard isKept, let handle = CurlHandle(), handle.text(CURLINFO_CAPATH) != nil else { return false }
        return handle.text(CURLINFO_CAINFO).map { FileManager.default.isReadableFile(atPath: $0) } ?? false
    }()

    /// The same authorities without the directory; nil if there is no difference.
    var withoutDirectory: SystemTrust? {
        guard file == nil ? Self.hasBoth : directory != nil && Self.isKept else { return nil }
        var trust = self
        trust.readsDirectory = false
        return trust
    }
}

extension CurlHandle {
    func set(_ trust: SystemTrust) throws(CurlFailure) {
        if let file = trust.file { try set(CURLOPT_CAINFO, file) }
        if !trust.readsDirectory {
            try set(CURLOPT_CAPATH, nil)
        } else if let directory = trust.directory {
            try set(CURLOPT_CAPATH, directory)
        }
    }
}
#endif
