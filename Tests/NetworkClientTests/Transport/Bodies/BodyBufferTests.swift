import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct BodyBufferTests {
    private struct Failure: Error {}

    private static let block = [UInt8](repeating: 7, count: BodyBufferState.mark / 4)

    private func append(_ bytes: [UInt8], to buffer: BodyBuffer) -> BodyBufferState.Reception {
        bytes.withUnsafeBytes { buffer.append($0) }
    }

    /// Returns the receptions of a number of blocks.
    private func fill(_ buffer: BodyBuffer, blocks: Int) -> [BodyBufferState.Reception] {
        (0..<blocks).map { _ in append(Self.block, to: buffer) }
    }

    @Test func aBufferReturnsItsBytesAndThenTheEnd() async throws {
        let buffer = BodyBuffer(.pausing)
        _ = append([1, 2], to: buffer)
        _ = append([3], to: buffer)
        expect(try await buffer.next(), Data([1, 2, 3]))
        buffer.finish()
        expect(try await buffer.next(), nil)
        expect(append([4], to: buffer), .unwanted)
        expect(try await buffer.next(), nil)
    }

    /// Waking a reader takes longer than receiving a datagram.
    @Test func aReaderIsWokenForAPortionOrWhenNoMoreFollows() async {
        var state = BodyBufferState(.pausing) { try SpoolFile() }
        func append(_ count: Int) -> BodyBufferState.Waiter? {
            [UInt8](repeating: 7, count: count).withUnsafeBytes { state.append($0, wakingFor: 8) }.actions.waiter
        }
        await withCheckedContinuation { reader in
            let (waits, early) = (!state.wait(reader), state.wake())
            let appended = [append(3), append(4)].compactMap { $0 }
            let woken = state.wake()
            #expect(waits && early == nil && appended.isEmpty && woken != nil)
            (woken ?? reader).resume()
        }
        let portion = state.take().portion
        guard case .bytes(let bytes) = portion else {
            Issue.record("\(portion)")
            return
        }
        expect(bytes.count, 7)
        await withCheckedContinuation { reader in
            let (waits, early, woken) = (!state.wait(reader), append(7), append(1))
            #expect(waits && early == nil && woken != nil)
            (woken ?? reader).resume()
        }
    }

    @Test func aBufferReturnsTheBytesBeforeItsFailure() async throws {
        let buffer = BodyBuffer(.pausing)
        _ = append([1], to: buffer)
        buffer.finish(Failure())
        expect(try await buffer.next(), Data([1]))
        await #expect(throws: Failure.self) { try await buffer.next() }
        await #expect(throws: Failure.self) { try await buffer.next() }
    }

    @Test func aPausingBufferRefusesBytesUntilThereIsRoom() async throws {
        let (buffer, calls) = (BodyBuffer(.pausing), Recorder<String>())
        buffer.connect {
            calls.record("room")
        } onCancel: {
            calls.record("cancel")
        }
        expect(fill(buffer, blocks: 6), [.taken, .taken, .taken, .taken, .refused, .refused])
        expect(calls.values, [])
        expect(try await buffer.next()?.count, BodyBufferState.mark)
        expect(calls.values, ["room"])
        expect(append([1], to: buffer), .taken)
        expect(try await buffer.next(), Data([1]))
        expect(calls.values, ["room"])
    }

    @Test func aSignallingBufferTakesFurtherBytesAndReportsThatItIsFull() async throws {
        let (buffer, calls) = (BodyBuffer(.signalling), Recorder<String>())
        buffer.connect {
            calls.record("room")
        } onCancel: {
        }
        expect(fill(buffer, blocks: 5), [.taken, .taken, .taken, .filled, .filled])
        expect(try await buffer.next()?.count, Self.block.count * 5)
        expect(calls.values, ["room"])
    }

    @Test func aSpoolingBufferPutsFurtherBytesIntoAFile() async throws {
        let buffer = BodyBuffer(.spooling)
        #expect(fill(buffer, blocks: 40).allSatisfy { $0 == .taken })
        buffer.finish()
        var count = 0
        while let chunk = try await buffer.next() {
            #expect(chunk.count <= BodyBufferState.mark)
            count += chunk.count
        }
        expect(count, Self.block.count * 40)
    }

    @Test func aSpoolingBufferKeepsTheOrderOfMemoryAndFile() async throws {
        let buffer = BodyBuffer(.spooling)
        _ = fill(buffer, blocks: 4)
        _ = append([1], to: buffer)
        expect(try await buffer.next()?.count, BodyBufferState.mark)
        // New bytes go behind those in the file.
        _ = append([2], to: buffer)
        expect(try await buffer.next(), Data([1, 2]))
        _ = append([3], to: buffer)
        expect(try await buffer.next(), Data([3]))
    }

    @Test func aSpoolingBufferStopsTheTransportAtTheLimitOfItsFile() async throws {
        let (buffer, calls) = (BodyBuffer(.spooling) { try SpoolFile(limit: 1_000) }, Recorder<String>())
        buffer.connect {
            calls.record("room")
        } onCancel: {
            calls.record("cancel")
        }
        expect(fill(buffer, blocks: 4), [.taken, .taken, .taken, .taken])
        expect(append([1], to: buffer), .taken)
        expect(fill(buffer, blocks: 1), [.unwanted])
        expect(calls.values, ["cancel"])
        await #expect { try await buffer.next() } throws: { ($0 as? TransportError)?.reason == .unsupported }
    }

    @Test func aCancelledBufferDropsItsBytes() async throws {
        let (buffer, calls) = (BodyBuffer(.pausing), Recorder<String>())
        buffer.connect {
            calls.record("room")
        } onCancel: {
            calls.record("cancel")
        }
        _ = append([1], to: buffer)
        buffer.cancel()
        buffer.cancel()
        expect(calls.values, ["cancel"])
        expect(append([2], to: buffer), .unwanted)
        await #expect(throws: CancellationError.self) { try await buffer.next() }
    }

    @Test func aBufferReportsACancellationThatCameBeforeItsConnection() {
        let (buffer, calls) = (BodyBuffer(.pausing), Recorder<String>())
        buffer.cancel()
        buffer.connect {
        } onCancel: {
            calls.record("cancel")
        }
        expect(calls.values, ["cancel"])
    }

    @Test func aBufferIsNotCancelledAfterItsEnd() async throws {
        let (buffer, calls) = (BodyBuffer(.pausing), Recorder<String>())
        buffer.connect {
        } onCancel: {
            calls.record("cancel")
        }
        buffer.finish()
        buffer.cancel()
        expect(calls.values, [])
        expect(try await buffer.next(), nil)
    }

    @Test(arguments: [true, false])
    func bytesAndACancellationEndTheWaitForABuffer(byCancellation: Bool) async throws {
        let buffer = BodyBuffer(.pausing)
        let task = Task { try await buffer.next() }
        if byCancellation {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await withDeadline { try await task.value } }
        } else {
            _ = append([1], to: buffer)
            expect(try await withDeadline { try await task.value }, Data([1]))
        }
    }

    @Test func aSequenceFillsABufferOnlyAsFastAsItIsRead() async throws {
        let all = (0..<40).map { Data(repeating: UInt8($0), count: BodyBufferState.mark / 4) }
        let chunks = ScriptedChunks(all)
        let buffer = BodyBuffer(filledFrom: chunks)
        try await withDeadline("a full buffer") { while !buffer.isFull { await Task.yield() } }
        // Four chunks reach the mark, so that the fifth one waits.
        expect(chunks.askCount.current, 5)
        var received = Data()
        while let portion = try await buffer.next() {
            #expect(portion.count <= BodyBufferState.mark)
            received += portion
        }
        expect(received, all.reduce(Data(), +))
    }

    @Test func aChannelThatIsCancelledCancelsTheTaskOfItsSequence() async throws {
        let never = Gate()
        let chunks = ScriptedChunks { _ in
            try await never.wait()
            return nil
        }
        let channel = BufferedBodyChannel(BodyBuffer(filledFrom: chunks))
        _ = try await withDeadline { try await chunks.askCount.wait { $0 == 1 ? true : nil } }
        channel.cancel()
        try await withDeadline { try await chunks.isOver.wait() }
    }
}
