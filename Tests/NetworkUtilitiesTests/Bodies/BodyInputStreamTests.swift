import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct BodyInputStreamTests {
    private static let bytes = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    /// What a stream gives until it gives no more, and the last result: 0 or −1.
    private func drain(_ stream: InputStream, by size: Int) -> (bytes: Data, end: Int) {
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
        defer { buffer.deallocate() }
        var result = Data()
        while true {
            let count = stream.read(buffer, maxLength: size)
            guard count > 0 else { return (result, count) }
            result.append(buffer, count: count)
        }
    }

    private func source(in directory: TemporaryDirectory) throws -> ConcatenatedBodySource {
        let file = try FileBodySource(url: directory.file("file", Self.bytes))
        return ConcatenatedBodySource([DataBodySource(Data([1, 2, 3])), file, DataBodySource(Data([4]))])
    }

    @Test(.longComputation, arguments: [1, 7, 65_524])
    func givesTheBytesOfItsSourceEachTimeItIsOpened(size: Int) throws {
        let directory = try TemporaryDirectory()
        let stream = BodyInputStream(source: try source(in: directory))
        for closesInBetween in [true, false, true] {
            stream.open()
            #expect(stream.streamStatus == .open)
            #expect(stream.hasBytesAvailable)
            let (bytes, end) = drain(stream, by: size)
            #expect(bytes == Data([1, 2, 3]) + Self.bytes + [4])
            #expect(end == 0)
            #expect(stream.streamStatus == .atEnd)
            #expect(!stream.hasBytesAvailable)
            if closesInBetween {
                stream.close()
                #expect(stream.streamStatus == .closed)
            }
        }
    }

    @Test func startsAgainWhenItIsOpenedHalfWay() throws {
        let stream = BodyInputStream(source: DataBodySource(Self.bytes))
        var byte: UInt8 = 0
        stream.open()
        #expect(stream.read(&byte, maxLength: 1) == 1)
        stream.open()
        #expect(drain(stream, by: 1_000).bytes == Self.bytes)
    }

    @Test func anEmptyBodyIsAtItsEndAtOnce() {
        let stream = BodyInputStream(source: DataBodySource(Data()))
        #expect(stream.streamStatus == .notOpen)
        stream.open()
        #expect(stream.streamStatus == .atEnd)
        #expect(!stream.hasBytesAvailable)
        #expect(drain(stream, by: 10).end == 0)
    }

    @Test func aStreamThatIsNotOpenGivesNoBytes() {
        let stream = BodyInputStream(source: DataBodySource(Self.bytes))
        #expect(!stream.hasBytesAvailable)
        #expect(drain(stream, by: 10).end == -1)
        stream.open()
        stream.close()
        #expect(drain(stream, by: 10) == (Data(), 0))
    }

    @Test(.spec(59)) func failsWithItsSource() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("file", Self.bytes)
        let stream = BodyInputStream(source: try FileBodySource(url: file))
        stream.open()
        var byte: UInt8 = 0
        #expect(stream.read(&byte, maxLength: 1) == 1)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 100)
        try handle.close()
        #expect(drain(stream, by: 65_524).end == -1)
        let error = BodySourceError.fileChanged(url: file, expectedLength: Self.bytes.count, actualLength: 100)
        #expect(stream.streamStatus == .error)
        #expect(stream.hasBytesAvailable, "who asks is to read, and learn of the failure")
        stream.close()
        #expect(stream.streamStatus == .error)
        #expect(stream.streamError as? BodySourceError == error)
        stream.open()
        #expect(stream.streamError as? BodySourceError == error)
    }

    /// A source that gives fewer bytes than it announces.
    private struct Lying: BodySource {
        let length: Int
        func open() -> any BodyReader { DataBodySource(Data([1, 2, 3])).open() }
    }

    @Test func failsWithALengthBelowZero() {
        let stream = BodyInputStream(source: Lying(length: -1))
        stream.open()
        #expect(drain(stream, by: 100).end == -1)
        #expect(stream.streamError as? BodySourceError == .invalidLength(-1))
    }

    @Test func failsWhereBytesAreMissing() {
        let short = BodyInputStream(source: Lying(length: 4))
        short.open()
        #expect(drain(short, by: 100).end == -1)
        #expect(short.streamError as? BodySourceError == .endedEarly(expectedLength: 4, actualLength: 3))
    }

    @Test func aRequestCarriesTheStreamAndWithItTheSource() throws {
        let url = try #require(URL(string: "http://127.0.0.1"))
        var request = URLRequest(url: url)
        request.httpBodyStream = BodyInputStream(source: DataBodySource(Self.bytes))
        let copy = request
        let stream = try #require(copy.httpBodyStream as? BodyInputStream)
        #expect(stream.source.length == Self.bytes.count)
    }
}
