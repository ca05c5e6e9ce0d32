import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct SequenceInputStreamTests {
    private struct Broken: Error {}

    /// What a stream of a body gives, read on a thread that may wait, the last result, which is 0 or −1, and the error.
    private func drain(_ body: SequenceBody) async throws -> (Data, Int, (any Error)?) {
        let result = AwaitableValue<(Data, Int, (any Error)?)?>(nil)
        let thread = Thread {
            let stream = SequenceInputStream(body: body)
            var buffer = [UInt8](repeating: 0, count: 1_000)
            var bytes = Data()
            var count = 0
            stream.open()
            repeat {
                count = stream.read(&buffer, maxLength: buffer.count)
                if count > 0 { bytes += buffer[..<count] }
            } while count > 0
            let (all, last, error) = (bytes, count, stream.streamError)
            result.update { $0 = (all, last, error) }
        }
        thread.start()
        return try await withDeadline { try await result.wait { $0 } }
    }

    @Test func waitsForEachChunk() async throws {
        let gate = Gate()
        let chunks = ScriptedChunks { number in
            if number == 1 { try await gate.wait() }
            return number < 2 ? Data(repeating: UInt8(number), count: 3_000) : nil
        }
        let opener = Task {
            _ = try await chunks.askCount.wait { $0 == 2 ? true : nil }
            gate.open()
        }
        let (bytes, end, _) = try await drain(SequenceBody(chunks, length: nil))
        #expect(bytes == Data(repeating: 0, count: 3_000) + Data(repeating: 1, count: 3_000))
        #expect(end == 0)
        try await opener.value
    }

    @Test func failsWithTheErrorOfTheSequence() async throws {
        let chunks = ScriptedChunks { _ in throw Broken() }
        let (bytes, end, error) = try await drain(SequenceBody(chunks, length: nil))
        #expect(bytes.isEmpty)
        #expect(end == -1)
        #expect(error is Broken)
    }

    @Test(arguments: [1, 3]) func isNoStreamOfAnotherLengthThanStated(length: Int) async throws {
        let body = SequenceBody(ScriptedChunks([Data([1, 2])]), length: length)
        let (_, end, error) = try await drain(body)
        #expect(end == -1)
        #expect(error is BodySourceError)
    }

    @Test func canBeOpenedOnce() {
        let body = SequenceBody(ScriptedChunks([]), length: nil)
        let first = SequenceInputStream(body: body)
        #expect(first.streamStatus == .notOpen)
        first.open()
        #expect(first.streamStatus == .open)
        #expect(first.hasBytesAvailable)
        first.close()
        #expect(first.streamStatus == .closed)
        var byte: UInt8 = 0
        #expect(first.read(&byte, maxLength: 1) == 0)
        for stream in [first, SequenceInputStream(body: body)] {
            stream.open()
            #expect(stream.streamStatus == .error)
            #expect(stream.hasBytesAvailable, "or else it would pass for an empty body")
            #expect(stream.read(&byte, maxLength: 1) == -1)
            #expect(stream.streamError as? BodySourceError == .notReplayable)
        }
    }

    @Test func stopsTheIterationWhenItIsClosed() async throws {
        let never = Gate()
        let chunks = ScriptedChunks { _ in
            try await never.wait()
            return nil
        }
        let stream = SequenceInputStream(body: SequenceBody(chunks, length: nil))
        stream.open()
        _ = try await withDeadline { try await chunks.askCount.wait { $0 == 1 ? true : nil } }
        stream.close()
        try await withDeadline { try await chunks.isOver.wait() }
    }
}
