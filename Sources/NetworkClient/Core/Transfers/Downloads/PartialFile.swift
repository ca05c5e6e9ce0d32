/// The hidden file that a download writes until it is complete.
///
/// A partial file is used by one task at a time.
struct PartialFile: Sendable {
    let url: URL
    private(set) var count: Int
    private let file: DiskFile

    private static let suffix = ".download"

    /// Returns whether a name is the name of a partial file.
    static func isName(_ name: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(suffix) else { return false }
        return UUID(uuidString: "\(name.dropFirst().dropLast(suffix.count))") != nil
    }

    /// Creates a hidden file in the folder of the destination.
    init(for destination: DownloadDestination) throws {
        // The name does not contain the destination's name, which may already have the maximum length.
        url = Self.url(".\(UUID().uuidString)\(Self.suffix)", destination)
        let claim = PartialFileClaim(new: url)
        // Users who may not read the file to be replaced must not be able to read the new file.
        do {
            file = try DiskFile.new(at: url, isPrivate: destination.exists, claim: claim)
        } catch let error as POSIXError where error.code == .ENOENT {
            let folder = url.deletingLastPathComponent().path
            // The system says so of folders that hold no files, too, such as /proc.
            let flaw = FileManager.default.fileExists(atPath: folder) ? "cannot hold files" : "does not exist"
            let detail = "the folder '\(folder)' of the destination \(flaw)"
            throw TransportError(.fileNotWritten, detail: detail, underlying: error)
        }
        count = 0
    }

    /// Opens the file that an earlier download left.
    ///
    /// Waits until a cancelled download has closed the file. Throws if another download is writing it.
    init(left name: String, for destination: DownloadDestination) async throws {
        url = Self.url(name, destination)
        let claim = try await PartialFileClaim(left: url)
        file = try DiskFile.existing(at: url, claim: claim)
        count = try file.length()
        if destination.exists { try file.makePrivate() }
    }

    private static func url(_ name: String, _ destination: DownloadDestination) -> URL {
        destination.url.deletingLastPathComponent().appendingPathComponent(name, isDirectory: false)
    }

    /// Removes the bytes from `length` on.
    mutating func cut(to length: Int) throws {
        guard length < count else { return }
        try file.truncate(to: length)
        count = length
    }

    mutating func append(_ data: Data) throws {
        do {
            try data.withUnsafeBytes { try file.write($0, at: count) }
        } catch {
            // Some bytes may have been written although they are not counted.
            try? file.truncate(to: count)
            throw error
        }
        count += data.count
    }

    /// Waits until the bytes are on the disk, and nothing after them.
    ///
    /// Otherwise a power failure after ``move(to:)`` could leave an empty file instead of the old one.
    func finish() async throws {
        if try file.length() != count { try file.truncate(to: count) }
        try await file.synchronize()
    }

    /// Replaces the destination with the file.
    func move(to destination: DownloadDestination) throws {
        try destination.replace(by: file, at: url)
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// Announces that the download was cancelled and will close the file, so that the next download waits for that.
    func willClose() {
        PartialFileClaim.willClose(url)
    }
}

/// The exclusive right of one download of this process to write a partial file, until the claim is released.
///
/// A file lock of the system can't distinguish a download in flight from a cancelled one that is about to close its
/// file: a download that is paused and resumed immediately would start from the beginning.
private final class PartialFileClaim: Sendable {
    private struct Claim {
        let id: ObjectIdentifier
        var isEnding = false
        /// The board that ends when the claim is released, and so wakes the downloads that wait for it.
        let end = ProgressBoard()
    }

    private static let claims = Locked<[String: Claim]>([:])
    private let path: String

    /// Claims a new file.
    init(new url: URL) {
        path = url.path
        Self.claims.withLock { $0[path] = Claim(id: ObjectIdentifier(self)) }
    }

    /// Claims the file of an earlier download, after waiting until a cancelled download has released it.
    ///
    /// Throws `POSIXError.EBUSY` if the file belongs to a download in flight; `CancellationError`.
    init(left url: URL) async throws {
        path = url.path
        while let other = claim() {
            guard other.isEnding else { throw POSIXError(.EBUSY) }
            _ = await other.end.next(after: nil)
            try Task.checkCancellation()
        }
    }

    deinit {
        Self.claims.withLock { claims in
            claims[path]?.id == ObjectIdentifier(self) ? claims.removeValue(forKey: path) : nil
        }?.end.end()
    }

    static func willClose(_ url: URL) {
        claims.withLock { $0[url.path]?.isEnding = true }
    }

    /// Claims the file; returns the claim of another download if there is one, nil on success.
    private func claim() -> Claim? {
        Self.claims.withLock { claims in
            if let other = claims[path] { return other }
            claims[path] = Claim(id: ObjectIdentifier(self))
            return nil
        }
    }
}

/// The regular file that a download creates or replaces.
struct DownloadDestination: Sendable {
    /// The file; the target of the caller's URL if that is a symbolic link.
    let url: URL
    /// Whether a file exists already.
    let exists: Bool

    /// Finds the file without changing anything on the disk.
    ///
    /// Throws ``TransportError/Reason/fileNotWritten`` for a folder, a device, a pipe or a socket, since replacing it
    /// with a file would lose something.
    init(_ url: URL) throws {
        guard url.isFileURL else { throw Self.failure(.EINVAL, "the destination is not a file URL") }
        var path = url.path
        // Foundation returns an empty path for a URL with escaped bytes that are invalid in UTF-8.
        guard !path.isEmpty else { throw Self.failure(.EINVAL, "the destination has no path") }
        for _ in 0...Self.maximumLinks {
            guard case .link(let target)? = try Self.node(at: path) else {
                self.url = URL(fileURLWithPath: path, isDirectory: false)
                exists = try Self.access(of: self.url) != nil
                return
            }
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = target.hasPrefix("/") ? target : folder + target
        }
        throw Self.failure(.ELOOP, "the destination leads through too many symbolic links")
    }

    /// Replaces the destination with a complete file, which takes over the permissions of an existing file.
    func replace(by file: DiskFile, at source: URL) throws {
        if let access = try Self.access(of: url) { try file.takeOver(access) }
        try DiskFile.move(source, to: url)
    }

    /// Returns the permissions of an existing file; nil if there is no file.
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
            throw TransportError(unwrittenFile: error)
        }
    }

    private static func failure(_ code: POSIXErrorCode, _ detail: String) -> TransportError {
        TransportError(.fileNotWritten, detail: detail, underlying: POSIXError(code))
    }

    /// The maximum number of symbolic links that are followed, as on Linux.
    private static let maximumLinks = 40
}
