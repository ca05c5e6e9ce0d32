#if os(Linux)
import CCurl

/// The authorities that the system trusts: a file of certificates and, on Debian and Ubuntu, a directory.
///
/// If there is a directory, libcurl reads the whole file for each connection, which takes 20 ms of processor time;
/// otherwise it keeps the certificates (from 7.87 on). So the directory is read only for a server that can't be
/// verified with the file alone.
struct SystemTrust: Sendable {
    /// The path of the file, or of the directory; nil for libcurl's default.
    var file: String?
    var directory: String?

    /// Whether the directory is read too.
    var readsDirectory = true

    /// Whether libcurl keeps the content of the file if there is no directory.
    private static let isKept = CurlLibrary.problem == nil && !CurlLibrary.isOlder(than: 7, 87)

    /// Whether libcurl has both a file and a directory by default.
    private static let hasBoth: Bool = {
        guard isKept, let handle = CurlHandle(), handle.text(CURLINFO_CAPATH) != nil else { return false }
        return handle.text(CURLINFO_CAINFO).map { FileManager.default.isReadableFile(atPath: $0) } ?? false
    }()

    /// The same authorities without the directory; nil if there is no difference.
    var withoutDirectory: SystemTrust? {
        guard file == nil ? Self.hasBoth : Self.isKept else { return nil }
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
