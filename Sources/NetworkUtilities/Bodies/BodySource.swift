/// A body that can be opened many times and knows its length, so that it can be streamed and sent again.
///
/// Use `RequestContent.data(_:)` and `RequestContent.file(at:)` for bytes and files. Write a source for bytes that are
/// elsewhere, such as in an archive, or are made while they are sent: state the length, and open a new ``BodyReader``
/// at the first byte for each call. A source may wrap a ``DataBodySource`` or a ``FileBodySource``.
public protocol BodySource: Sendable {
    /// The exact number of bytes of every reader.
    ///
    /// `NetworkClient` sends it as `Content-Length`; a plain `URLSession` sends a source in chunks, without a length.
    var length: Int { get }

    /// Opens the body at its first byte, with a new reader for each call: one request can be sent twice at the same
    /// time.
    ///
    /// - Throws: Any error; the request fails with it.
    func open() throws -> any BodyReader
}

extension BodySource {
    /// Passes all bytes to a closure, in portions of at most 64 KiB, for a digest or a signature of the body.
    ///
    /// ```swift
    /// var sum: UInt64 = 0
    /// try DataBodySource(Data("tea".utf8)).forEachPortion { portion in
    ///     for byte in portion { sum &+= UInt64(byte) }
    /// }
    /// ```
    ///
    /// - Parameter body: Gets each portion, which is valid during the call only.
    /// - Throws: ``BodySourceError`` if the source has fewer or more bytes than its length; the errors of the source
    ///   and of the closure.
    public func forEachPortion(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let reader = try CheckedBodySource(self).open()
        defer { reader.close() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = try reader.read(into: buffer)
            guard count > 0 else { return }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}

/// One pass over the bytes of a ``BodySource``, used by one thread at a time.
///
/// To use an existing reader, open a source, as in `DataBodySource(data).open()`. To write one, keep the position and
/// return the next bytes on each call. Do not wait for anything but the file system: in `URLSession` on Linux, a body
/// that waits blocks all other requests. For bytes that have to be awaited, use `bodyStream(_:length:type:)`.
public protocol BodyReader: AnyObject {
    /// Fills the front of a buffer with the next bytes.
    ///
    /// The buffer has space for at least one byte. A reader may fill less than the buffer. It returns the number of
    /// bytes, 0 only at the end.
    ///
    /// - Throws: Any error; the body is then incomplete, and the request fails.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// Releases what the reader holds, such as a file descriptor. May be called twice.
    func close()
}

extension BodyReader {
    /// Reads, and throws for an impossible count.
    fileprivate func checkedRead(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try read(into: buffer)
        guard count >= 0, count <= buffer.count else {
            throw BodySourceError.invalidReadCount(count, capacity: buffer.count)
        }
        return count
    }
}

/// A source that fails if a body does not have the length that its source announced.
///
/// A server would read additional bytes as another request, and would wait for missing bytes.
package struct CheckedBodySource: BodySource {
    package let length: Int
    private let base: any BodySource

    /// Wraps a source, unless it is checked already.
    package init(_ base: any BodySource) {
        if let checked = base as? CheckedBodySource {
            self = checked
        } else {
            self.base = base
            length = base.length
        }
    }

    package func open() throws -> any BodyReader { try makeReader() }

    package func makeReader() throws -> Reader {
        guard length >= 0 else { throw BodySourceError.invalidLength(length) }
        let reader = Reader(try base.open(), length: length)
        // A transport never reads a body of length 0, so the end is checked here.
        guard length == 0 else { return reader }
        do {
            try reader.checkEnd()
            return reader
        } catch {
            reader.close()
            throw error
        }
    }

    /// One pass, which returns the last bytes only if no bytes follow.
    package final class Reader: BodyReader {
        private let reader: any BodyReader
        private let length: Int
        private var remaining: Int

        init(_ reader: any BodyReader, length: Int) {
            self.reader = reader
            self.length = length
            remaining = length
        }

        package var isAtEnd: Bool { remaining == 0 }

        package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            guard remaining > 0 else { return 0 }
            let space = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(remaining))
            guard !space.isEmpty else { return 0 }
            let count = try reader.checkedRead(into: space)
            guard count > 0 else {
                throw BodySourceError.endedEarly(expectedLength: length, actualLength: length - remaining)
            }
            if count == remaining { try checkEnd() }
            remaining -= count
            return count
        }

        func checkEnd() throws {
            let count = try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) {
                try reader.checkedRead(into: $0)
            }
            guard count == 0 else { throw BodySourceError.tooLong(expectedLength: length) }
        }

        package func close() {
            reader.close()
            remaining = 0
        }
    }
}

/// Bytes in memory as a ``BodySource``.
///
/// For use in a custom source; elsewhere, `RequestContent.data(_:)` is shorter.
public struct DataBodySource: BodySource {
    private let data: Data

    /// Creates a source that shares the bytes.
    public init(_ data: Data) {
        self.data = data
    }

    /// The number of bytes.
    public var length: Int { data.count }

    /// Returns a reader that begins with the first byte and never fails.
    public func open() -> any BodyReader {
        Reader(data)
    }

    private final class Reader: BodyReader {
        private var remaining: Data

        init(_ data: Data) {
            remaining = data
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            // `copyBytes` traps on a buffer without an address.
            guard !buffer.isEmpty else { return 0 }
            let count = remaining.copyBytes(to: buffer)
            remaining = remaining.dropFirst(count)
            return count
        }

        func close() {
            remaining = Data()
        }
    }
}

extension DataBodySource: OpaqueValue {
    /// The number of bytes.
    public var description: String { "\(length) bytes" }
}

/// The error for a body that cannot be read completely while it is sent.
///
/// The request fails: an incomplete body is never sent as a complete one. The description names the file, if there is
/// one, and contains no byte of the body.
@nonexhaustive
public enum BodySourceError: Error, Sendable, Equatable {
    /// There is no file at the URL.
    case fileMissing(url: URL)

    /// The URL is not a file URL, or belongs to a directory, a device or a pipe.
    case notARegularFile(url: URL)

    /// The system refuses to open or to read the file; the code is its `errno`.
    case fileUnreadable(url: URL, code: Int32)

    /// The file was modified or replaced after the request was made.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - expectedLength: The number of bytes when the request was made.
    ///   - actualLength: The number of bytes now.
    case fileChanged(url: URL, expectedLength: Int, actualLength: Int)

    /// A source ended before its announced length.
    case endedEarly(expectedLength: Int, actualLength: Int)

    /// A source has more bytes than announced.
    case tooLong(expectedLength: Int)

    /// A source announces a length below 0.
    case invalidLength(Int)

    /// A reader reported fewer than 0 bytes, or more than the buffer has space for.
    case invalidReadCount(_ count: Int, capacity: Int)

    /// The body is an asynchronous sequence that was sent before, and can be iterated only once.
    ///
    /// Thrown to users of a plain `URLSession`; `NetworkClient` throws a separate error for this.
    case notReplayable
}

extension BodySourceError: DescribedError {
    /// One sentence that names the file and the reason.
    public var description: String {
        "The body cannot be read: \(reason)."
    }

    /// The end of a sentence that begins with the body.
    package var reason: String {
        switch self {
        case .fileMissing(let url): "there is no file '\(url.path)'"
        case .notARegularFile(let url): "'\(url.path)' is not a regular file"
        case .fileUnreadable(let url, let code): "the system refuses to read the file '\(url.path)' (errno \(code))"
        case .fileChanged(let url, let expected, let actual) where expected == actual:
            "the file '\(url.path)' changed after the request was made (its content was replaced)"
        case .fileChanged(let url, let expected, let actual):
            "the file '\(url.path)' changed after the request was made (it had \(expected) bytes and now has \(actual))"
        case .endedEarly(let expected, let actual): "it ended after \(actual) of \(expected) bytes"
        case .tooLong(let expected): "it has more than the \(expected) bytes that were announced"
        case .invalidLength(let length): "its source announces a length of \(length) bytes"
        case .invalidReadCount(let count, let capacity):
            "its reader reported \(count) bytes for a buffer of \(capacity)"
        case .notReplayable: "it is an asynchronous sequence, which can be sent only once"
        }
    }
}
