public import Foundation

/// A regular file as a ``BodySource``, read while it is sent.
///
/// A reader gives the bytes of the file that was there when the source was made, or fails: a file that is missing, has
/// become shorter or longer, was written to or replaced is an error, never another body under the same length.
///
/// For a source of your own that wraps one; elsewhere `bodyFile(at:type:)` and `RequestContent.file(at:)` are shorter.
public struct FileBodySource: BodySource {
    /// Where the file is.
    public let url: URL
    private let identity: RegularFile.Identity

    /// Opens the file once, to record which one it is and how long.
    ///
    /// - Parameter url: A `file:` URL.
    /// - Throws: ``BodySourceError`` if it is missing, no regular file or not readable.
    public init(url: URL) throws(BodySourceError) {
        self.url = url
        identity = try RegularFile(url: url).identity()
    }

    /// How many bytes the file had when the source was made.
    public var length: Int { identity.length }

    /// Opens the file at its first byte.
    ///
    /// - Returns: A reader, which takes no lock on the file and no memory for it.
    /// - Throws: ``BodySourceError`` if the file cannot be opened, or is not the one that the source was made with.
    public func open() throws -> any BodyReader {
        let file = try RegularFile(url: url)
        try Self.check(file, is: identity, at: url)
        return Reader(file, identity: identity, url: url)
    }

    private static func check(
        _ file: RegularFile,
        is expected: RegularFile.Identity,
        at url: URL
    ) throws(BodySourceError) {
        let actual = try file.identity()
        guard actual == expected else {
            throw .fileChanged(url: url, expectedLength: expected.length, actualLength: actual.length)
        }
    }
}

extension FileBodySource {
    /// One pass over a file.
    private final class Reader: BodyReader {
        private var file: RegularFile?
        private var remaining: Int
        private let identity: RegularFile.Identity
        private let url: URL

        init(_ file: RegularFile, identity: RegularFile.Identity, url: URL) {
            self.file = file
            self.identity = identity
            self.url = url
            remaining = identity.length
        }

        /// Reads on, and gives the last bytes only if the file is then still the one that was opened.
        ///
        /// So a body is complete only if all of it comes from one state of the file.
        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            guard let file, remaining > 0 else { return 0 }
            let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(remaining)))
            remaining -= count
            if count == 0 || remaining == 0 {
                try FileBodySource.check(file, is: identity, at: url)
            }
            guard count > 0 else {
                throw BodySourceError.endedEarly(
                    expectedLength: identity.length,
                    actualLength: identity.length - remaining
                )
            }
            return count
        }

        func close() {
            file = nil
            remaining = 0
        }
    }
}
