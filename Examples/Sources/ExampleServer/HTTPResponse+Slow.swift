public import FlyingFox
import FlyingSocks
import Foundation

extension HTTPResponse {
    /// A response of five lines of text, 200 ms apart.
    public static var slowLines: HTTPResponse {
        let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return slow(5, every: .milliseconds(200), type: "text/plain") { index in
            "line \(index + 1), sent at \(time.format(.now))\n"
        }
    }

    /// A response whose parts are made when they are sent, some time apart.
    public static func slow(
        _ count: Int,
        every interval: Duration,
        type: String,
        _ part: @escaping @Sendable (Int) -> String
    ) -> HTTPResponse {
        let parts = SlowParts(count: count, interval: interval, part: part)
        return HTTPResponse(statusCode: .ok, headers: [.contentType: type], body: HTTPBodySequence(from: parts))
    }
}

private struct SlowParts: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    typealias Element = UInt8

    let count: Int
    let interval: Duration
    let part: @Sendable (Int) -> String
    private var index = 0

    init(count: Int, interval: Duration, part: @escaping @Sendable (Int) -> String) {
        self.count = count
        self.interval = interval
        self.part = part
    }

    func makeAsyncIterator() -> SlowParts { self }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested: Int) async throws -> Data? {
        guard index < count else { return nil }
        if index > 0 { try await Task.sleep(for: interval) }
        index += 1
        return Data(part(index - 1).utf8)
    }
}
