import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

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
        try await withDeadline("calls whose log nobody reads") {
            for number in 0..<count {
                try await client.fetch(request: URLRequest(url: url("http://h/\(number)")))
            }
        }
        let (numbers, lost) = try await withDeadline("reading the log") {
            try Self.read(pipe.fileHandleForReading, until: count)
        }
        expectAll((numbers, Set(numbers).count), (numbers.sorted(), numbers.count))
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
        expect(found.sorted(), records.sorted())
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
        expect(length, 300_000)
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
        expect(messages.joined(), records.map { "\($0)\n" }.joined())
        #expect(messages.allSatisfy { $0.hasPrefix("record ") && $0.hasSuffix("\n") })
        let longMessages = messages.filter { $0.utf8.count > 4096 }
        expect(longMessages.map { $0.components(separatedBy: "record ").count }, [2, 2, 2])
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
        expect(text, lacks: "http://h/a", "relative")
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
        expectAll((found.count, found.last?.contains("/499 ")), (500, true))
    }
}
#endif
