import Foundation

/// The regular file that a download creates or replaces.
struct DownloadDestination: Sendable {
    /// The file itself: where the caller's URL is a symbolic link, its target.
    let url: URL
    /// Whether there is a file already.
    let isThere: Bool

    /// Finds the file; nothing on the disk is changed.
    ///
    /// - Throws: ``TransportError/Reason/fileNotWritten`` for whatever cannot be replaced by a file without a loss: a
    ///   folder, a device, a pipe, a socket.
    init(_ url: URL) throws {
        guard url.isFileURL else { throw Self.failure(.EINVAL, "the destination is not a file URL") }
        var path = url.path
        // Foundation gives none for a URL with escaped bytes that are no UTF-8.
        guard !path.isEmpty else { throw Self.failure(.EINVAL, "the destination has no path") }
        for _ in 0..<Self.mostLinks {
            guard case .link(let target)? = try Self.node(at: path) else {
                self.url = URL(fileURLWithPath: path, isDirectory: false)
                isThere = try Self.access(of: self.url) != nil
                return
            }
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = target.hasPrefix("/") ? target : folder + target
        }
        throw Self.failure(.ELOOP, "the destination leads through too many symbolic links")
    }

    /// Gives a complete file the name of the destination, in place of the file that is there, and its permissions.
    func replace(by file: DiskFile, at source: URL) throws {
        if let access = try Self.access(of: url) { try file.takeOver(access) }
        try DiskFile.move(source, to: url)
    }

    /// Who may do what with the file that is there; nil if there is none.
    private static func access(of url: URL) throws -> DiskFile.Access? {
        switch try node(at: url.path) {
        case .file(let access)?: return access
        case .folder?: throw failure(.EISDIR, "the destination is a folder")
        case .special?: throw failure(.EINVAL, "the destination is a device, a pipe or a socket")
        case .link?, nil: return nil
        }
    }

    private static func node(at path: String) throws -> DiskFile.Node? {
        do {
            return try DiskFile.node(at: path)
        } catch {
            throw TransportError(.fileNotWritten, underlying: error)
        }
    }

    private static func failure(_ code: POSIXErrorCode, _ detail: String) -> TransportError {
        TransportError(.fileNotWritten, detail: detail, underlying: POSIXError(code))
    }

    /// As many as Linux follows.
    private static let mostLinks = 40
}
