import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

#if !canImport(os)
struct RecordQueueTests {
    private static func records(in batch: RecordBatch) -> [String] {
        String(decoding: batch.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func drain(_ queue: inout RecordQueue) -> [String] {
        var records: [String] = []
        while let taken = queue.take() { records += Self.records(in: taken) }
        return records
    }

    @Test func aQueueWakesTheWriterOnceUntilItIsEmpty() {
        var queue = RecordQueue(capacity: 100)
        let wakes = ["a", "b"].map { queue.add($0) }
        expect(wakes, [true, false])
        let drained = drain(&queue)
        expectAll((drained, queue.isBusy), (["a", "b"], false))
        let wakesAgain = queue.add("c")
        #expect(wakesAgain)
    }

    @Test func aRecordStatesHowManyRecordsWereLost() {
        var queue = RecordQueue(capacity: 20)
        for text in ["123456789", "123456789", "x", "y", "z"] { _ = queue.add(text) }
        let drained = drain(&queue)
        let loss = "[NetworkClient] 3 log records were lost because they were not read in time"
        expect(drained, ["123456789", "123456789", loss])
        _ = queue.add("v")
        let next = drain(&queue)
        expect(next, ["v"])
    }

    @Test func theRecordOfALossComesBeforeLaterRecords() {
        var queue = RecordQueue(capacity: 20)
        for text in ["1", "longer than the capacity", "2"] { _ = queue.add(text) }
        let drained = drain(&queue)
        let loss = "[NetworkClient] 1 log records were lost because they were not read in time"
        expect(drained, ["1", loss, "2"])
    }

    @Test func afterALossRecordsAreLostUntilHalfOfTheQueueIsFree() {
        var queue = RecordQueue(capacity: 10_000)
        let record = String(repeating: "x", count: 2_999)
        for _ in 0..<4 { _ = queue.add(record) }
        var drained = queue.take().map(Self.records) ?? []
        for count in [3_000, 1_000, 1_000] {
            _ = queue.add("lost")
            queue.wrote(count)
        }
        _ = queue.add("kept")
        drained += drain(&queue)
        let loss = "[NetworkClient] 4 log records were lost because they were not read in time"
        expect(drained, [record, record, record, loss, "kept"])
    }

    @Test func anEmptyQueueAcceptsARecordOfAnyLength() {
        var queue = RecordQueue(capacity: 4)
        _ = queue.add("longer than that")
        let drained = drain(&queue)
        expect(drained, ["longer than that"])
    }
}

struct RecordBatchTests {
    @Test func aRecordThatCannotBeWrittenIsDroppedAlone() throws {
        let pair = try MessagePair()
        let (short, long) = (String(repeating: "x", count: 120_000), String(repeating: "y", count: 300_000))
        let messages = try put(["first", short, long, short, "last"], on: pair, length: 2 * 120_001 + 11)
        expect(messages, ["first\n", "\(short)\n", "\(short)\n", "last\n"])
    }

    /// A file for which the system accepts one number in each write, and refuses anything else.
    private static let numberFile = "/proc/self/coredump_filter"

    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: numberFile)))
    func recordsThatCannotBeWrittenTogetherAreWrittenOneByOne() throws {
        let before = try String(contentsOfFile: Self.numberFile, encoding: .utf8).trimmingCharacters(in: .newlines)
        let file = try #require(FileHandle(forUpdatingAtPath: Self.numberFile))
        var count = 0
        for (records, number) in [(["0x1", "no number"], "00000001\n"), (["no number", "0x2", ""], "00000002\n")] {
            let batch = RecordBatch(records)
            batch.put(on: file.fileDescriptor) { count += $0 }
            expect(try String(contentsOfFile: Self.numberFile, encoding: .utf8), number)
        }
        expect(count, 14 + 15)
        RecordBatch(["0x\(before)"]).put(on: file.fileDescriptor)
        try file.close()
    }

    @Test func recordsOfUpTo4096BytesAreWrittenTogether() throws {
        let pair = try MessagePair()
        let (long, half) = (String(repeating: "x", count: 5_000), String(repeating: "y", count: 2_047))
        let records = ["a", "b", long, "c", half, half, half, "d"]
        let messages = try put(records, on: pair, length: 11_153)
        expect(messages, ["a\nb\n", "\(long)\n", "c\n\(half)\n", "\(half)\n\(half)\n", "d\n"])
    }

    private func put(_ records: [String], on pair: MessagePair, length: Int) throws -> [String] {
        let descriptor = pair.end.fileDescriptor
        Thread.detachNewThread { RecordBatch(records).put(on: descriptor) }
        let messages = try pair.read(until: length)
        _ = pair
        return messages
    }
}

/// A pair of connected sockets that keep the bytes of each write apart.
struct MessagePair {
    let end: FileHandle
    private let reader: FileHandle

    init() throws {
        #if canImport(Musl)
        let type = SOCK_SEQPACKET
        #else
        let type = Int32(SOCK_SEQPACKET.rawValue)
        #endif
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        // A longer message can't be written; the system doubles the number.
        var length = Int32(100_000)
        setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &length, socklen_t(MemoryLayout<Int32>.size))
        // A message that is never written fails the test.
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        end = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        reader = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }

    /// Reads messages until they have a number of bytes in all.
    func read(until count: Int) throws -> [String] {
        var messages: [String] = []
        var (buffer, received) = ([UInt8](repeating: 0, count: 1 << 21), 0)
        while received < count {
            let length = recv(reader.fileDescriptor, &buffer, buffer.count, 0)
            try #require(length > 0)
            messages.append(String(decoding: buffer[..<length], as: UTF8.self))
            received += length
        }
        return messages
    }
}
#endif
