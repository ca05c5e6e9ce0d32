/// A body that can be opened many times and knows its length, so that it can be streamed, retried and replayed.
package protocol BodySource: Sendable {
    /// The exact number of bytes that every reader gives.
    var length: Int { get }

    /// Opens the body at its first byte.
    func open() throws -> any BodyReader
}
