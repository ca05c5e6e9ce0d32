import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct BodyChannelTests {
    private struct Failure: Error {}

    /// A channel with some chunks, after which it waits until it is cancelled, or fails.
    private final class Channel: BodyChannel {
        private let chunks: Locked<[Data]>
        private let fails: Bool
        private let cancellation = Gate()
        /// Opens when the reader waits for the next chunk.
        let isEmpty = Gate()

        init(_ chunks: [String], fails: Bool = false) {
            self.chunks = Locked(chunks.map { Data($0.utf8) })
            self.fails = fails
        }

        var isCancelled: Bool { cancellation.isOpen }

        func next() async throws -> Data? {
            if let chunk = chunks.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return chunk }
            guard !fails else { throw Failure() }
            isEmpty.open()
            try await cancellation.wait()
            throw CancellationError()
        }

        func cancel() { cancellation.open() }
    }

    @Test(.spec(205)) func aPrefixHasTheBytesThatCameUntilTheLimitOfTime() async throws {
        let clock = TestClock()
        let channel = Channel(["ab", "c"])
        let prefix = Task { try await channel.prefix(limit: 10, until: TimeLimit(seconds: 1, on: clock)) }
        try await withDeadline {
            try await channel.isEmpty.wait()
            try await clock.waitForSleepers()
        }
        clock.advance(by: 1)
        let (data, isCut) = try await withDeadline { try await prefix.value }
        expectAll((data, isCut, channel.isCancelled), (Data("abc".utf8), true, true))
    }

    @Test(.spec(205), arguments: [(3, "abc"), (4, "abcd"), (0, "")])
    func aPrefixOfABodyEndsAtItsLimit(limit: Int, expected: String) async throws {
        let channel = Channel(["ab", "cd", "e"])
        let (data, isCut) = try await withDeadline { try await channel.prefix(limit: limit, until: nil) }
        expectAll((data, isCut, channel.isCancelled), (Data(expected.utf8), true, true))
    }

    @Test func aPrefixOfAShorterBodyIsWhole() async throws {
        let limit = TimeLimit(seconds: 1, on: TestClock())
        let (data, isCut) = try await WholeBodyChannel(Data("ab".utf8)).prefix(limit: 3, until: limit)
        expectAll((data, isCut), (Data("ab".utf8), false))
    }

    @Test func readingAPrefixFailsIfTheBodyFailsOrTheTaskIsCancelled() async throws {
        let limit = TimeLimit(seconds: 1, on: TestClock())
        await #expect(throws: Failure.self) { _ = try await Channel(["a"], fails: true).prefix(limit: 3, until: limit) }
        let buffer = BodyBuffer(.pausing)
        let prefix = Task { try await buffer.prefix(limit: 3, until: limit) }
        prefix.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await prefix.value } }
    }
}
