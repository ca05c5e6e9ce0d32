public import FlyingFox
import FlyingSocks
import Foundation

extension HTTPResponse {
    /// A response of five lines of text, 200 ms apart.
    public static var slowLines: HTTPResponse {
        HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: "text/plain"],
            body: HTTPBodySequence(from: SlowLines())
        )
    }
}

private struct SlowLines: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    typealias Element = UInt8

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private var index = 0

    func makeAsyncIterator() -> SlowLines { self }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
        guard index < 5 else { return nil }
        if index > 0 { try await Task.sleep(for: .milliseconds(200)) }
        index += 1
        return Data("line \(index), sent at \(Self.time.format(.now))\n".utf8)
    }
}
