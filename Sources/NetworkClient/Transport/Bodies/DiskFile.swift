import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// An open file that can be read and written at any position.
///
/// Each failure is a `POSIXError`.
final class DiskFile: Sendable {
    let descriptor: CInt
    /// An object that is kept until the file has been closed.
    private let claim: (any AnyObject & Sendable)?

    private init(
        _ path: String,
        _ flags: CInt,
        permissions: mode_t = 0o666,
        claim: (any AnyObject & Sendable)? = nil
    ) throws {
        // The system would ignore everything after a NUL.
        guard !path.utf8.contains(0) else { throw POSIXError(.EINVAL) }
        var opened = openFile(path, flags | O_CLOEXEC, permissions)
        // A signal may interrupt it on a file system of the network.
        while opened < 0, errno == EINTR { opened = openFile(path, flags | O_CLOEXEC, permissions) }
        guard opened >= 0 else { throw Self.failure() }
        descriptor = opened
        self.claim = claim
    }

    deinit {
        // Unlocks first: a child between fork and exec holds a copy of the descriptor, and closing ours would leave the
        // file locked.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    /// Creates a file without a name, which exists as long as the object.
    static func unnamed() throws -> DiskFile {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appendingPathComponent("NetworkClient-\(UUID().uuidString)").path
        let file = try DiskFile(path, O_RDWR | O_CREAT | O_EXCL, permissions: 0o600)
        _ = unlink(path)
        return file
    }

    /// Creates a file and locks it; throws if there is a file of this name.
    ///
    /// Only the current user may read and write a private file; any other file gets the permissions that the process's
    /// umask allows. The claim is released when the file has been closed.
    static func new(
        at url: URL,
        isPrivate: Bool = false,
        claim: (any AnyObject & Sendable)? = nil
    ) throws -> DiskFile {
        let permissions: mode_t = isPrivate ? 0o600 : 0o666
        let file = try DiskFile(url.path, O_RDWR | O_CREAT | O_EXCL, permissions: permissions, claim: claim)
        guard file.lock() else { throw Self.failure() }
        return file
    }

    /// Opens a file and locks it; throws for a symbolic link.
    ///
    /// The claim is released when the file has been closed.
    static func existing(at url: URL, claim: (any AnyObject & Sendable)? = nil) throws -> DiskFile {
        let file = try DiskFile(url.path, O_RDWR | O_NOFOLLOW | O_NONBLOCK, claim: claim)
        guard file.lock() else { throw Self.failure() }
        return file
    }

    /// Opens a file of the current user for reading; throws ``NotOwn`` for any other file.
    static func own(at url: URL) throws -> DiskFile {
        try checkOwn(at: url.path)
        let file = try DiskFile(url.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        try checkOwn(try file.status())
        return file
    }

    /// Opens and locks a file of the current user; creates it if it is missing.
    ///
    /// Returns nil if another process or object has the lock; within the process it holds on every system, by the path.
    /// Other processes wait for a brief one, for a single write, on every system. Throws ``NotOwn`` for another user's
    /// file.
    static func lockedOwn(at url: URL, isBrief: Bool = false) throws -> DiskFile? {
        guard let claim = PathClaim(url.path) else { return nil }
        while true {
            try checkOwn(at: url.path)
            let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK
            let file = try DiskFile(url.path, flags, permissions: 0o600, claim: claim)
            try checkOwn(try file.status())
            guard file.lock(isBrief: isBrief) else { return nil }
            // The previous holder of the lock may have moved or removed the file.
            var present = stat()
            guard lstat(url.path, &present) == 0 else { continue }
            let status = try file.status()
            if present.st_ino == status.st_ino, present.st_dev == status.st_dev { return file }
        }
    }

    /// The error for a file that doesn't belong to the current user alone.
    struct NotOwn: Error {}

    /// Throws ``NotOwn`` for anything except a regular file of the effective user with a single name; a missing file is
    /// accepted.
    static func checkOwn(at path: String) throws {
        var status = stat()
        if !path.utf8.contains(0), lstat(path, &status) == 0 { try checkOwn(status) }
    }

    private static func checkOwn(_ status: stat) throws {
        // No link is fine, too: the file was replaced after it was opened, and has no name any more.
        let isOwn = status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid() && status.st_nlink <= 1
        guard isOwn else { throw NotOwn() }
    }

    static func exists(at path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Returns a number that changes whenever the file at a path is replaced or modified; 0 if there is none.
    static func revision(at path: String) -> UInt64 {
        var status = stat()
        guard lstat(path, &status) == 0 else { return 0 }
        #if canImport(Darwin)
        let (changed, modified) = (status.st_ctimespec, status.st_mtimespec)
        #else
        let (changed, modified) = (status.st_ctim, status.st_mtim)
        #endif
        let parts = [
            Int(truncatingIfNeeded: status.st_ino), Int(truncatingIfNeeded: status.st_size), Int(modified.tv_sec),
            Int(modified.tv_nsec), Int(changed.tv_sec), Int(changed.tv_nsec),
        ]
        // FNV-1a over words instead of bytes.
        return parts.reduce(0xcbf2_9ce4_8422_2325) {
            ($0 ^ UInt64(bitPattern: Int64($1))) &* 0x100_0000_01b3
        }
    }

    /// Keeps other processes from locking the file until it is closed, if the file system supports locks; returns false
    /// if another process or object has the lock.
    ///
    /// On iOS, tvOS, watchOS and visionOS only for a brief lock: these systems end an app that is suspended while it
    /// holds a lock in a shared container (0xdead10cc).
    private func lock(isBrief: Bool = false) -> Bool {
        #if !os(macOS) && canImport(Darwin)
        guard isBrief else { return true }
        #endif
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    /// Returns the length of a regular file.
    ///
    /// Throws `EFBIG` if it does not fit into an `Int`, which has 32 bits on some watches.
    func length() throws -> Int {
        let status = try status()
        guard status.st_mode & S_IFMT == S_IFREG else { throw POSIXError(.EINVAL) }
        guard let length = Int(exactly: status.st_size) else { throw POSIXError(.EFBIG) }
        return length
    }

    private func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure() }
        return status
    }

    /// Writes all bytes; if it throws, some of them may have been written.
    func write(_ bytes: UnsafeRawBufferPointer, at position: Int) throws {
        try Self.checkLimit(position, bytes.count)
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(descriptor, rest.baseAddress, min(rest.count, Self.most), off_t(position + written))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw count < 0 ? Self.failure() : POSIXError(.EIO) }
            written += count
        }
    }

    /// Fills the front of a buffer and returns the number of bytes; 0 at the end.
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

    /// Throws if the bytes exceed the process's limit for file sizes: writing them would end the process with
    /// `SIGXFSZ`.
    private static func checkLimit(_ position: Int, _ count: Int) throws {
        let (length, isTooLong) = position.addingReportingOverflow(count)
        var limit = rlimit()
        let isLimited = getrlimit(fileSizeLimit, &limit) == 0
        if isTooLong || isLimited && limit.rlim_cur < rlim_t(length) { throw POSIXError(.EFBIG) }
    }

    /// Waits until the bytes are on the disk, if the file system can tell.
    func synchronize() async throws {
        try await Self.offThread { try self.writeThrough() }
    }

    /// Blocks the thread until the bytes are on the disk, if the file system can tell.
    func writeThrough() throws {
        while fsync(descriptor) != 0 {
            switch errno {
            case EINTR: continue
            case EINVAL, ENOTSUP, ENOSYS: return
            default: throw Self.failure()
            }
        }
    }

    /// Restricts the permissions to reading and writing by the user.
    func makePrivate() throws {
        guard try status().st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 else { return }
        throw Self.failure()
    }

    /// Gives this file the permissions of another, and its owner and group as far as the system allows.
    ///
    /// If the group can't be set, the file's own group only gets the rights of all users, since its members may not be
    /// allowed to read the other file.
    func takeOver(_ access: Access) throws {
        var status = try status()
        if status.st_uid != access.owner || status.st_gid != access.group {
            if fchown(descriptor, access.owner, access.group) != 0 { _ = fchown(descriptor, .max, access.group) }
            status = try self.status()
        }
        var permissions = access.permissions
        if status.st_gid != access.group { permissions = permissions & 0o707 | (permissions & 0o007) << 3 }
        guard status.st_mode & 0o777 != permissions, fchmod(descriptor, permissions) != 0 else { return }
        throw Self.failure()
    }

    /// Renames a file, and replaces any file with the new name.
    static func move(_ url: URL, to target: URL) throws {
        guard rename(url.path, target.path) == 0 else { throw failure() }
    }

    /// Removes a file, if there is one of this name.
    static func remove(_ url: URL) throws {
        guard unlink(url.path) != 0, errno != ENOENT else { return }
        throw failure()
    }

    /// Creates a folder that only the current user may use, and missing folders on its path.
    static func createPrivateFolder(at path: String) throws {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, !parent.isEmpty, parent != path else { throw failure() }
        try createPrivateFolder(at: parent)
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw failure()
    }

    /// Runs work that may wait long for a disk.
    ///
    /// The task waits without blocking a thread of Swift's pool, which has one thread for each processor.
    static func offThread<Output: Sendable>(_ work: @escaping @Sendable () throws -> Output) async throws -> Output {
        let order = Locked(())
        defer { order.meet() }
        return try await withCheckedThrowingContinuation { waiter in
            DispatchQueue.global().async {
                let result = Result { try work() }
                order.meet()
                waiter.resume(with: result)
            }
        }
    }

    static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// The maximum number of bytes for one call; Darwin refuses more than `Int32.max`.
    private static let most = 1 << 30
}

private func openFile(_ path: String, _ flags: CInt, _ permissions: mode_t) -> CInt { open(path, flags, permissions) }

#if canImport(Glibc)
/// Glibc declares the resources as an enumeration, but its function takes another type.
private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
private let fileSizeLimit = RLIMIT_FSIZE
#endif
