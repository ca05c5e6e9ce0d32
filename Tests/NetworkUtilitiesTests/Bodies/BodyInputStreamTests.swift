@testable import NetworkUtilities

struct BodyInputStreamTests {
    private static let bytes = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    @Test func aBodyStreamIsReadFromItsStartWhenItIsOpenedAndHasNoBytesWhenItIsNot() throws {
        let stream = BodyInputStream(source: DataBodySource(Self.bytes))
        expect(stream.streamStatus, .notOpen)
        expect(stream.hasBytesAvailable, false)
        expect(drain(stream, by: 10).end, -1)
        var byte: UInt8 = 0
        stream.open()
        expect(stream.read(&byte, maxLength: 1), 1)
        stream.open()
        expect(drain(stream, by: 1_000).bytes, Self.bytes)
        stream.open()
        stream.close()
        expect(drain(stream, by: 10).bytes, Data())
        expect(drain(stream, by: 10).end, 0)
        let empty = BodyInputStream(source: DataBodySource(Data()))
        empty.open()
        expect(empty.streamStatus, .atEnd)
        expect(empty.hasBytesAvailable, false)
        expect(drain(empty, by: 10).end, 0)
        var request = URLRequest(url: url("http://127.0.0.1"))
        request.httpBodyStream = stream
        let copy = request
        expect((copy.httpBodyStream as? BodyInputStream)?.source.length, Self.bytes.count)
    }

    @Test(.spec(59)) func aBodyStreamFailsWithItsSource() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("file", Self.bytes)
        let stream = BodyInputStream(source: try FileBodySource(url: file))
        stream.open()
        var byte: UInt8 = 0
        expect(stream.read(&byte, maxLength: 1), 1)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 100)
        try handle.close()
        expect(drain(stream, by: 65_524).end, -1)
        expect(stream.streamStatus, .error)
        expect(stream.hasBytesAvailable, true, "who asks is to read, and learn of the failure")
        stream.close()
        expect(stream.streamStatus, .error)
        let error = BodySourceError.fileChanged(url: file, expectedLength: Self.bytes.count, actualLength: 100)
        expect(stream.streamError as? BodySourceError, error)
        stream.open()
        expect(stream.streamError as? BodySourceError, error)
    }
}

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

    @Test func aSequenceStreamWaitsForEachChunk() async throws {
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
        expect(bytes, Data(repeating: 0, count: 3_000) + Data(repeating: 1, count: 3_000))
        expect(end, 0)
        try await opener.value
    }

    @Test func aSequenceStreamFailsWithTheErrorOfItsSequenceOrItsLength() async throws {
        let (bytes, end, error) = try await drain(SequenceBody(ScriptedChunks { _ in throw Broken() }, length: nil))
        expect(bytes, Data())
        expect(end, -1)
        #expect(error is Broken)
        let short = SequenceBody(ScriptedChunks([Data([1, 2])]), length: 3)
        #expect(try await drain(short).2 is BodySourceError)
    }

    @Test func aSequenceStreamCanBeOpenedOnce() {
        let body = SequenceBody(ScriptedChunks([]), length: nil)
        let first = SequenceInputStream(body: body)
        expect(first.streamStatus, .notOpen)
        first.open()
        expect(first.streamStatus, .open)
        expect(first.hasBytesAvailable, true)
        first.close()
        expect(first.streamStatus, .closed)
        var byte: UInt8 = 0
        expect(first.read(&byte, maxLength: 1), 0)
        for stream in [first, SequenceInputStream(body: body)] {
            stream.open()
            expect(stream.streamStatus, .error)
            expect(stream.hasBytesAvailable, true, "or else it would pass for an empty body")
            expect(stream.read(&byte, maxLength: 1), -1)
            expect(stream.streamError as? BodySourceError, .notReplayable)
        }
    }

    @Test func aSequenceStreamCancelsTheIterationWhenItIsClosed() async throws {
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
