import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SpoolFileTests {
    private static let block = 1 << 18

    /// Returns bytes without two equal blocks.
    private func bytes(_ range: Range<Int>) -> Data {
        Data(range.map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 11) })
    }

    private func append(_ data: Data, to file: inout SpoolFile) throws {
        try data.withUnsafeBytes { try file.append($0) }
    }

    @Test func aSpoolFileReturnsItsBytesInTheirOrder() throws {
        var generator = SeededGenerator(seed: 11)
        var file = try SpoolFile()
        let all = bytes(0..<3_000_000)
        var (written, read) = (0, Data())
        while read.count < all.count {
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let end = min(all.count, written + Int.random(in: 0...700_000, using: &generator))
                try append(all[written..<end], to: &file)
                written = end
            }
            for _ in 0..<Int.random(in: 0...3, using: &generator) { read += try file.next() }
            expect(file.count, written - read.count)
        }
        expect(read, all)
        expect(try file.next(), Data())
    }

    /// Otherwise a reader that is always a little behind would make the file as long as the body.
    @Test func aSpoolFileIsNoLongerThanTheBytesThatWaitedAtOneTime() throws {
        var file = try SpoolFile()
        let portion = bytes(0..<100_000)
        for _ in 0..<10 { try append(portion, to: &file) }
        var longest = 0
        for _ in 0..<300 {
            try append(portion, to: &file)
            var count = 0
            while file.count > 1_000_000 { count += try file.next().count }
            longest = max(longest, try file.fileLength())
        }
        #expect(longest <= 1_000_000 + portion.count + 3 * Self.block)
        while try !file.next().isEmpty {}
        expect(try file.fileLength(), 0)
    }

    @Test func moreThanTheLimitOfASpoolFileIsAnErrorThatSaysSo() throws {
        var file = try SpoolFile(limit: 1_000)
        try append(bytes(0..<1_000), to: &file)
        let failure = #expect(throws: TransportError.self) { try append(Data([1]), to: &file) }
        expect(failure?.reason, .unsupported)
        expect(
            failure?.description,
            "The request failed: its body arrived faster than it was read, and URLSession on Linux cannot make "
                + "a server wait: more than 1000 bytes would have to be kept in a temporary file."
        )
        expect(try file.next().count, 1_000)
        try append(bytes(0..<1_000), to: &file)
        expect(file.count, 1_000)
    }
}
