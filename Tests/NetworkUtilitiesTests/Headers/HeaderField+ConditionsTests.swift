import Foundation
import Testing

@testable import NetworkUtilities

struct HeaderFieldConditionsTests {
    private let date = Date(timeIntervalSince1970: 784_111_777)
    // Seconds, since Foundation traps when it describes such a date.
    private static let unwritable: [Double] = [
        .nan, .infinity, -.infinity, 253_402_300_800, -62_135_596_801, .greatestFiniteMagnitude,
    ]

    @Test func aConditionListsItsEntityTags() throws {
        let tags = [try EntityTag("a"), try EntityTag("b,c", isWeak: true)]
        #expect(HeaderField.ifNoneMatch(tags).name == "If-None-Match")
        #expect(HeaderField.ifNoneMatch(tags).value == "\"a\", W/\"b,c\"")
        #expect(try HeaderField.ifMatch(tags).name == "If-Match")
        #expect(try HeaderField.ifMatch([tags[0]]).value == "\"a\"")
        #expect([HeaderField.ifMatchAny.name, HeaderField.ifNoneMatchAny.name] == ["If-Match", "If-None-Match"])
        #expect([HeaderField.ifMatchAny.value, HeaderField.ifNoneMatchAny.value] == ["*", "*"])
    }

    @Test func ifNoneMatchIsLeftOutWithoutTags() {
        #expect(HeaderField.ifNoneMatch([]).value == nil)
    }

    @Test func ifMatchIsRefusedWithoutTags() {
        #expect(throws: HeaderFieldError.missingCondition(name: "If-Match")) { try HeaderField.ifMatch([]) }
    }

    @Test func aConditionNamesItsDate() throws {
        let text = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(HeaderField.ifModifiedSince(date).name == "If-Modified-Since")
        #expect(HeaderField.ifModifiedSince(date).value == text)
        #expect(try HeaderField.ifUnmodifiedSince(date).name == "If-Unmodified-Since")
        #expect(try HeaderField.ifUnmodifiedSince(date).value == text)
    }

    @Test(arguments: unwritable)
    func ifModifiedSinceIsLeftOutForADateThatHTTPCannotWrite(seconds: Double) {
        #expect(HeaderField.ifModifiedSince(Date(timeIntervalSince1970: seconds)).value == nil)
    }

    @Test(arguments: unwritable)
    func ifUnmodifiedSinceIsRefusedForADateThatHTTPCannotWrite(seconds: Double) {
        #expect(throws: HeaderFieldError.invalidDate(name: "If-Unmodified-Since")) {
            try HeaderField.ifUnmodifiedSince(Date(timeIntervalSince1970: seconds))
        }
    }

    @Test func ifRangeAcceptsStrongTagsOnly() throws {
        let field = try HeaderField.ifRange(EntityTag("a"))
        #expect(field.name == "If-Range" && field.value == "\"a\"")
        #expect(throws: HeaderFieldError.weakEntityTag(name: "If-Range")) {
            try HeaderField.ifRange(try EntityTag(parsing: "W/\"a\""))
        }
    }
}

struct HeaderFieldRangeTests {
    @Test func aRangeIsWrittenInEachForm() throws {
        #expect(try HeaderField.range(bytes: 0...499).value == "bytes=0-499")
        #expect(try HeaderField.range(bytes: 7...7).value == "bytes=7-7")
        #expect(try HeaderField.range(bytes: 0...Int.max).value == "bytes=0-\(Int.max)")
        #expect(try HeaderField.range(bytes: 500...).value == "bytes=500-")
        #expect(try HeaderField.range(bytes: 0...).value == "bytes=0-")
        #expect(try HeaderField.range(lastBytes: 500).value == "bytes=-500")
        #expect(try HeaderField.range(lastBytes: Int.max).name == "Range")
    }

    @Test(arguments: [(-1, 5), (-5, -1), (Int.min, Int.max), (Int.min, Int.min)])
    func aRangeBeforeTheFirstByteIsRefused(first: Int, last: Int) {
        #expect(throws: HeaderFieldError.invalidRange) { try HeaderField.range(bytes: first...last) }
        #expect(throws: HeaderFieldError.invalidRange) { try HeaderField.range(bytes: first...) }
    }

    @Test(arguments: [0, -1, Int.min])
    func aRangeOfNoLastBytesIsRefused(count: Int) {
        #expect(throws: HeaderFieldError.invalidRange) { try HeaderField.range(lastBytes: count) }
    }
}
