import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An open file that can be read and written at any place; the one place where the system's calls for that are.
///
/// All that fails is a `POSIXError`.
final class DiskFile: Sendable {
    private let descriptor: CInt

    private init(_ path: String, _ flags: CInt, permissions: mode_t = 0o666) throws {
        descriptor = openFile(path, flags | O_RDWR | O_CLOEXEC, permissions)
        guard descriptor >= 0 else { throw Self.failure() }
    }

    deinit {
        _ = close(descriptor)
    }

    /// A file that nothing else can open, and that ends with its last user.
    static func unnamed() throws -> DiskFile {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("NetworkClient-\(UUID().uuidString)").path
        let file = try DiskFile(path, O_CREAT | O_EXCL, permissions: 0o600)
        _ = unlink(path)
        return file
    }

    /// A new file, where none may be, for oneself alone.
    static func new(at url: URL) throws -> DiskFile {
        let file = try DiskFile(url.path, O_CREAT | O_EXCL)
        try file.lock()
        return file
    }

    /// A file that is there, for oneself alone; not one that a link leads to.
    static func existing(at url: URL) throws -> DiskFile {
        let file = try DiskFile(url.path, O_NOFOLLOW | O_NONBLOCK)
        try file.lock()
        return file
    }

    /// Against others who ask for the same, until the file is closed; some file systems have no locks.
    private func lock() throws {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        throw Self.failure()
    }

    /// The number of bytes; throws for anything but a regular file.
    func length() throws -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw POSIXError(.EINVAL) }
        return Int(status.st_size)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at position: Int) throws {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(descriptor, rest.baseAddress, min(rest.count, Self.most), off_t(position + written))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw count < 0 ? Self.failure() : POSIXError(.EIO) }
            written += count
        }
    }

    /// Fills the front of a buffer and says how much of it; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int) throws -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, min(buffer.count, Self.most), off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure() }
            return count
        }
    }

    func truncate(to length: Int) throws {
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw Self.failure() }
    }

    /// Gives a file another name, in place of whatever has that name.
    static func move(_ url: URL, to target: URL) throws {
        guard rename(url.path, target.path) == 0 else { throw failure() }
    }

    private static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// Systems refuse more than `Int32.max` bytes at once.
    private static let most = 1 << 30
}

private func openFile(_ path: String, _ flags: CInt, _ permissions: mode_t) -> CInt { open(path, flags, permissions) }
