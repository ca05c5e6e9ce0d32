import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if !canImport(os)
struct LogWriterTests {
    @Test(.spec(190)) func aLogWithoutAReaderBlocksNoCallAndKeepsItsOrder() async throws {
        let pipe = Pipe()
        let writer = LogWriter(pipe.fileHandleForWriting.fileDescriptor, capacity: 4096)
        let client = NetworkClient(
            transport: ClosureTransport(json: "1"),
            logging: DefaultLogger(tag: "", logStream: DefaultLogStream(writer: writer))
        )
        // A pipe holds 64 KiB, which is less than half of these.
        let count = 4000
        try await withDeadline(seconds: 60, "calls whose log nobody reads") {
            for number in 0..<count {
                try await client.fetch(request: URLRequest(url: url("http://h/\(number)")))
            }
        }
        let (numbers, lost) = try await withDeadline(seconds: 60, "reading the log") {
            try Self.read(pipe.fileHandleForReading, until: count)
        }
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(numbers.count > 100 && lost > 0)
        _ = pipe
    }

    /// Reads the numbers of the records from a pipe, and the number of lost records, until all are accounted for.
    private static func read(_ file: FileHandle, until count: Int) throws -> (numbers: [Int], lost: Int) {
        var (numbers, lost, rest) = ([Int](), 0, "")
        while numbers.count + lost < count {
            rest += String(decoding: file.availableData, as: UTF8.self)
            let lines = rest.split(separator: "\n", omittingEmptySubsequences: false)
            rest = lines.last.map(String.init) ?? ""
            for line in lines.dropLast() {
                let words = line.split(separator: " ")
                if words.contains("lost") {
                    lost += try #require(Int(words[1]))
                } else {
                    let path = try #require(words.first { $0.hasPrefix("http://h/") })
                    numbers.append(try #require(Int(path.dropFirst("http://h/".count))))
                }
            }
        }
        return (numbers, lost)
    }

    @Test(.spec(155)) func concurrentRecordsDoNotMix() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        let writer = LogWriter(handle.fileDescriptor, capacity: 1 << 24)
        let stream = DefaultLogStream(writer: writer)
        let records = (0..<200).map { number in
            (["record \(number)"] + (0..<500).map { "  line \(number).\($0)" }).joined(separator: "\n")
        }
        await withTaskGroup(of: Void.self) { group in
            for record in records { group.addTask { stream.log(record, for: .info) } }
        }
        writer.flush(seconds: 60)
        let written = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        let found = written.components(separatedBy: "record ").dropFirst().map { "record \($0.dropLast())" }
        #expect(found.sorted() == records.sorted())
        try handle.close()
    }

    @Test(.spec(190)) func aLogWhoseReaderClosedDoesNotEndTheProcess() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGPIPE, SIG_DFL)
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let writer = LogWriter(pipe.fileHandleForWriting.fileDescriptor)
            let client = NetworkClient(
                transport: ClosureTransport(json: "1"),
                logging: .default(logStream: DefaultLogStream(writer: writer))
            )
            for _ in 0..<100 { try await client.fetch(request: URLRequest(url: url("http://h/"))) }
            writer.flush(seconds: 60)
            exit(7)
        }
    }

    @Test func everyRecordIsWrittenToANonBlockingDescriptor() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let writer = LogWriter(descriptor)
        let record = String(repeating: "x", count: 99_999)
        for _ in 0..<3 { writer.write(record) }
        var length = 0
        while length < 300_000 { length += pipe.fileHandleForReading.availableData.count }
        #expect(length == 300_000)
        _ = pipe
    }

    /// A pipe keeps the bytes of one write together, up to 4,096 of them: a line of other code falls between records.
    @Test(.spec(155)) func aRecordOfUpTo4096BytesReachesItsReaderInOnePiece() throws {
        let pair = try MessagePair()
        let writer = LogWriter(pair.end.fileDescriptor)
        let long = String(repeating: "x", count: 20_000)
        var records = (0..<4000).map { "record \($0)\n  \(String(repeating: "y", count: $0 % 300))" }
        for index in [100, 1000, 3999] { records[index] += long }
        // More than the socket holds, so that most records have to wait.
        for record in records { writer.write(record) }
        let messages = try pair.read(until: records.reduce(0) { $0 + $1.utf8.count + 1 })
        #expect(messages.joined() == records.map { "\($0)\n" }.joined())
        #expect(messages.allSatisfy { $0.hasPrefix("record ") && $0.hasSuffix("\n") })
        let longMessages = messages.filter { $0.utf8.count > 4096 }
        #expect(longMessages.map { $0.components(separatedBy: "record ").count } == [2, 2, 2])
        #expect(messages.count < records.count)
        writer.flush(seconds: 60)
        _ = pair
    }

    @Test func recordsForADescriptorThatCannotBeWrittenAreDropped() throws {
        let file = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        let writer = LogWriter(file.fileDescriptor)
        writer.write("nobody hears")
        writer.flush(seconds: 60)
        try file.close()
    }

    @Test(.spec(150)) func aClientWithoutALoggerWritesNothing() async throws {
        let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
            let client = NetworkClient(transport: ClosureTransport(json: "1"))
            let request = URLRequest(url: url("http://h/a"))
            try await client.fetch(request: request)
            _ = try? await NetworkClient().fetch(request: URLRequest(url: url("relative")))
            exit(7)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(!text.contains("http://h/a") && !text.contains("relative"))
    }

    @Test(.spec(191)) func aLoggingInterceptorWritesOneLineWithAndWithoutALoggerOfTheClient() async throws {
        let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
            let transport = ClosureTransport(json: "1")
            let alone = NetworkClient(transport: transport, interceptors: [.logging()])
            try await alone.fetch(request: URLRequest(url: url("http://h/alone")))
            let both = NetworkClient(transport: transport, interceptors: [.logging()], logging: .default)
            try await both.fetch(request: URLRequest(url: url("http://h/both")))
            exit(7)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let found = text.split(separator: "\n").filter { $0.contains("[NetworkClient] GET http://h/") }
        #expect(found.count == 2 && found[0].contains("/alone ") && found[1].contains("/both "))
    }

    @Test(.spec(190)) func theLastRecordsAreWrittenBeforeTheProcessExits() async throws {
        let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
            let client = NetworkClient(transport: ClosureTransport(json: "1"), logging: .default)
            for number in 0..<500 { try await client.fetch(request: URLRequest(url: url("http://h/\(number)"))) }
            exit(7)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let found = text.split(separator: "\n").filter { $0.contains("[NetworkClient] GET http://h/") }
        #expect(found.count == 500 && found.last?.contains("/499 ") == true)
    }
}

/// A pair of connected sockets that keep the bytes of each write apart.
private struct MessagePair {
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

struct RecordBatchTests {
    @Test func aRecordThatCannotBeWrittenIsDroppedAlone() throws {
        let pair = try MessagePair()
        let (short, long) = (String(repeating: "x", count: 120_000), String(repeating: "y", count: 300_000))
        let batch = RecordBatch(["first", short, long, short, "last"])
        let descriptor = pair.end.fileDescriptor
        Thread.detachNewThread { batch.put(on: descriptor) }
        let messages = try pair.read(until: 2 * 120_001 + 11)
        #expect(messages == ["first\n", "\(short)\n", "\(short)\n", "last\n"])
        _ = pair
    }
}

struct RecordQueueTests {
    private func drain(_ queue: inout RecordQueue) -> [String] {
        var records: [String] = []
        while let taken = queue.take() { records += taken }
        return records
    }

    @Test func aQueueWakesTheWriterOnceUntilItIsEmpty() {
        var queue = RecordQueue(capacity: 100)
        let wakes = ["a", "b"].map { queue.add($0) }
        #expect(wakes == [true, false])
        let drained = drain(&queue)
        #expect(drained == ["a", "b"] && !queue.isBusy)
        let wakesAgain = queue.add("c")
        #expect(wakesAgain)
    }

    @Test func aRecordStatesHowManyRecordsWereLost() {
        var queue = RecordQueue(capacity: 20)
        for text in ["123456789", "123456789", "x", "y", "z"] { _ = queue.add(text) }
        let drained = drain(&queue)
        let loss = "[NetworkClient] 3 log records were lost because they were not read in time"
        #expect(drained == ["123456789", "123456789", loss])
        _ = queue.add("v")
        let next = drain(&queue)
        #expect(next == ["v"])
    }

    @Test func theRecordOfALossComesBeforeLaterRecords() {
        var queue = RecordQueue(capacity: 20)
        for text in ["1", "longer than the capacity", "2"] { _ = queue.add(text) }
        let drained = drain(&queue)
        let loss = "[NetworkClient] 1 log records were lost because they were not read in time"
        #expect(drained == ["1", loss, "2"])
    }

    @Test func afterALossRecordsAreLostUntilHalfOfTheQueueIsFree() {
        var queue = RecordQueue(capacity: 10_000)
        let record = String(repeating: "x", count: 2_999)
        for _ in 0..<4 { _ = queue.add(record) }
        var drained = queue.take() ?? []
        _ = queue.add("lost")
        drained += queue.take() ?? []
        _ = queue.add("kept")
        drained += drain(&queue)
        let loss = "[NetworkClient] 2 log records were lost because they were not read in time"
        #expect(drained == [record, record, record, loss, "kept"])
    }

    @Test func aQueueHandsOutWholeRecordsOfUpTo4096BytesTogether() {
        var queue = RecordQueue(capacity: 100_000)
        let long = String(repeating: "x", count: 5_000)
        let half = String(repeating: "y", count: 2_047)
        for record in ["a", "b", long, "c", half, half, half, "d"] { _ = queue.add(record) }
        var batches: [[String]] = []
        while let taken = queue.take() { batches.append(taken) }
        #expect(batches == [["a", "b"], [long], ["c", half], [half, half], ["d"]])
    }

    @Test func anEmptyQueueAcceptsARecordOfAnyLength() {
        var queue = RecordQueue(capacity: 4)
        _ = queue.add("longer than that")
        let drained = drain(&queue)
        #expect(drained == ["longer than that"])
    }
}
#endif
