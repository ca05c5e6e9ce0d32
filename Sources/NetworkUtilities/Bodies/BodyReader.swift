/// One pass over the bytes of a ``BodySource``, used by one thread at a time.
///
/// A reader that has nothing of its own to do is not needed: `DataBodySource(data).open()` gives one for bytes. To
/// write one, keep the position and give the next bytes on each call. Do not wait for anything but the file system: in
/// `URLSession` on Linux, one body that waits holds up all other requests. Bytes that have to be waited for are an
/// asynchronous sequence, for `bodyStream(_:length:type:)`.
public protocol BodyReader: AnyObject {
    /// Fills the front of the buffer with the next bytes.
    ///
    /// - Parameter buffer: Where they go; it has room for at least one byte.
    /// - Returns: How many bytes were filled, which may be fewer than there is room for; 0 at the end, and only there.
    /// - Throws: Any error; the body is not complete then, and what was read so far does not pass for one.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// Gives back what the reader holds, such as a file descriptor.
    ///
    /// Calling it twice does no harm.
    func close()
}
