import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// Both ends of a socket without a connection: what the server sends is given to the channel, and what the client sends
/// is taken from it.
@Suite(.spec(312)) struct WebSocketChannelTests {
    private struct Lost: Error {}

    private static let malformed = WebSocketReader.Violation("a reserved bit is set").error

    private let channel = WebSocketChannel(
        WebSocketOptions { ($0.messageLimit, $0.sendBuffer, $0.receiveBuffer) = (1_000, 100, 200) }
    )

    private func frame(_ opcode: UInt8, _ payload: [UInt8] = []) -> [UInt8] { WebSocketPeer.frame(opcode, payload) }

    private func text(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }

    private func close(_ code: UInt16) -> [UInt8] { frame(8, [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)]) }

    @discardableResult
    private func receive(_ frames: [UInt8]...) -> WebSocketState.Reception {
        Array(frames.joined()).withUnsafeBytes { channel.receive($0) }
    }

    /// Takes what the client sends, in portions of so many bytes; returns the frames in words, and whether it was the
    /// last portion of all.
    private func sent(portion: Int = 1_000, after begun: [UInt8] = []) throws -> [String] {
        var bytes = begun
        var buffer = [UInt8](repeating: 0, count: portion)
        var end: [String] = []
        taking: while true {
            switch buffer.withUnsafeMutableBytes({ channel.take(into: $0) }) {
            case .bytes(let count): bytes += buffer[..<count]
            case .nothing: break taking
            case .end:
                end = ["end"]
                break taking
            }
        }
        return try words(bytes) + end
    }

    /// Takes the first bytes of what the client sends.
    private func begin(_ count: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        expect(buffer.withUnsafeMutableBytes { channel.take(into: $0) }, .bytes(count))
        return buffer
    }

    /// Takes what the client sends until there are so many frames.
    private func sent(atLeast count: Int) async throws -> [String] {
        try await withDeadline("frames of the client") {
            var all: [String] = []
            while all.count < count {
                all += try sent()
                await Task.yield()
            }
            return all
        }
    }

    private func words(_ bytes: [UInt8]) throws -> [String] {
        try WebSocketPeer.frames(in: bytes).map(\.description)
    }

    @Test func messagesComeInTheirOrderAndThenTheEnd() async throws {
        receive(text("a"), frame(2, [1]), text("b"), close(1000))
        expect(try await channel.next(), .text("a"))
        expect(try await channel.next(), .binary(Data([1])))
        expect(try await channel.next(), .text("b"))
        expect(try await channel.next(), nil)
        expect(try await channel.next(), nil)
    }

    @Test func aReaderWaitsForItsMessage() async throws {
        let reader = Task { try await channel.next() }
        receive(Array(text("late").dropLast()))
        receive([UInt8(ascii: "e")])
        expect(try await withDeadline { try await reader.value }, .text("late"))
    }

    @Test func aCancelledReaderLeavesTheMessagesToTheNext() async throws {
        let reader = Task { try await channel.next() }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await reader.value } }
        receive(text("a"))
        expect(try await channel.next(), .text("a"))
    }

    @Test(arguments: [1, 2, 7, 1_000])
    func messagesAreSentInTheirOrder(portion: Int) async throws {
        try await channel.send(.text("one"))
        try await channel.send(.binary(Data("two".utf8)))
        try await channel.send(.text(""))
        expect(try sent(portion: portion), ["text one", "binary two", "text "])
    }

    /// Autobahn's 2.10 has ten pings; the pongs of a flood are those of its last sixteen.
    @Test func pingsHavePongsThatPrecedeMessages() async throws {
        try await channel.send(.text("first"))
        let begun = begin(3)
        try await channel.send(.text("second"))
        for number in 0..<18 { receive(frame(9, Array("\(number)".utf8))) }
        expect(try sent(after: begun), ["text first"] + (2..<18).map { "pong \($0)" } + ["text second"])
    }

    @Test func aReaderThatIsBehindStopsTheServer() async throws {
        let goings = Recorder<String>()
        channel.connect { goings.record("on") }
        // Each takes 64 bytes beside its own.
        expect(receive(text("a")), .taken)
        expect(receive(text("b"), text("c"), text("d")), .taken)
        expect(receive(text("e")), .refused)
        for name in ["a", "b"] { expect(try await channel.next(), .text(name)) }
        expect(goings.values, [])
        expect(try await channel.next(), .text("c"))
        expect(goings.values, ["on"])
        expect(receive(text("e")), .taken)
        for name in ["d", "e"] { expect(try await channel.next(), .text(name)) }
    }

    /// Two frames of 66 bytes are above the limit of 100, so that the sender of the second waits.
    @Test func aSenderWaitsForRoom() async throws {
        let returned = Recorder<Int>()
        let sender = Task {
            for number in 0..<3 {
                try await channel.send(.text(String(repeating: "\(number)", count: 60)))
                returned.record(number)
            }
        }
        try await withDeadline("a message") { while returned.values.isEmpty { await Task.yield() } }
        for _ in 0..<1_000 { await Task.yield() }
        expect(returned.values, [0])
        expect(try await sent(atLeast: 3), (0..<3).map { "text " + String(repeating: "\($0)", count: 60) })
        try await withDeadline { try await sender.value }
    }

    @Test func aSenderThatWaitsAtTheEndIsTold() async throws {
        let isQueued = Gate()
        channel.connect { isQueued.open() }
        expect(try sent(), [])
        let sender = Task { try await channel.send(.text(String(repeating: "a", count: 110))) }
        try await withDeadline { try await isQueued.wait() }
        receive(close(1011))
        let expected = WebSocketClosed(code: .internalError, reason: "")
        await #expect(throws: expected) { try await withDeadline { try await sender.value } }
        expect(try sent(), ["close 1011 ", "end"])
    }

    @Test(arguments: [1, 3, 9])
    func aCloseOfTheServerReplacesWhatIsQueuedButNotWhatIsBegun(portion: Int) async throws {
        try await channel.send(.text("first"))
        try await channel.send(.text("second"))
        let begun = begin(portion)
        receive(close(1000))
        expect(try sent(after: begun), ["text first", "close 1000 ", "end"])
    }

    @Test func limitsBelowOneLetOneMessageWait() async throws {
        let channel = WebSocketChannel(
            WebSocketOptions { ($0.messageLimit, $0.sendBuffer, $0.receiveBuffer) = (10, 0, -1) }
        )
        expect(text("a").withUnsafeBytes { channel.receive($0) }, .taken)
        expect(text("b").withUnsafeBytes { channel.receive($0) }, .refused)
        expect(try await channel.next(), .text("a"))
        expect(text("b").withUnsafeBytes { channel.receive($0) }, .taken)
    }

    @Test func aCloseIsReadBehindMessagesThatNoOneReads() async throws {
        for name in ["a", "b", "c", "d"] { receive(text(name)) }
        expect(receive(text("e")), .refused)
        let closer = Task { try await channel.close() }
        expect(try await sent(atLeast: 1), ["close 1000 "])
        expect(receive(text("e"), close(1000)), .ended)
        try await withDeadline { try await closer.value }
        for name in ["a", "b", "c", "d"] { expect(try await channel.next(), .text(name)) }
        expect(try await channel.next(), nil)
    }

    @Test func aReaderGetsAllMessagesThatComeAfterItsClose() async throws {
        receive(text("first"))
        expect(try await channel.next(), .text("first"))
        for name in ["a", "b", "c", "d"] { receive(text(name)) }
        let closer = Task { try await channel.close() }
        expect(try await sent(atLeast: 1), ["close 1000 "])
        expect(receive(text("e"), close(1000)), .refused)
        for name in ["a", "b", "c", "d"] { expect(try await channel.next(), .text(name)) }
        expect(receive(text("e"), close(1000)), .ended)
        try await withDeadline { try await closer.value }
        expect(try await channel.next(), .text("e"))
        expect(try await channel.next(), nil)
    }

    @Test func aSenderThatIsCancelledHasQueuedItsMessage() async throws {
        let isQueued = Gate()
        channel.connect { isQueued.open() }
        expect(try sent(), [])
        let sender = Task { try await channel.send(.text(String(repeating: "a", count: 110))) }
        try await withDeadline { try await isQueued.wait() }
        sender.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await sender.value } }
        expect(try sent().count, 1)
    }

    @Test(arguments: [(1001, "1001"), (1011, "1011"), (4999, "4999"), (3000, "3000")] as [(UInt16, String)])
    func aCloseOfTheServerIsReturnedAndThrown(code: UInt16, sent name: String) async throws {
        try await channel.send(.text("not sent any more"))
        receive(text("a"), close(code), text("ignored"))
        expect(try sent(), ["close \(name) ", "end"])
        #expect(channel.isOver)
        expect(try await channel.next(), .text("a"))
        let expected = WebSocketClosed(code: WebSocketCloseCode(rawValue: code), reason: "")
        await #expect(throws: expected) { try await channel.next() }
        await #expect(throws: expected) { try await channel.send(.text("b")) }
        await #expect(throws: expected) { try await channel.ping() }
    }

    @Test func aCloseWithoutACodeIsANormalEnd() async throws {
        receive(frame(8))
        expect(try sent(), ["close ", "end"])
        expect(try await channel.next(), nil)
    }

    @Test func aCloseFollowsTheMessagesAndWaitsForTheServers() async throws {
        try await channel.send(.text("last"))
        let closer = Task { try await channel.close(.goingAway, reason: "bye") }
        expect(try await sent(atLeast: 2), ["text last", "close 1001 bye"])
        #expect(!channel.isOver)
        await #expect(throws: TransportError.self) { try await channel.send(.text("late")) }
        receive(frame(9, [1]), text("still read"), close(1001))
        #expect(channel.isOver)
        try await withDeadline { try await closer.value }
        expect(try await channel.next(), .text("still read"))
        try await channel.close()
    }

    /// Autobahn's 3.2 to 3.4 and 5.15: the reply to the message before is sent.
    @Test func aRuleThatTheServerBreaksClosesTheSocketBehindTheMessages() async throws {
        expect(receive(text("a"), [0xC1, 0]), .ended)
        expect(try sent(), [])
        expect(receive(text("b")), .ended)
        expect(try await channel.next(), .text("a"))
        try await channel.send(.text("reply"))
        await #expect(throws: Self.malformed) { try await channel.next() }
        expect(try sent(), ["text reply", "close 1002 ", "end"])
        #expect(channel.isOver)
    }

    @Test func aRuleBrokenWhileAMessageIsHandledIsTheErrorOfTheNextRead() async throws {
        receive(text("a"))
        expect(try await channel.next(), .text("a"))
        receive([0xC1, 0])
        // The transport waits for the reader for a second only.
        channel.disconnect(Lost())
        await #expect(throws: Self.malformed) { try await channel.next() }
    }

    @Test func aLongMessageClosesTheSocket() async throws {
        receive([0x82, 126, 0x03, 0xE9])
        expect(try sent(), ["close 1009 ", "end"])
    }

    @Test func aConnectionThatEndsWithoutACloseIsAnError() async throws {
        let (reader, closer) = (Task { try await channel.next() }, Task { try await channel.close() })
        _ = try await sent(atLeast: 1)
        channel.disconnect(Lost())
        #expect(channel.isOver)
        await #expect(throws: Lost.self) { try await withDeadline { try await reader.value } }
        try await withDeadline { try await closer.value }
        await #expect(throws: Lost.self) { try await channel.send(.text("a")) }
    }

    @Test func aPingReturnsWithItsPong() async throws {
        let isOver = Recorder<String>()
        let first = Task {
            try await channel.ping()
            isOver.record("first")
        }
        _ = try await sent(atLeast: 1)
        receive(frame(10, [7]))
        for _ in 0..<1_000 { await Task.yield() }
        expect(isOver.values, [])
        let second = Task { try await channel.ping() }
        _ = try await sent(atLeast: 1)
        // The pong of the second one is for the first one, too.
        receive(frame(10, [0, 0, 0, 0, 0, 0, 0, 2]))
        try await withDeadline { try await first.value }
        try await withDeadline { try await second.value }
        let third = Task { try await channel.ping() }
        _ = try await sent(atLeast: 1)
        channel.disconnect(Lost())
        await #expect(throws: Lost.self) { try await withDeadline { try await third.value } }
    }
}
