import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import NetworkClient

struct DefaultLogStreamTests {
    @Test func marksARecordAsInformationUnlessTold() {
        let stream = RecordingStream()
        (stream as any LogStream).log("hello")
        #expect(stream.records == [.init(message: "hello", type: .info)])
    }

    #if !canImport(os)
    @Test(.spec(155)) func writesConcurrentRecordsOneAfterAnother() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let stream = DefaultLogStream(output: try FileHandle(forWritingTo: file))
        let records = (0..<200).map { number in
            (["record \(number)"] + (0..<500).map { "  line \(number).\($0)" }).joined(separator: "\n")
        }
        await withTaskGroup(of: Void.self) { group in
            for record in records { group.addTask { stream.log(record, for: .info) } }
        }
        let written = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        let found = written.components(separatedBy: "record ").dropFirst().map { "record \($0.dropLast())" }
        #expect(found.sorted() == records.sorted())
    }

    @Test func survivesAFileThatCannotBeWritten() throws {
        let file = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        DefaultLogStream(output: file).log("nobody hears", for: .critical)
    }
    #endif
}
