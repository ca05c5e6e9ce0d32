import Foundation
import NetworkUtilities

/// The one pass over a stream of the user's own.
///
/// It reads one byte further than it gives: what comes after the length that was stated would be read by the server as
/// another request.
final class OneShotReader: BodyReader {
    private let stream: InputStream
    private var remaining: Int
    /// `.max` for a stream that ends where it ends.
    private let length: Int

    init(_ stream: InputStream, length: Int) {
        self.stream = stream
        self.length = length
        remaining = length
    }

    func open() {
        stream.open()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        let space = min(buffer.count, remaining)
        let count = stream.read(start.assumingMemoryBound(to: UInt8.self), maxLength: space)
        guard count >= 0, count <= space else { throw TransportError(.bodyUnreadable) }
        if count == 0, remaining > 0, length != .max { throw failure("fewer") }
        remaining -= count
        if remaining == 0, hasMore() { throw failure("more") }
        return count
    }

    func close() {
        stream.close()
    }

    private func hasMore() -> Bool {
        var byte: UInt8 = 0
        return stream.hasBytesAvailable && stream.read(&byte, maxLength: 1) > 0
    }

    private func failure(_ comparison: String) -> TransportError {
        let detail = "its body stream has \(comparison) than the \(length) bytes that 'Content-Length' states"
        return TransportError(.bodyUnreadable, detail: detail)
    }
}
