import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct BodySourceTests {
    private static let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    @Test(.longComputation, arguments: [1, 7, 65_524, 1_000_000])
    func dataIsReadThroughAnyBuffer(size: Int) throws {
        let source = DataBodySource(Self.bytes)
        #expect(source.length == Self.bytes.count)
        #expect(try source.bytes(readingBy: size) == Self.bytes)
        #expect(try source.bytes(readingBy: size) == Self.bytes)
    }

    @Test func aSliceOfDataIsReadFromItsOwnStart() throws {
        let slice = Self.bytes[100..<300]
        #expect(DataBodySource(slice).length == 200)
        #expect(try DataBodySource(slice).bytes(readingBy: 7) == Data(slice))
    }

    @Test func dataIsReadIntoABufferWithoutSpaceAsNoBytes() throws {
        let reader = DataBodySource(Data([1])).open()
        #expect(try reader.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) == 0)
        var byte: UInt8 = 0
        #expect(try withUnsafeMutableBytes(of: &byte) { try reader.read(into: $0) } == 1)
        #expect(byte == 1)
    }

    @Test(.longComputation, arguments: [1, 7, 65_524, 1_000_000])
    func concatenatedSourcesAreReadOneAfterTheOther(size: Int) throws {
        let directory = try TemporaryDirectory()
        let file = try FileBodySource(url: directory.file("f", Self.bytes))
        let empty = try FileBodySource(url: directory.file("empty", ""))
        let parts: [any BodySource] = [DataBodySource(Data()), file, empty, DataBodySource(Data([1, 2])), file, empty]
        let source = ConcatenatedBodySource(parts)
        let expected = Self.bytes + [1, 2] + Self.bytes
        #expect(source.length == expected.count)
        #expect(try source.bytes(readingBy: size) == expected)
        #expect(try ConcatenatedBodySource([]).bytes().isEmpty)
    }

    private struct Announcing: BodySource {
        let length: Int
        func open() -> any BodyReader { DataBodySource(Data()).open() }
    }

    @Test func lengthsOfConcatenatedSourcesThatOverflowDoNotTrap() {
        let source = ConcatenatedBodySource([Announcing(length: .max), Announcing(length: .max)])
        #expect(source.length == .max)
    }

    @Test func aClosedReaderReturnsNoMoreBytes() throws {
        let directory = try TemporaryDirectory()
        let file = try FileBodySource(url: directory.file("f", Self.bytes))
        for source in [DataBodySource(Self.bytes), file, ConcatenatedBodySource([file, file])] as [any BodySource] {
            let reader = try source.open()
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 10, alignment: 1)
            defer { buffer.deallocate() }
            #expect(try reader.read(into: buffer) == 10)
            reader.close()
            reader.close()
            #expect(try reader.read(into: buffer) == 0)
        }
    }
}

struct CheckedBodySourceTests {
    /// A source whose readers claim the counts that they are told to, whatever there is room for.
    private struct Scripted: BodySource {
        let length: Int
        let counts: [Int]

        func open() -> any BodyReader { Reader(counts) }

        final class Reader: BodyReader {
            private var counts: ArraySlice<Int>

            init(_ counts: [Int]) {
                self.counts = counts[...]
            }

            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                let count = counts.popFirst() ?? 0
                for index in 0..<max(0, min(count, buffer.count)) { buffer[index] = UInt8(ascii: "x") }
                return count
            }

            func close() {}
        }
    }

    /// A source that says how often its readers were closed.
    private struct Counted: BodySource {
        let length: Int
        let closed = Recorder<Bool>()

        func open() -> any BodyReader { Reader(closed) }

        final class Reader: BodyReader {
            private let closed: Recorder<Bool>

            init(_ closed: Recorder<Bool>) {
                self.closed = closed
            }

            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                buffer[0] = 0
                return 1
            }

            func close() { closed.record(true) }
        }
    }

    @Test func theReaderOfABodyThatShouldBeEmptyIsClosed() {
        let source = Counted(length: 0)
        #expect(throws: BodySourceError.tooLong(expectedLength: 0)) { try CheckedBodySource(source).open() }
        #expect(source.closed.count == 1)
    }

    /// What a stream gives in all, and why it gives no more.
    private func stream(_ source: some BodySource, by size: Int = 100) -> (count: Int, error: BodySourceError?) {
        let stream = BodyInputStream(source: RequestContent.source(source).source)
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        defer { buffer.deallocate() }
        stream.open()
        var total = 0
        while true {
            let count = stream.read(buffer, maxLength: size)
            guard count > 0 else { break }
            total += count
        }
        return (total, stream.streamError as? BodySourceError)
    }

    @Test(arguments: [1, 3, 4, 5, 100])
    func aSourceOfTheAnnouncedLengthIsReadUnchanged(size: Int) throws {
        let source = CheckedBodySource(DataBodySource(Data("12345".utf8)))
        #expect(source.length == 5)
        #expect(try source.bytes(readingBy: size) == Data("12345".utf8))
        #expect(try source.bytes(readingBy: size) == Data("12345".utf8))
        #expect(stream(DataBodySource(Data("12345".utf8)), by: size) == (5, nil))
        #expect(stream(DataBodySource(Data())) == (0, nil))
    }

    @Test(.spec(59), arguments: [([3], 3), ([1, 1, 1], 3), ([2, 0, 2], 2), ([], 0)])
    func aSourceWithFewerBytesThanAnnouncedFails(counts: [Int], given: Int) {
        let error = BodySourceError.endedEarly(expectedLength: 4, actualLength: given)
        #expect(stream(Scripted(length: 4, counts: counts)) == (given, error))
    }

    @Test(.spec(59), arguments: [([4, 1], 0), ([2, 2, 1], 2), ([1, 1, 1, 1, 1], 3)])
    func aSourceWithMoreBytesThanAnnouncedFailsBeforeItsLastBytes(counts: [Int], given: Int) {
        #expect(stream(Scripted(length: 4, counts: counts)) == (given, .tooLong(expectedLength: 4)))
    }

    /// A source that announces fewer bytes than it has, and fills what room there is.
    private struct Longer: BodySource {
        let length = 4
        func open() -> any BodyReader { DataBodySource(Data("0123456789".utf8)).open() }
    }

    @Test(.spec(59), arguments: [1, 2, 3, 4, 5, 9, 10, 11, 100])
    func noByteBeyondTheAnnouncedLengthIsReturned(size: Int) throws {
        let reader = try CheckedBodySource(Longer()).open()
        defer { reader.close() }
        var given = Data()
        let error = #expect(throws: BodySourceError.self) {
            try reader.forEachChunk(of: size) { given.append(contentsOf: $0) }
        }
        #expect(error == .tooLong(expectedLength: 4))
        #expect(given.count < 4 && Data("0123".utf8).starts(with: given))
    }

    @Test(arguments: [4, 5, 16]) func noByteBeyondTheAnnouncedLengthIsWrittenIntoTheBuffer(size: Int) throws {
        let reader = try CheckedBodySource(Longer()).open()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { buffer.deallocate() }
        buffer.initializeMemory(as: UInt8.self, repeating: 0xFF)
        #expect(throws: BodySourceError.tooLong(expectedLength: 4)) { try reader.read(into: buffer) }
        #expect(buffer.dropFirst(4).allSatisfy { $0 == 0xFF })
    }

    @Test func aSourceOfLengthZeroMustBeEmpty() {
        #expect(stream(Scripted(length: 0, counts: [1])) == (0, .tooLong(expectedLength: 0)))
    }

    @Test(arguments: [-1, 5, .max, .min])
    func anImpossibleReadCountIsAnError(count: Int) {
        let error = BodySourceError.invalidReadCount(count, capacity: 4)
        #expect(stream(Scripted(length: 4, counts: [count])) == (0, error))
    }

    @Test(arguments: [-1, .min])
    func aSourceWithALengthBelowZeroIsAnError(length: Int) {
        #expect(stream(Scripted(length: length, counts: [])) == (0, .invalidLength(length)))
    }

    @Test func aSourceThatFailedKeepsFailing() throws {
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

    @Test func theLengthOfASourceIsReadOnce() {
        let content = RequestContent.source(Fickle())
        let length = content.length
        for _ in 0..<100 { #expect(content.length == length) }
    }

    @Test func aPartThatIsTooShortIsNotMadeUpForByTheNext() throws {
        let parts = [2, 6].map { RequestContent.source(Scripted(length: 4, counts: [$0])).source }
        #expect(throws: BodySourceError.endedEarly(expectedLength: 4, actualLength: 2)) {
            try ConcatenatedBodySource(parts).bytes()
        }
    }
}

struct BodySourceErrorTests {
    private static let url = URL(fileURLWithPath: "/d/f.bin")

    @Test(
        arguments: [
            (.fileMissing(url: url), "there is no file '/d/f.bin'."),
            (.notARegularFile(url: url), "'/d/f.bin' is not a regular file."),
            (.fileUnreadable(url: url, code: 13), "the system refuses to read the file '/d/f.bin' (errno 13)."),
            (
                .fileChanged(url: url, expectedLength: 10, actualLength: 12),
                "the file '/d/f.bin' changed after the request was made (it had 10 bytes and now has 12)."
            ),
            (
                .fileChanged(url: url, expectedLength: 10, actualLength: 10),
                "the file '/d/f.bin' changed after the request was made (its content was replaced)."
            ),
            (.endedEarly(expectedLength: 10, actualLength: 7), "it ended after 7 of 10 bytes."),
            (.notReplayable, "it is an asynchronous sequence, which can be sent only once."),
            (.tooLong(expectedLength: 10), "it has more than the 10 bytes that were announced."),
            (.invalidLength(-1), "its source announces a length of -1 bytes."),
            (.invalidReadCount(12, capacity: 10), "its reader reported 12 bytes for a buffer of 10."),
        ] as [(BodySourceError, String)]
    )
    func aBodySourceErrorIsDescribedInOneSentence(error: BodySourceError, reason: String) {
        #expect(error.description == "The body cannot be read: \(reason)")
    }
}
