/// A body that can be opened many times and knows its length, so that it can be streamed, retried and replayed.
///
/// Use `RequestContent.data(_:)` and `RequestContent.file(at:)` where they will do. Write one for bytes that come from
/// elsewhere, such as an archive, or that are made while they are sent: state the length, and open a new ``BodyReader``
/// at the first byte each time. ``DataBodySource`` and ``FileBodySource`` are there to be wrapped.
public protocol BodySource: Sendable {
    /// The exact number of bytes that every reader gives.
    ///
    /// `NetworkClient` sends it as `Content-Length`; a plain `URLSession` sends a source in chunks, without a length.
    var length: Int { get }

    /// Opens the body at its first byte.
    ///
    /// - Returns: A reader of its own for each call, since one request can be sent twice at the same time.
    /// - Throws: Any error; the request fails with it.
    func open() throws -> any BodyReader
}
