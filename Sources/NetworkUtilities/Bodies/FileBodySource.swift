#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A regular file as a ``BodySource``, read while it is sent.
///
/// A reader returns the bytes of the file as it was when the source was made, or fails: a file that was removed,
/// modified or replaced is an error, never sent as another body.
///
/// For use in a custom source; elsewhere, `bodyFile(at:type:)` and `RequestContent.file(at:)` are shorter.
public struct FileBodySource: BodySource {
    /// The URL of the file.
    public let url: URL
    private let identity: RegularFile.Identity

    /// Creates a source, and records which file is at the URL and its length.
    ///
    /// - Throws: ``BodySourceError`` if there is no readable regular file at the URL.
    public init(url: URL) throws(BodySourceError) {
        self.url = url
        identity = try RegularFile(url: url).identity()
    }

    /// The number of bytes that the file had when the source was made.
    public var length: Int { identity.length }

    /// Opens the file at its first byte, without a lock on the file.
    ///
    /// - Throws: ``BodySourceError`` if the file cannot be opened, was modified or was replaced.
    public func open() throws -> any BodyReader {
        let reader = Reader(try RegularFile(url: url), identity)
        try reader.checkIdentity()
        return CheckedBodySource.Reader(reader, length: length)
    }

    /// Reads the whole file into memory; throws if it was modified since the source was made.
    package func contents() throws -> Data {
        let reader = try open()
        defer { reader.close() }
        var data = Data(count: length)
        var count = 0
        while count < data.count {
            count += try data.withUnsafeMutableBytes { bytes in
                try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
            }
        }
        return data
    }

    /// Reads the bytes of an open file, which must stay unmodified.
    ///
    /// Each read checks it, so that all bytes are from one state of the file: after its last bytes,
    /// ``CheckedBodySource`` reads the end.
    private final class Reader: BodyReader {
        private var file: RegularFile?
        private let identity: RegularFile.Identity

        init(_ file: RegularFile, _ identity: RegularFile.Identity) {
            self.file = file
            self.identity = identity
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let count = try file?.read(into: buffer) ?? 0
            try checkIdentity()
            return count
        }

        func checkIdentity() throws(BodySourceError) {
            guard let file, case let actual = try file.identity(), actual != identity else { return }
            throw .fileChanged(url: file.url, expectedLength: identity.length, actualLength: actual.length)
        }

        func close() {
            file = nil
        }
    }
}

/// An open regular file, read with system calls.
private final class RegularFile {
    /// Identifies one state of a file.
    struct Identity: Equatable, Sendable {
        let device: UInt64
        let node: UInt64
        let length: Int
        let modificationSeconds: Int64
        let modificationNanoseconds: Int64
    }

    /// `read` on Apple platforms refuses more than `Int32.max` bytes at once.
    private static let largestRead = 1 << 30

    let url: URL
    private let descriptor: Int32

    /// Opens the regular file at a URL.
    ///
    /// Checks the open file, so that it cannot be replaced between the check and the use. `O_NONBLOCK` has no effect on
    /// a regular file; without it, opening a pipe would block until a process writes to it.
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

    /// Returns the current state of the file.
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

    /// Fills the front of a buffer with the next bytes, and returns their number; 0 at the end.
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
