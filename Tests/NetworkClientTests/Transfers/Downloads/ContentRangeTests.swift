import Testing

@testable import NetworkClient

struct ContentRangeTests {
    private static let readable: [(String, Range<Int>?, Int?)] = [
        ("bytes 0-4/5", 0..<5, 5), ("bytes 2-4/*", 2..<5, nil), ("BYTES 0-0/1", 0..<1, 1), ("bytes */5", nil, 5),
    ]

    @Test(arguments: readable)
    func isRead(text: String, range: Range<Int>?, total: Int?) throws {
        let part = try #require(ContentRange(text))
        #expect(part.range == range && part.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-4", "bytes 4-0/5", "bytes 0-5/5", "bytes */*", "lines 0-4/5", "bytes -4/5", "bytes 0-/5",
        "bytes 0-4/x", "bytes 0-9223372036854775808/*", "bytes 0-9223372036854775807/*", "bytes +0-4/5",
        "bytes 0 - 4/5",
    ])
    func isNothingElse(text: String) {
        #expect(ContentRange(text) == nil)
    }
}
