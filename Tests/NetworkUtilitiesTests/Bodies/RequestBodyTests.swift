import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct RequestBodyTests {
    @Test func aContentOfDataIsInMemory() throws {
        let content = RequestContent.data(Data([1, 2, 3]))
        #expect(content.isInMemory)
        #expect(content.length == 3)
        #expect(try content.bytes == Data([1, 2, 3]))
    }

    @Test(.spec(62)) func aContentOfAFileIsReadAgainFromTheStart() throws {
        let directory = try TemporaryDirectory()
        let content = try RequestContent.file(at: directory.file("f", "content"))
        #expect(!content.isInMemory)
        #expect(content.length == 7)
        for _ in 0..<2 { #expect(try content.text == "content") }
    }

    @Test func aMissingFileIsNotAContent() throws {
        let url = URL(fileURLWithPath: "/nonexistent/file")
        #expect(throws: BodySourceError.fileMissing(url: url)) { try RequestContent.file(at: url) }
    }

    @Test func aContentOfASourceMustHaveItsLength() throws {
        struct Short: BodySource {
            let length = 5
            func open() -> any BodyReader { DataBodySource(Data([1])).open() }
        }
        let content = RequestContent.source(Short())
        #expect(content.length == 5)
        #expect(throws: BodySourceError.endedEarly(expectedLength: 5, actualLength: 1)) { try content.bytes }
    }

    @Test(arguments: [0, 1]) func theLengthOfAContentIsChecked(length: Int) throws {
        #expect(try RequestContent.source(Announcing(length: length)).checked().length == length)
    }

    @Test func aContentWithALengthBelowZeroIsRefused() {
        #expect(throws: BodySourceError.invalidLength(-5)) {
            try RequestContent.source(Announcing(length: -5)).checked()
        }
    }

    private struct Announcing: BodySource {
        let length: Int
        func open() -> any BodyReader { DataBodySource(Data()).open() }
    }
}
