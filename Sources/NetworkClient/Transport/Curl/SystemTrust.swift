#if os(Linux)
import CCurl

/// The authorities that the system trusts: a file with their certificates and, on Debian and Ubuntu, a directory.
///
/// Libcurl reads the whole file for each connection, which takes 20 ms of processor time, unless there is no directory:
/// then it keeps the certificates (from 7.87 on). So the directory is read only for a server that the file does not
/// suffice to verify.
struct SystemTrust: Sendable {
    /// The path of the file, and of the directory; nil for libcurl's own.
    var file: String?
    var directory: String?

    /// Whether the directory is read, too.
    var readsDirectory = true

    /// Whether libcurl keeps what it has read of the file, if there is no directory.
    private static let isKept = CurlLibrary.problem == nil && !CurlLibrary.isOlder(than: 7, 87)

    /// Whether libcurl has a file and a directory of its own.
    private static let hasBoth: Bool = {
        guard isKept, let handle = CurlHandle(), handle.text(CURLINFO_CAPATH) != nil else { return false }
        return handle.text(CURLINFO_CAINFO).map { FileManager.default.isReadableFile(atPath: $0) } ?? false
    }()

    /// The same without the directory; nil if that makes no difference.
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
