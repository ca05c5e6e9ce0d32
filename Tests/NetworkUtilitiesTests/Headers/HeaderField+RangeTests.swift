import Testing

@testable import NetworkUtilities

struct HeaderFieldRangeTests {
    @Test func asksForBytesInEachWay() throws {
        #expect(try HeaderField.range(bytes: 0...499).value == "bytes=0-499")
        #expect(try HeaderField.range(bytes: 7...7).value == "bytes=7-7")
        #expect(try HeaderField.range(bytes: 0...Int.max).value == "bytes=0-\(Int.max)")
        #expect(try HeaderField.range(bytes: 500...).value == "bytes=500-")
        #expect(try HeaderField.range(bytes: 0...).value == "bytes=0-")
        #expect(try HeaderField.range(lastBytes: 500).value == "bytes=-500")
        #expect(try HeaderField.range(lastBytes: Int.max).name == "Range")
    }

    @Test(arguments: [(-1, 5), (-5, -1), (Int.min, Int.max), (Int.min, Int.min)])
    func refusesABeginningBeforeTheFirstByte(first: Int, last: Int) {
        #expect(throws: HeaderFieldError.invalidRange) { try HeaderField.range(bytes: first...last) }
        #expect(throws: HeaderFieldError.invalidRange) { try HeaderField.range(bytes: first...) }
    }

    @Test(arguments: [0, -1, Int.min])
    func refusesAnEndWithoutBytes(count: Int) {
        #expect(throws: HeaderFieldError.invalidRange) { try HeaderField.range(lastBytes: count) }
    }
}
