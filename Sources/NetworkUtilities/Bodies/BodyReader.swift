/// One pass over the bytes of a ``BodySource``, used by one thread at a time.
package protocol BodyReader: AnyObject {
    /// Fills the front of the buffer, which is never empty, and returns how much was filled; 0 at the end.
    ///
    /// An error before the end means that the body is not complete: what was read so far must not pass for one.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int

    /// Gives back what the reader holds, such as a file descriptor. Calling it twice does no harm.
    func close()
}
