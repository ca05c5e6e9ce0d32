import FlyingSocks
import Foundation

/// A part of some bytes, after which the connection ends.
struct BrokenBytes: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    typealias Element = UInt8

    let content: Data
    var start: Int
    let end: Int

    func makeAsyncIterator() -> BrokenBytes { self }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
        guard start < end else {
            guard end == content.count else { throw SocketError.disconnected }
            return nil
        }
        let next = start + Swift.min(end - start, count)
        defer { start = next }
        return content[start..<next]
    }
}
