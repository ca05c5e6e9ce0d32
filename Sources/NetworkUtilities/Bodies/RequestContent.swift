public import Foundation

/// What a request sends: bytes that are at hand, or a source that is read while it is sent.
///
/// A ``RequestBody`` gives one. Its length is known before the first byte is sent, and it can be sent again. So
/// `NetworkClient` states its `Content-Length`, and sends it again after a redirect or a retry; a plain `URLSession`
/// sends a file or a source in chunks, without a length.
public struct RequestContent: Sendable {
    package enum Storage: Sendable {
        case data(Data)
        case source(any BodySource)
    }

    package let storage: Storage

    package init(_ storage: Storage) {
        self.storage = storage
    }

    /// Bytes that are at hand.
    ///
    /// - Parameter data: The bytes, not copied.
    /// - Returns: The content.
    public static func data(_ data: Data) -> RequestContent {
        RequestContent(.data(data))
    }

    /// A local file, which is read while it is sent, never into memory as a whole.
    ///
    /// - Parameter url: A `file:` URL of a regular file.
    /// - Returns: The content; a file that is another when it is sent, or changes meanwhile, fails the request.
    /// - Throws: ``BodySourceError`` if the file is missing, no regular one or not readable.
    public static func file(at url: URL) throws(BodySourceError) -> RequestContent {
        RequestContent(.source(try FileBodySource(url: url)))
    }

    /// Bytes of a source of your own, which is opened each time they are sent.
    ///
    /// - Parameter source: The source. It is held to the length that it announces now: with more bytes or fewer the
    ///   request fails with a ``BodySourceError``.
    /// - Returns: The content.
    public static func source(_ source: some BodySource) -> RequestContent {
        RequestContent(.source(CheckedBodySource(source)))
    }

    /// The number of bytes that are sent.
    public var length: Int {
        switch storage {
        case .data(let data): data.count
        case .source(let source): source.length
        }
    }

    /// The bytes as a source, however they are held.
    public var source: any BodySource {
        switch storage {
        case .data(let data): DataBodySource(data)
        case .source(let source): source
        }
    }

    /// The content, if its length is one.
    ///
    /// - Throws: ``BodySourceError/invalidLength(_:)`` for a source that announces fewer than 0 bytes.
    func checked() throws(BodySourceError) -> RequestContent {
        guard length >= 0 else { throw .invalidLength(length) }
        return self
    }
}
