import Foundation
import NetworkUtilities

/// The one pass over a stream of the user's own.
///
/// It reads one byte further than it gives: what comes after the length that was stated would be read by the server as
/// another request.
final class OneShotReader: BodyReader {
    private let stream: InputStream
    private var remaining: Int
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
        let count = stream.read(start.assumingMemoryBound(to: UInt8.self), maxLength: min(buffer.count, remaining))
        guard count >= 0 else { throw TransportError(.bodyUnreadable) }
        remaining -= count
        if remaining == 0, hasMore() { throw TransportError(.bodyUnreadable, detail: Self.sentence(length)) }
        return count
    }

    func close() {
        stream.close()
    }

    private func hasMore() -> Bool {
        var byte: UInt8 = 0
        return stream.hasBytesAvailable && stream.read(&byte, maxLength: 1) > 0
    }

    private static func sentence(_ length: Int) -> String {
        "its body stream has more than the \(length) bytes that 'Content-Length' states"
    }
}
