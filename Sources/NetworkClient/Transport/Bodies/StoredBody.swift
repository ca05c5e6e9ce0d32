#if os(Linux)
import CCurl
#endif

/// A body whose bytes are in a file without a name, which exists as long as the body.
struct StoredBody: BodySource {
    let length: Int
    let file: DiskFile
    /// Called with the number of bytes that a reader has read so far.
    var onRead: (@Sendable (Int) -> Void)?

    /// Creates a file for a body, which stays open while the body waits to be sent.
    ///
    /// - Throws: `POSIXError`, with the code `EMFILE` even before the process has no descriptor left.
    static func makeFile() throws -> DiskFile {
        let file = try DiskFile.unnamed()
        #if os(Linux)
        // The last quarter stays for connections and other files; the system gives the lowest free descriptor.
        let limit = ccurl_descriptor_limit()
        guard file.descriptor < limit - min(128, limit / 4) else { throw POSIXError(.EMFILE) }
        #endif
        return file
    }

    func open() -> any BodyReader {
        Reader(file, onRead)
    }

    /// One pass over the file.
    private final class Reader: BodyReader {
        private let file: DiskFile
        private let onRead: (@Sendable (Int) -> Void)?
        private var offset = 0

        init(_ file: DiskFile, _ onRead: (@Sendable (Int) -> Void)?) {
            self.file = file
            self.onRead = onRead
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let count = try file.read(into: buffer, at: offset)
            offset += count
            if count > 0 { onRead?(offset) }
            return count
        }

        func close() {}
    }
}
