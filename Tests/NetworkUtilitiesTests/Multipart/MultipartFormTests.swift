import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MultipartFormTests {
    @Test(.spec(60)) func hasOneBoundary() throws {
        var builder = MultipartFormBuilder()
        builder.add(key: "k", value: "v")
        let form = builder.form
        let boundary = try #require(form.mediaType?.parameter("boundary"))
        #expect(form.mediaType?.essence == "multipart/form-data")
        #expect(try form.content().text.hasPrefix("--\(boundary)\r\n"))
        #expect(try form.content().text.hasSuffix("\r\n--\(boundary)--\r\n"))
    }

    @Test(.spec(49)) func knowsItsLength() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", "content")
        let form = try MultipartForm {
            MultipartPart(name: "é", text: "é\n")
            try MultipartPart(name: "f", file: .init(file: file))
        }
        #expect(try form.length == form.content().bytes.count)
        #expect(MultipartForm(boundary: try MultipartBoundary("B"), parts: []).length == 7)
    }

    @Test(.spec(50, 56)) func isTheSameFromABuilderAndFromParts() throws {
        let boundary = try MultipartBoundary("B")
        var builder = MultipartFormBuilder(boundary: boundary)
        builder.add(key: "a", value: "1")
        builder.add(key: "b", value: Data("2".utf8), filename: "f", type: .json)
        builder.add(MultipartPart(name: "c", text: "3"))
        let form = MultipartForm(boundary: boundary) {
            MultipartPart(name: "a", text: "1")
            MultipartPart(name: "b", data: Data("2".utf8), filename: "f", type: .json)
            MultipartPart(name: "c", text: "3")
        }
        #expect(try builder.form.content().text == form.content().text)
        #expect(builder.form.mediaType == form.mediaType)
    }

    @Test func aFormIsAValue() throws {
        var builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        let (empty, length) = (builder.form, 7)
        builder.add(key: "a", value: "1")
        #expect(empty.length == length)
        #expect(try empty.content().text == "--B--\r\n")
        #expect(builder.form.length > length)
    }

    @Test func quotesABoundaryThatIsNoToken() throws {
        let form = MultipartFormBuilder(boundary: try MultipartBoundary("a b")).form
        #expect(form.mediaType?.value == "multipart/form-data; boundary=\"a b\"")
        #expect(try form.content().text == "--a b--\r\n")
    }

    @Test(.spec(56)) func carriesAnotherForm() throws {
        var inner = MultipartFormBuilder()
        inner.add(key: "k", value: "v")
        let payload = try inner.form.content().bytes
        var outer = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        outer.add(key: "form", value: payload)
        let expected =
            Data("--B\r\nContent-Disposition: form-data; name=\"form\"\r\n\r\n".utf8) + payload
            + Data("\r\n--B--\r\n".utf8)
        #expect(try outer.form.content().bytes == expected)
    }

    @Test(.spec(62)) func isTheSameEachTime() throws {
        let directory = try TemporaryDirectory()
        var builder = MultipartFormBuilder()
        try builder.add(key: "f", file: .init(file: directory.file("a.txt", "content")))
        let content = builder.form.content()
        #expect(!content.isInMemory)
        let first = try content.bytes
        #expect(try content.bytes == first)
        #expect(try builder.form.content().bytes == first)
        #expect(content.length == first.count)
    }

    #if os(Linux)
    /// The process is shared with all other tests, which together have been seen to hold 400 MiB; a copy of the file
    /// would be 1,024 more, so that what lies between tells the one from the other.
    @Test(.spec(59), .longComputation) func streamsAGibibyteThroughOneBuffer() throws {
        let directory = try TemporaryDirectory()
        let (length, size) = (1 << 30, 1 << 16)
        var builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        let file = try directory.sparseFile("zeros.bin", length: UInt64(length))
        try builder.add(key: "f", file: .init(file: file))
        let form = builder.form
        #expect(form.length == length + 120)
        #expect(!form.content().isInMemory)
        let stream = BodyInputStream(source: form.content().source)
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        defer { buffer.deallocate() }
        let before = try #require(ProcessFacts.now().residentBytes)
        var (total, reads, peak) = (0, 0, before)
        stream.open()
        while true {
            let count = stream.read(buffer, maxLength: size)
            guard count > 0 else { break }
            (total, reads) = (total + count, reads + 1)
            if reads.isMultiple(of: 1_024) { peak = max(peak, ProcessFacts.now().residentBytes ?? .max) }
        }
        #expect(stream.streamStatus == .atEnd)
        #expect(total == form.length)
        #expect(peak - before < length / 4 * 3)
    }
    #endif

    @Test(
        .spec(59),
        arguments: ["", "shorter", "a longer text"]
    )
    func failsWhenTheFileChanged(text: String) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("f.txt", "twelve bytes")
        var builder = MultipartFormBuilder()
        try builder.add(key: "f", file: .init(file: file))
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
        let error = BodySourceError.fileChanged(url: file, expectedLength: 12, actualLength: text.utf8.count)
        #expect(throws: error) { try builder.form.content().bytes }
    }
}
