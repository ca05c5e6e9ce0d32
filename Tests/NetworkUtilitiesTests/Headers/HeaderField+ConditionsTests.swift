@testable import NetworkUtilities

struct HeaderFieldConditionsTests {
    @Test func aConditionalFieldIsWrittenWithItsEntityTagsDateOrRange() throws {
        let date = Date(timeIntervalSince1970: 784_111_777)
        let tags = [try EntityTag("a"), try EntityTag("b,c", isWeak: true)]
        let rows: [(HeaderField, String, String?)] = [
            (.ifNoneMatch(tags), "If-None-Match", "\"a\", W/\"b,c\""), (.ifNoneMatch([]), "If-None-Match", nil),
            (try .ifMatch(tags), "If-Match", "\"a\", W/\"b,c\""), (try .ifMatch([tags[0]]), "If-Match", "\"a\""),
            (.ifMatchAny, "If-Match", "*"), (.ifNoneMatchAny, "If-None-Match", "*"),
            (.ifModifiedSince(date), "If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"),
            (try .ifUnmodifiedSince(date), "If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"),
            (try .ifRange(tags[0]), "If-Range", "\"a\""), (try .range(bytes: 0...499), "Range", "bytes=0-499"),
            (try .range(bytes: 7...7), "Range", "bytes=7-7"),
            (try .range(bytes: 0...Int.max), "Range", "bytes=0-9223372036854775807"),
            (try .range(bytes: 500...), "Range", "bytes=500-"), (try .range(bytes: 0...), "Range", "bytes=0-"),
            (try .range(lastBytes: 500), "Range", "bytes=-500"),
            (try .range(lastBytes: Int.max), "Range", "bytes=-9223372036854775807"),
        ]
        for (field, name, value) in rows { expect([field.name, field.value], [name, value]) }
        #expect(throws: HeaderFieldError.missingCondition(name: "If-Match")) { try HeaderField.ifMatch([]) }
        #expect(throws: HeaderFieldError.weakEntityTag(name: "If-Range")) { try HeaderField.ifRange(tags[1]) }
    }

    // Seconds, since Foundation traps when it describes such a date.
    @Test(arguments: [Double.nan, .infinity, -.infinity, 253_402_300_800, -62_135_596_801, .greatestFiniteMagnitude])
    func aDateThatHTTPCannotWriteIsLeftOutOrRefused(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        expect(HeaderField.ifModifiedSince(date).value, nil)
        let name = "If-Unmodified-Since"
        #expect(throws: HeaderFieldError.invalidDate(name: name)) { try HeaderField.ifUnmodifiedSince(date) }
    }

    @Test func aRangeBeforeTheFirstByteOrOfNoLastBytesIsRefused() {
        for (first, last) in [(-1, 5), (-5, -1), (Int.min, Int.max), (Int.min, Int.min)] {
            #expect(throws: HeaderFieldError.invalidRange) { try HeaderField.range(bytes: first...last) }
            #expect(throws: HeaderFieldError.invalidRange) { try HeaderField.range(bytes: first...) }
        }
        for count in [0, -1, Int.min] {
            #expect(throws: HeaderFieldError.invalidRange) { try HeaderField.range(lastBytes: count) }
        }
    }
}
