import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An open regular file, read by the system's own calls; the one place where they differ between platforms.
final class RegularFile {
    /// What tells one state of a file from another: which file it is, how long, and when it was last written to.
    struct Identity: Equatable, Sendable {
        let device: UInt64
        let node: UInt64
        let length: Int
        let modificationSeconds: Int64
        let modificationNanoseconds: Int64
    }

    /// `read` on Apple platforms refuses more than `Int32.max` bytes at once.
    private static let largestRead = 1 << 30

    private let url: URL
    private let descriptor: Int32

    /// Opens the file at a URL, and nothing that is not a regular file.
    ///
    /// What was opened is what is checked, so that nothing can take its place in between. `O_NONBLOCK` has no effect on
    /// a regular file; without it, opening a pipe would wait for somebody to write to it.
    init(url: URL) throws(BodySourceError) {
        guard url.isFileURL else { throw .notARegularFile(url: url) }
        var result = Self.open(url.path)
        while result.descriptor < 0, result.code == EINTR { result = Self.open(url.path) }
        guard result.descriptor >= 0 else {
            throw result.code == ENOENT || result.code == ENOTDIR
                ? .fileMissing(url: url) : .fileUnreadable(url: url, code: result.code)
        }
        self.url = url
        descriptor = result.descriptor
        guard try status().st_mode & S_IFMT == S_IFREG else { throw .notARegularFile(url: url) }
    }

    deinit {
        _ = close(descriptor)
    }

    /// The state that the file is in now.
    func identity() throws(BodySourceError) -> Identity {
        let status = try status()
        #if canImport(Darwin)
        let modified = status.st_mtimespec
        #else
        let modified = status.st_mtim
        #endif
        guard let length = Int(exactly: status.st_size) else { throw .fileUnreadable(url: url, code: EOVERFLOW) }
        return Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            node: UInt64(truncatingIfNeeded: status.st_ino),
            length: length,
            modificationSeconds: Int64(modified.tv_sec),
            modificationNanoseconds: Int64(modified.tv_nsec)
        )
    }

    /// Fills the front of the buffer with the next bytes and returns how many there were; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(BodySourceError) -> Int {
        while true {
            let count = systemRead(descriptor, buffer.baseAddress, min(buffer.count, Self.largestRead))
            if count >= 0 { return count }
            guard errno == EINTR else { throw .fileUnreadable(url: url, code: errno) }
        }
    }

    private func status() throws(BodySourceError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .fileUnreadable(url: url, code: errno) }
        return status
    }

    private static func open(_ path: String) -> (descriptor: Int32, code: Int32) {
        let descriptor = systemOpen(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        return (descriptor, errno)
    }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    open(path, flags)
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
