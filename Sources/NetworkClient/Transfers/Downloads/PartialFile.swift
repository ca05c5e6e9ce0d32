import Foundation

/// The file that a download writes until it is complete.
///
/// Used by one task at a time.
struct PartialFile: Sendable {
    let url: URL
    private(set) var count: Int
    private let file: DiskFile

    private static let suffix = ".download"

    /// Whether a file of that name is one of these.
    static func isName(_ name: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(suffix) else { return false }
        return UUID(uuidString: "\(name.dropFirst().dropLast(suffix.count))") != nil
    }

    /// Creates a hidden file in the folder of the destination.
    init(for destination: DownloadDestination) throws {
        // Without the destination's name, which may be as long as a name can be.
        url = Self.url(".\(UUID().uuidString)\(Self.suffix)", destination)
        let claim = PartialFileClaim(new: url)
        // The file that is to be replaced may be one that only the user can read.
        file = try DiskFile.new(at: url, isPrivate: destination.isThere, claim: claim)
        count = 0
    }

    /// Opens the file that an earlier download left.
    ///
    /// If that download was cancelled and still has the file, this waits until it is closed. Throws if another download
    /// is writing the file.
    init(left name: String, for destination: DownloadDestination) async throws {
        url = Self.url(name, destination)
        let claim = try await PartialFileClaim(left: url)
        file = try DiskFile.existing(at: url, claim: claim)
        count = try file.length()
        if destination.isThere { try file.makePrivate() }
    }

    private static func url(_ name: String, _ destination: DownloadDestination) -> URL {
        destination.url.deletingLastPathComponent().appendingPathComponent(name, isDirectory: false)
    }

    /// Removes the bytes from an offset on.
    mutating func cut(to length: Int) throws {
        guard length < count else { return }
        try file.truncate(to: length)
        count = length
    }

    mutating func append(_ data: Data) throws {
        do {
            try data.withUnsafeBytes { try file.write($0, at: count) }
        } catch {
            // Of the bytes, some may be in the file, which are not counted.
            try? file.truncate(to: count)
            throw error
        }
        count += data.count
    }

    /// Waits until the bytes, and no others, are on the disk: otherwise a power failure after ``land(at:)`` could leave
    /// an empty file instead of the old one.
    func finish() async throws {
        if try file.length() != count { try file.truncate(to: count) }
        try await file.synchronize()
    }

    /// Gives the file the name of the destination.
    func land(at destination: DownloadDestination) throws {
        try destination.replace(by: file, at: url)
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// To be called when the download was cancelled and will close the file, so that the next one waits for that.
    func willClose() {
        PartialFileClaim.willClose(url)
    }
}

/// The right of one download of this process to write a partial file; given back when it is released.
///
/// Locks of the system cannot tell a download that goes on from one that was cancelled a moment ago and is about to
/// close its file: pausing a download and resuming it at once would begin anew.
private final class PartialFileClaim: Sendable {
    private struct Claim {
        let id: ObjectIdentifier
        var isEnding = false
        /// Ends with the claim, and wakes those who wait for that.
        let end = ProgressBoard()
    }

    private static let claims = Locked<[String: Claim]>([:])
    private let path: String

    /// Claims a file of which nobody else knows the name.
    init(new url: URL) {
        path = url.path
        Self.claims.withLock { $0[path] = Claim(id: ObjectIdentifier(self)) }
    }

    /// Claims a file that there may be, as soon as no cancelled download has it any more.
    ///
    /// - Throws: `POSIXError.EBUSY` if a download has the file that was not cancelled; `CancellationError`.
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

    /// Nil if it succeeds; the claim of another otherwise.
    private func claim() -> Claim? {
        Self.claims.withLock { claims in
            if let other = claims[path] { return other }
            claims[path] = Claim(id: ObjectIdentifier(self))
            return nil
        }
    }
}
