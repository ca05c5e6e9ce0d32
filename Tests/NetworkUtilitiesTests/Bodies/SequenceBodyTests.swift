@testable import NetworkUtilities

struct SequenceBodyTests {
    private struct Broken: Error {}

    private static let bytes = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private static func chunks(of size: Int) -> [Data] {
        stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
    }

    private func begin(_ chunks: ScriptedChunks, length: Int? = nil) throws -> SequenceBodyReader {
        let reader = try #require(SequenceBody(chunks, length: length).claim())
        reader.begin()
        return reader
    }

    /// The next bytes, which are waited for.
    private func read(_ reader: SequenceBodyReader, at most: Int = 1_000) async throws -> Data {
        try await withDeadline {
            while true {
                var data = Data(count: most)
                if let count = try data.withUnsafeMutableBytes({ try reader.read(into: $0) }) {
                    return data.prefix(count)
                }
                let isReady = Gate()
                reader.whenReady { isReady.open() }
                try await isReady.wait()
            }
        }
    }

    private func readAll(_ reader: SequenceBodyReader, by size: Int = 1_000) async throws -> Data {
        var result = Data()
        while true {
            let part = try await read(reader, at: size)
            guard !part.isEmpty else { return result }
            result += part
        }
    }

    private func error(of reader: SequenceBodyReader) async -> (any Error)? {
        do {
            _ = try await readAll(reader)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [1, 1_000, 65_524, 300_000], [7_777, 150_000, 400_000])
    func aSequenceBodyIsReadInOrder(size: Int, chunkSize: Int) async throws {
        let reader = try begin(ScriptedChunks(Self.chunks(of: chunkSize)))
        expect(try await readAll(reader, by: size == 1 ? 97 : size), Self.bytes)
        expect(try await read(reader), Data())
    }

    @Test func emptyChunksOfASequenceBodyAreSkippedAndItMayHaveNoOthers() async throws {
        let chunks = ScriptedChunks([Data(), Data([1]), Data(), Data([2, 3]), Data()])
        expect(try await readAll(begin(chunks, length: 3)), Data([1, 2, 3]))
        for length in [nil, 0] { expect(try await read(begin(ScriptedChunks([]), length: length)), Data()) }
    }

    @Test func aSequenceIsPausedWhileItsBufferIsFull() async throws {
        let chunkLength = 10_000
        let chunks = ScriptedChunks { _ in Data(count: chunkLength) }
        let reader = try begin(chunks)
        // When so many have been requested, the buffer is full and no more can be requested.
        let full = (SequenceBodyState.capacity + chunkLength - 1) / chunkLength
        _ = try await withDeadline { try await chunks.askCount.wait { $0 == full ? true : nil } }
        _ = try await read(reader, at: chunkLength)
        expect(chunks.askCount.current, full)
        for _ in 0..<(full / 2 + 1) { _ = try await read(reader, at: chunkLength) }
        _ = try await withDeadline { try await chunks.askCount.wait { $0 > full ? true : nil } }
        reader.close()
        try await withDeadline { try await chunks.isOver.wait() }
    }

    @Test func theLastByteOfAStatedLengthIsWithheldUntilTheSequenceEnds() async throws {
        let gate = Gate()
        let chunks = ScriptedChunks { number in
            guard number > 0 else { return Data([1, 2, 3]) }
            try await gate.wait()
            return nil
        }
        let reader = try begin(chunks, length: 3)
        expect(try await read(reader), Data([1, 2]))
        expect(try hasNothing(reader), true)
        gate.open()
        expect(try await read(reader), Data([3]))
        expect(try await read(reader), Data())
    }

    private func hasNothing(_ reader: SequenceBodyReader) throws -> Bool {
        var byte: UInt8 = 0
        return try withUnsafeMutableBytes(of: &byte) { try reader.read(into: $0) } == nil
    }

    @Test func aSequenceFailsIfItsBytesAreNotAsManyAsStated() async throws {
        let rows: [(counts: [Int], length: Int, BodySourceError)] = [
            ([3], 4, .endedEarly(expectedLength: 4, actualLength: 3)), ([3, 1], 3, .tooLong(expectedLength: 3)),
            ([1, 3], 3, .tooLong(expectedLength: 3)), ([4], 3, .tooLong(expectedLength: 3)),
            ([3, 0, 7], 3, .tooLong(expectedLength: 3)),
        ]
        for (counts, length, failure) in rows {
            let chunks = ScriptedChunks(counts.map { Data(count: $0) })
            expect(await error(of: try begin(chunks, length: length)) as? BodySourceError, failure)
            try await withDeadline { try await chunks.isOver.wait() }
        }
        let chunks = ScriptedChunks([Data([1])])
        expect(await error(of: try begin(chunks, length: -1)) as? BodySourceError, .invalidLength(-1))
        expect(chunks.askCount.current, 0)
    }

    @Test(arguments: [nil, 1]) func aSequenceBodyFailsWithTheErrorOfItsSequence(length: Int?) async throws {
        let chunks = ScriptedChunks { number in
            guard number > 0 else { return Data([1]) }
            throw Broken()
        }
        let failure = await error(of: try begin(chunks, length: length)) as? SequenceBodyFailure
        #expect(failure?.underlying is Broken)
    }

    /// A sequence that gives nothing until its iteration is cancelled.
    private func silence() -> ScriptedChunks {
        let never = Gate()
        return ScriptedChunks { _ in
            try await never.wait()
            return nil
        }
    }

    @Test func aSequenceIsCancelledWhenItsReaderIsClosed() async throws {
        let chunks = silence()
        let reader = try begin(chunks)
        _ = try await withDeadline { try await chunks.askCount.wait { $0 == 1 ? true : nil } }
        let isReady = Gate()
        reader.whenReady { isReady.open() }
        reader.close()
        try await withDeadline { try await chunks.isOver.wait() }
        try await withDeadline { try await isReady.wait() }
        #expect(await error(of: reader) is CancellationError)
    }

    @Test func aSequenceIsCancelledWhenItsReaderIsReleasedAndAPausedOneWhenItIsClosed() async throws {
        let chunks = silence()
        var reader: SequenceBodyReader? = try begin(chunks)
        _ = try await withDeadline { try await chunks.askCount.wait { $0 == 1 ? true : nil } }
        expect(reader?.length, nil)
        reader = nil
        try await withDeadline { try await chunks.isOver.wait() }
        let full = ScriptedChunks { _ in Data(count: SequenceBodyState.capacity) }
        let paused = try begin(full)
        _ = try await withDeadline { try await full.askCount.wait { $0 == 1 ? true : nil } }
        paused.close()
        try await withDeadline { try await full.isOver.wait() }
        expect(full.askCount.current, 1)
    }

    @Test func aSequenceIsClaimedOnceAndNotIteratedAfterItsReaderWasClosed() async throws {
        let chunks = ScriptedChunks([Data([1])])
        let body = SequenceBody(chunks, length: nil)
        let reader = try #require(body.claim())
        #expect(body.claim() == nil)
        reader.close()
        reader.begin()
        #expect(await error(of: reader) is CancellationError)
        expect(chunks.askCount.current, 0)
    }
}
