import FlyingSocks
import Foundation

/// Some lines, one after the other.
struct SlowLines: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    typealias Element = UInt8

    private var index = 0

    func makeAsyncIterator() -> SlowLines { self }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
        guard index < 5 else { return nil }
        if index > 0 { try await Task.sleep(for: .milliseconds(200)) }
        index += 1
        return Data("line \(index), sent at \(Date.now.formatted(.iso8601))\n".utf8)
    }
}
