@testable import NetworkUtilities

/// Bodies of every length, and longer than memory.
struct LongBodyTests {
    private static let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    @Test(.longComputation, arguments: [1, 7, 65_524, 1_000_000])
    func everySourceIsReadThroughAnyBufferEachTime(size: Int) throws {
        let directory = try TemporaryDirectory()
        let file = try FileBodySource(url: directory.file("f", Self.bytes))
        let empty = try FileBodySource(url: directory.file("empty", ""))
        let parts: [any BodySource] = [DataBodySource(Data()), file, empty, DataBodySource(Data([1, 2])), file, empty]
        let slice = Self.bytes[100..<300]
        let rows: [(any BodySource, Data)] = [
            (DataBodySource(Self.bytes), Self.bytes), (DataBodySource(slice), Data(slice)), (file, Self.bytes),
            (ConcatenatedBodySource(parts), Self.bytes + [1, 2] + Self.bytes), (ConcatenatedBodySource([]), Data()),
        ]
        for (source, expected) in rows {
            expect(source.length, expected.count)
            for _ in 0..<2 { expect(try source.bytes(readingBy: size), expected) }
        }
    }

    @Test(.longComputation, arguments: [1, 7, 65_524])
    func aBodyStreamReturnsTheBytesOfItsSourceEachTimeItIsOpened(size: Int) throws {
        let directory = try TemporaryDirectory()
        let file = try FileBodySource(url: directory.file("file", Self.bytes))
        let parts: [any BodySource] = [DataBodySource(Data([1, 2, 3])), file, DataBodySource(Data([4]))]
        let stream = BodyInputStream(source: ConcatenatedBodySource(parts))
        let whole: Data = Data([1, 2, 3]) + Self.bytes + Data([4])
        for closesInBetween in [true, false, true] {
            stream.open()
            expect(stream.streamStatus, .open)
            expect(stream.hasBytesAvailable, true)
            let (bytes, end) = drain(stream, by: size)
            expect(bytes, whole)
            expect(end, 0)
            expect(stream.streamStatus, .atEnd)
            expect(stream.hasBytesAvailable, false)
            if closesInBetween {
                stream.close()
                expect(stream.streamStatus, .closed)
            }
        }
    }

    @Test(.longComputation, arguments: [0, 1, 16_384, 16_385, 1_048_000, 1_048_576, 3_000_000])
    func aMultipartFormHasTheSameBytesInMemoryAndAsASource(length: Int) throws {
        let payload = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        builder.add(key: "a", value: payload, filename: "a.bin")
        builder.add(key: "b", value: "text")
        let head =
            "--B\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a.bin\"\r\n"
            + "Content-Type: application/octet-stream\r\n\r\n"
        let tail = "\r\n--B\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\ntext\r\n--B--\r\n"
        let content = builder.form.makeContent()
        expect(try content.bytes, Data(head.utf8) + payload + Data(tail.utf8))
        expect(content.length, head.utf8.count + length + tail.utf8.count)
        expect(content.isInMemory, content.length <= MultipartWriter.largestInMemory)
    }

    @Test(.longComputation) func largePartsBetweenSmallOnesAreNotCopied() throws {
        let directory = try TemporaryDirectory()
        let large = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let file = try directory.file("f.bin", large)
        let builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        var expected = Data()
        for (name, payload) in [("a", Data()), ("b", large), ("c", Data([1])), ("d", large), ("e", Data([2]))] {
            builder.add(key: name, value: payload)
            expected += Data("--B\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8) + payload
            expected += Data("\r\n".utf8)
        }
        try builder.add(key: "f", file: .init(file: file, filename: "f", mimeType: .type(mimeType: "a/b")))
        expected += Data("--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n".utf8)
        expected += Data("Content-Type: a/b\r\n\r\n".utf8) + large + Data("\r\n--B--\r\n".utf8)
        expect(builder.form.length, expected.count)
        expect(try builder.form.makeContent().bytes, expected)
    }

    #if os(Linux)
    /// The process is shared with all other tests, which together have been seen to hold 400 MiB; a copy of the file
    /// would be 1,024 more, so that what lies between tells the one from the other.
    @Test(.spec(59), .longComputation) func aMultipartFormOfOneGibibyteIsStreamedThroughOneBuffer() throws {
        let directory = try TemporaryDirectory()
        let (length, size) = (1 << 30, 1 << 16)
        let builder = MultipartFormBuilder(boundary: try MultipartBoundary("B"))
        let file = try directory.sparseFile("zeros.bin", length: UInt64(length))
        try builder.add(key: "f", file: .init(file: file))
        let form = builder.form
        expect(form.length, length + 120)
        expect(form.makeContent().isInMemory, false)
        let stream = BodyInputStream(source: form.makeContent().source)
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
        expect(stream.streamStatus, .atEnd)
        expect(total, form.length)
        #expect(peak - before < length / 4 * 3)
    }
    #endif
}
