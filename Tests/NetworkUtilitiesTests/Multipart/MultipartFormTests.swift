import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MultipartFormTests {
    @Test(.spec(60)) func aMultipartFormHasOneBoundary() throws {
        var builder = MultipartFormBuilder()
        builder.add(key: "k", value: "v")
        let form = builder.form
        let boundary = try #require(form.mediaType?.parameter("boundary"))
        #expect(form.mediaType?.essence == "multipart/form-data")
        #expect(try form.content().text.hasPrefix("--\(boundary)\r\n"))
        #expect(try form.content().text.hasSuffix("\r\n--\(boundary)--\r\n"))
    }

    @Test(.spec(49)) func aMultipartFormHasALength() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", "content")
        let form = try MultipartForm {
            MultipartPart(name: "é", text: "é\n")
            try MultipartPart(name: "f", file: .init(file: file))
        }
        #expect(try form.length == form.content().bytes.count)
        #expect(MultipartForm(boundary: try MultipartBoundary("B"), parts: []).length == 7)
    }

    @Test(.spec(50, 56)) func aMultipartFormIsTheSameFromABuilderAndFromParts() throws {
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

    @Test func aMultipartFormIsAValue() throws {
        var builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        let (empty, length) = (builder.form, 7)
        builder.add(key: "a", value: "1")
        #expect(empty.length == length)
        #expect(try empty.content().text == "--B--\r\n")
        #expect(builder.form.length > length)
    }

    @Test func theBoundaryOfAMultipartFormIsQuotedIfItIsNotAToken() throws {
        let form = MultipartFormBuilder(boundary: try MultipartBoundary("a b")).form
        #expect(form.mediaType?.value == "multipart/form-data; boundary=\"a b\"")
        #expect(try form.content().text == "--a b--\r\n")
    }

    @Test(.spec(56)) func aMultipartFormCanContainAnotherForm() throws {
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

    @Test(.spec(62)) func aMultipartFormHasTheSameBytesEachTime() throws {
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
    @Test(.spec(59), .longComputation) func aMultipartFormOfOneGibibyteIsStreamedThroughOneBuffer() throws {
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
    func aMultipartFormFailsIfItsFileChanged(text: String) throws {
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

struct MultipartFormPartsTests {
    enum Kind: CaseIterable, Sendable {
        case one, two, none
    }

    /// The values of a form's parts, each of which is a text.
    private func values(@MultipartFormParts of parts: () throws -> [MultipartPart]) throws -> [String] {
        let form = MultipartForm(boundary: try MultipartBoundary("B"), parts: try parts())
        return try form.content().text.components(separatedBy: "\r\n\r\n").dropFirst()
            .map { String($0.prefix { !$0.isNewline }) }
    }

    private func part(_ text: String) -> MultipartPart {
        MultipartPart(name: "n", text: text)
    }

    @Test(.spec(51)) func aMultipartFormCanBeEmpty() throws {
        #expect(try values {} == [])
    }

    @Test(.spec(50)) func thePartsOfABlockKeepTheirOrder() throws {
        let more = [part("3"), part("4")]
        #expect(
            try values {
                part("1")
                part("2")
                more
                part("5")
            } == ["1", "2", "3", "4", "5"]
        )
    }

    @Test(arguments: [true, false]) func aConditionInABlockLeavesPartsOut(isThere: Bool) throws {
        let optional = isThere ? part("optional") : nil
        let written = try values {
            if isThere { part("if") }
            if isThere {
                part("then")
            } else {
                part("else")
                part("else too")
            }
            optional
            if let optional { optional }
            if #available(macOS 99, iOS 99, tvOS 99, watchOS 99, visionOS 99, *), !isThere { part("available") }
        }
        #if canImport(Darwin)
        let available: [String] = []
        #else
        let available = ["available"]
        #endif
        #expect(written == (isThere ? ["if", "then", "optional", "optional"] : ["else", "else too"] + available))
    }

    @Test(arguments: Kind.allCases) func aSwitchInABlockSelectsParts(kind: Kind) throws {
        let written = try values {
            switch kind {
            case .one: part("1")
            case .two:
                part("1")
                part("2")
            case .none: []
            }
        }
        #expect(written == [Kind.one: ["1"], .two: ["1", "2"], .none: []][kind])
    }

    @Test func aLoopInABlockAddsParts() throws {
        let written = try values {
            for number in 1...3 {
                part("\(number)")
                if number == 2 { part("two") }
            }
            for _ in 0..<0 { part("never") }
        }
        #expect(written == ["1", "2", "two", "3"])
    }

    @Test func aBlockOfPartsRethrowsErrors() {
        let missing = URL(fileURLWithPath: "/nonexistent/file")
        #expect(throws: MultipartFormFilePart.Error.invalidLocalFile(url: missing)) {
            try MultipartForm {
                part("1")
                try MultipartPart(name: "f", file: .init(file: missing))
            }
        }
    }
}
