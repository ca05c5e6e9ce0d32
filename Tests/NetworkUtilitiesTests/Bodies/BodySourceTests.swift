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

    @Test(.longComputation, arguments: [1, 7, 65_524, 1_000_000])
    func sourcesAreReadOneAfterTheOther(size: Int) throws {
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

    @Test func lengthsThatNoIntCanCountDoNotTrap() {
        let source = ConcatenatedBodySource([Announcing(length: .max), Announcing(length: .max)])
        #expect(source.length == .max)
    }

    @Test func aClosedReaderGivesNothingMore() throws {
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
