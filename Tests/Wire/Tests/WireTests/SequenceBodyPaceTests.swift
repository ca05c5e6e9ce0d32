import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Who waits for whom while an asynchronous sequence gives a body, and when it is let go.
struct SequenceBodyPaceTests {
    /// Returns a sequence with one chunk, which then waits until its iteration is cancelled.
    private func silentAfterOne() -> ScriptedChunks {
        let never = Gate()
        return ScriptedChunks { number in
            if number > 0 { try await never.wait() }
            return Data("first".utf8)
        }
    }

    private func waitForAsks(_ count: Int, _ chunks: ScriptedChunks) async throws {
        _ = try await withDeadline { try await chunks.askCount.wait { $0 >= count ? true : nil } }
    }

    @Test(arguments: TransportUnderTest.all(without: .sendsNothingWhileABodyIsMade))
    func aSequenceIsSentAsItsElementsCome(transport: TransportUnderTest) async throws {
        let headHasCome = Gate()
        let server = try LoopbackServer(
            onHead: { _ in
                headHasCome.open()
                return .none
            },
            handler: { _ in .respond() }
        )
        let chunks = ScriptedChunks { number in
            // The last waits until the server has the head, which it would never have if anybody waited for the last.
            if number == 2 { try await headHasCome.wait() }
            return number < 3 ? Data("\(number)".utf8) : nil
        }
        let request = URLRequest.post(url: server.url).bodyStream(chunks).build()
        #expect(await (try transport.client()).outcome(of: request) == .answered(200))
        #expect(server.requests.map(\.body) == [Data("012".utf8)])
    }

    @Test(arguments: TransportUnderTest.all, [true, false])
    func aSequenceStopsWhenTheCallIsCancelled(transport: TransportUnderTest, byItsTask: Bool) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try transport.client()
        let chunks = silentAfterOne()
        let request = URLRequest.post(url: server.url).bodyStream(chunks).build()
        let call = Task { try await client.fetch(request: request) }
        try await waitForAsks(2, chunks)
        if byItsTask { call.cancel() } else { client.cancelAll() }
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        try await withDeadline { try await chunks.isOver.wait() }
        try await server.waitForOpenConnections(0)
        #expect(server.requestCount == 0)
    }

    @Test(arguments: TransportUnderTest.all)
    func aSequenceThatIgnoresCancellationDelaysNoCancelledCall(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try transport.client()
        let gate = Gate()
        let chunks = ScriptedChunks { _ in
            // Deaf to its cancellation.
            await Task { try? await gate.wait() }.value
            return nil
        }
        let request = URLRequest.post(url: server.url).bodyStream(chunks).build()
        let call = Task { try await client.fetch(request: request) }
        try await waitForAsks(1, chunks)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        gate.open()
        try await withDeadline { try await chunks.isOver.wait() }
    }

    @Test(arguments: TransportUnderTest.all)
    func aSequenceMayNotPauseForLongerThanTheTimeout(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let chunks = silentAfterOne()
        let request = URLRequest.post(url: server.url).bodyStream(chunks).idleTimeout(0.2).build()
        #expect(await (try transport.client()).outcome(of: request) == .failed(.timedOut))
        try await withDeadline { try await chunks.isOver.wait() }
        #expect(server.requestCount == 0)
    }

    @Test(arguments: TransportUnderTest.all)
    func aSequenceMayNotTakeLongerThanTheCall(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let chunks = silentAfterOne()
        let request = URLRequest.post(url: server.url).bodyStream(chunks).build()
        let outcome = await (try transport.client()).outcome(of: request, options: CallOptions(attemptTimeout: 0.2))
        #expect(outcome == .failed(.timedOut))
        try await withDeadline { try await chunks.isOver.wait() }
    }

    @Test(arguments: TransportUnderTest.all(without: .sendsNothingWhileABodyIsMade), [413, 500])
    func aSequenceStopsWhenTheServerRespondsBeforeItsEnd(transport: TransportUnderTest, status: Int) async throws {
        let gate = Gate()
        let server = try LoopbackServer(
            onHead: { head in
                guard head.path == "/slow" else { return .none }
                return .final([.wait(gate), .respond(status: status, body: "enough")])
            },
            handler: { _ in .respond(body: "next") }
        )
        let client = try transport.client()
        let chunks = silentAfterOne()
        let request = URLRequest.post(url: server.url("/slow")).bodyStream(chunks).build()
        let call = Task { await client.outcome(of: request) }
        try await server.waitForHeads(count: 1)
        // Enough time to find that no further bytes are available.
        for _ in 0..<20 { _ = try await client.fetch(request: URLRequest(url: server.url("/other"))) }
        gate.open()
        #expect(await call.value == .refused(status, "enough"))
        try await withDeadline { try await chunks.isOver.wait() }
        #expect(await client.outcome(of: URLRequest(url: server.url("/next"))) == .answered(200, "next"))
    }

    @Test(arguments: TransportUnderTest.all(without: .sendsNothingWhileABodyIsMade))
    func aSequenceIsNotReadFasterThanTheServerReceives(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer(
            recording: .withoutBodies,
            onHead: { $0.path == "/slow" ? .interim([.wait(gate)]) : .none },
            handler: { _ in .respond() }
        )
        // Far more than two sockets hold.
        let chunk = Data(count: 64 << 10)
        let count = 1_024
        let chunks = ScriptedChunks { $0 < count ? chunk : nil }
        let client = try transport.client()
        let request = URLRequest.post(url: server.url("/slow")).bodyStream(chunks).build()
        let call = Task { await client.outcome(of: request) }
        try await waitForAsks(8, chunks)
        // Time enough for the whole of it, if anybody asked.
        for _ in 0..<200 { _ = try await client.fetch(request: URLRequest(url: server.url("/other"))) }
        #expect(chunks.askCount.current < count / 2)
        gate.open()
        let outcome = await call.value
        #expect(outcome == .answered(200))
        #expect(server.requests.last?.bodyLength == count * chunk.count)
    }

    @Test(arguments: TransportUnderTest.all)
    func theElementsOfASequenceAreReleasedWhenTheyWereSent(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(recording: .withoutBodies) { _ in .respond() }
        let living = AwaitableValue((now: 0, most: 0))
        let chunks = ScriptedChunks { number in
            guard number < 64 else { return nil }
            living.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            let bytes = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 1)
            bytes.initializeMemory(as: UInt8.self, repeating: 7, count: 1 << 20)
            return Data(
                bytesNoCopy: bytes,
                count: 1 << 20,
                deallocator: .custom { bytes, _ in
                    bytes.deallocate()
                    living.update { $0.now -= 1 }
                }
            )
        }
        let request = URLRequest.post(url: server.url).bodyStream(chunks).build()
        let outcome = await (try transport.client()).outcome(of: request)
        #expect(outcome == .answered(200))
        #expect(server.requests.map(\.bodyLength) == [64 << 20])
        #expect(living.current.most <= 3)
        // The sequence may still have its last in its hands.
        try await withDeadline { try await living.wait { $0.now == 0 ? () : nil } }
    }
}
