#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

extension DiskFile {
    /// The owner and the permissions of a file.
    struct Access: Sendable {
        let owner: uid_t
        let group: gid_t
        /// The rights to read, write and execute, without the set-user-ID and set-group-ID bits.
        let permissions: mode_t

        fileprivate init(_ status: stat) {
            owner = status.st_uid
            group = status.st_gid
            permissions = status.st_mode & 0o777
        }
    }

    /// The kinds of entries in a folder.
    enum Node {
        case file(Access)
        case folder
        /// A symbolic link to a path, which is relative to the link's folder unless it begins with a slash.
        case link(String)
        /// A device, a pipe or a socket.
        case special
    }

    /// Returns the entry at a path; nil if there is none.
    static func node(at path: String) throws -> Node? {
        guard !path.utf8.contains(0) else { throw POSIXError(.EINVAL) }
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw failure()
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(Access(status))
        case S_IFDIR: return .folder
        case S_IFLNK: return .link(try FileManager.default.destinationOfSymbolicLink(atPath: path))
        default: return .special
        }
    }
}
