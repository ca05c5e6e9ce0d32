@testable import NetworkUtilities

struct BodySourceTests {
    private static let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    @Test func dataIsReadIntoABufferWithoutSpaceAsNoBytes() throws {
        let reader = DataBodySource(Data([1])).open()
        expect(try reader.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)), 0)
        var byte: UInt8 = 0
        expect(try withUnsafeMutableBytes(of: &byte) { try reader.read(into: $0) }, 1)
        expect(byte, 1)
    }

    @Test func aClosedReaderReturnsNoMoreBytesAndLengthsThatOverflowDoNotTrap() throws {
        expect(ConcatenatedBodySource([AnnouncedBody(length: .max), AnnouncedBody(length: .max)]).length, .max)
        let directory = try TemporaryDirectory()
        let file = try FileBodySource(url: directory.file("f", Self.bytes))
        for source in [DataBodySource(Self.bytes), file, ConcatenatedBodySource([file, file])] as [any BodySource] {
            let reader = try source.open()
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 10, alignment: 1)
            defer { buffer.deallocate() }
            expect(try reader.read(into: buffer), 10)
            reader.close()
            reader.close()
            expect(try reader.read(into: buffer), 0)
        }
    }
}

struct CheckedBodySourceTests {
    /// A source whose readers claim the counts that they are told to, whatever there is room for.
    private struct Scripted: BodySource {
        let length: Int
        let counts: [Int]
        let closed = Recorder<Bool>()

        func open() -> any BodyReader { Reader(counts, closed) }

        final class Reader: BodyReader {
            private var counts: ArraySlice<Int>

            private let closed: Recorder<Bool>

            init(_ counts: [Int], _ closed: Recorder<Bool>) {
                self.counts = counts[...]
                self.closed = closed
            }

            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                let count = counts.popFirst() ?? 0
                for index in 0..<max(0, min(count, buffer.count)) { buffer[index] = UInt8(ascii: "x") }
                return count
            }

            func close() { closed.record(true) }
        }
    }

    private func expectStream(
        _ source: some BodySource,
        by size: Int = 100,
        toGive count: Int,
        _ error: BodySourceError?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for stream in [source, RequestContent.source(source).source].map(BodyInputStream.init(source:)) {
            var buffer = [UInt8](repeating: 0, count: size)
            stream.open()
            var total = 0
            while case let count = stream.read(&buffer, maxLength: size), count > 0 { total += count }
            expect(total, count, sourceLocation: sourceLocation)
            expect(stream.streamError as? BodySourceError, error, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [1, 3, 4, 5, 100])
    func aSourceOfTheAnnouncedLengthIsReadUnchanged(size: Int) throws {
        let source = CheckedBodySource(DataBodySource(Data("12345".utf8)))
        expect(source.length, 5)
        for _ in 0..<2 { expect(try source.bytes(readingBy: size), Data("12345".utf8)) }
        expectStream(DataBodySource(Data("12345".utf8)), by: size, toGive: 5, nil)
        expectStream(DataBodySource(Data()), toGive: 0, nil)
    }

    @Test(.spec(59)) func aSourceThatLiesAboutItsLengthFailsBeforeItsLastBytes() {
        let rows: [(length: Int, counts: [Int], given: Int, error: BodySourceError)] = [
            (4, [3], 3, .endedEarly(expectedLength: 4, actualLength: 3)),
            (4, [1, 1, 1], 3, .endedEarly(expectedLength: 4, actualLength: 3)),
            (4, [2, 0, 2], 2, .endedEarly(expectedLength: 4, actualLength: 2)),
            (4, [], 0, .endedEarly(expectedLength: 4, actualLength: 0)),
            (4, [4, 1], 0, .tooLong(expectedLength: 4)), (4, [2, 2, 1], 2, .tooLong(expectedLength: 4)),
            (4, [1, 1, 1, 1, 1], 3, .tooLong(expectedLength: 4)), (0, [1], 0, .tooLong(expectedLength: 0)),
            (4, [-1], 0, .invalidReadCount(-1, capacity: 4)), (4, [5], 0, .invalidReadCount(5, capacity: 4)),
            (4, [.max], 0, .invalidReadCount(.max, capacity: 4)), (4, [.min], 0, .invalidReadCount(.min, capacity: 4)),
            (-1, [], 0, .invalidLength(-1)), (.min, [], 0, .invalidLength(.min)),
        ]
        for row in rows { expectStream(Scripted(length: row.length, counts: row.counts), toGive: row.given, row.error) }
    }

    /// A source that announces fewer bytes than it has, and fills what room there is.
    private let longer = AnnouncedBody(length: 4, bytes: Data("0123456789".utf8))

    @Test(.spec(59), arguments: [1, 2, 3, 4, 5, 9, 10, 11, 16, 100])
    func noByteBeyondTheAnnouncedLengthIsReturnedOrWrittenIntoTheBuffer(size: Int) throws {
        let reader = try CheckedBodySource(longer).open()
        defer { reader.close() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { buffer.deallocate() }
        buffer.initializeMemory(as: UInt8.self, repeating: 0xFF)
        var given = Data()
        #expect(throws: BodySourceError.tooLong(expectedLength: 4)) {
            while case let count = try reader.read(into: buffer), count > 0 { given += buffer[..<count] }
        }
        #expect(given.count < 4 && Data("0123".utf8).starts(with: given))
        #expect(buffer.dropFirst(4).allSatisfy { $0 == 0xFF })
    }

    @Test func aSourceThatFailedKeepsFailingAndIsClosedIfItShouldBeEmpty() throws {
        let source = Scripted(length: 0, counts: [1])
        #expect(throws: BodySourceError.tooLong(expectedLength: 0)) { try CheckedBodySource(source).open() }
        expect(source.closed.count, 1)
        let reader = try CheckedBodySource(Scripted(length: 4, counts: [4, 1])).open()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 10, alignment: 1)
        defer { buffer.deallocate() }
        #expect(throws: BodySourceError.tooLong(expectedLength: 4)) { try reader.read(into: buffer) }
        #expect(throws: BodySourceError.self, "an end would look like that of a whole body") {
            try reader.read(into: buffer)
        }
    }

    /// A source that says something else each time.
    private struct Fickle: BodySource {
        var length: Int { Int.random(in: 10...1_000_000_000) }
        func open() -> any BodyReader { DataBodySource(Data()).open() }
    }

    @Test func theLengthOfASourceIsReadOnceAndAPartIsNotMadeUpForByTheNext() throws {
        let content = RequestContent.source(Fickle())
        let length = content.length
        for _ in 0..<100 { expect(content.length, length) }
        let parts = [2, 6].map { RequestContent.source(Scripted(length: 4, counts: [$0])).source }
        #expect(throws: BodySourceError.endedEarly(expectedLength: 4, actualLength: 2)) {
            try ConcatenatedBodySource(parts).bytes()
        }
    }

    @Test func aBodySourceErrorIsDescribedInOneSentence() {
        let url = URL(fileURLWithPath: "/d/f.bin")
        let changed = "the file '/d/f.bin' changed after the request was made "
        let rows: [(BodySourceError, String)] = [
            (.fileMissing(url: url), "there is no file '/d/f.bin'."),
            (.notARegularFile(url: url), "'/d/f.bin' is not a regular file."),
            (.fileUnreadable(url: url, code: 13), "the system refuses to read the file '/d/f.bin' (errno 13)."),
            (
                .fileChanged(url: url, expectedLength: 10, actualLength: 12),
                changed + "(it had 10 bytes and now has 12)."
            ),
            (.fileChanged(url: url, expectedLength: 10, actualLength: 10), changed + "(its content was replaced)."),
            (.endedEarly(expectedLength: 10, actualLength: 7), "it ended after 7 of 10 bytes."),
            (.notReplayable, "it is an asynchronous sequence, which can be sent only once."),
            (.tooLong(expectedLength: 10), "it has more than the 10 bytes that were announced."),
            (.invalidLength(-1), "its source announces a length of -1 bytes."),
            (.invalidReadCount(12, capacity: 10), "its reader reported 12 bytes for a buffer of 10."),
        ]
        for (error, reason) in rows { expect(error.description, "The body cannot be read: \(reason)") }
    }
}
