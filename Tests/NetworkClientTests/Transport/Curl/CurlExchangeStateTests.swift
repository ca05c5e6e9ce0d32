#if os(Linux)
import Foundation
import NetworkUtilities
import Testing

@testable import NetworkClient

struct CurlExchangeStateTests {
    private struct Failure: Error {}

    private func feed(_ text: String, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        Array(text.utf8).withUnsafeBytes(body)
    }

    private func state(limit: Int = 10, body: String? = nil) -> CurlExchangeState {
        CurlExchangeState(bodyLimit: limit, source: body.map { DataBodySource(Data($0.utf8)) })
    }

    private func answer(_ run: (inout CurlExchangeState) -> CurlExchangeState.Resumption?) async throws -> CurlAnswer {
        var state = state()
        return try await withCheckedThrowingContinuation { continuation in
            let early = state.began(continuation)
            #expect(early == nil)
            run(&state)?.perform()
        }
    }

    @Test func gathersAnAnswer() async throws {
        let answer = try await answer { state in
            let lines = ["HTTP/1.1 200 OK\r\n", "\r\n"].map { line in feed(line) { state.receivedHeader($0) } }
            let chunks = ["hello", "world"].map { chunk in feed(chunk) { state.received($0) } }
            #expect(lines + chunks == [true, true, true, true])
            return state.completed()
        }
        #expect(answer.head.status == 200)
        #expect(answer.body == Data("helloworld".utf8))
    }

    @Test func endsOnce() async throws {
        await #expect(throws: Failure.self) {
            try await answer { state in
                let resumption = state.failed(Failure())
                let later = [state.completed(), state.failed(CancellationError())]
                #expect(later.allSatisfy { $0 == nil })
                let taken = [feed("x") { state.received($0) }, feed("A: b\r\n") { state.receivedHeader($0) }]
                #expect(taken == [false, false])
                return resumption
            }
        }
    }

    @Test func remembersAnEndThatCameFirst() async {
        var state = state()
        let early = state.failed(CancellationError())
        #expect(early == nil)
        await #expect(throws: CancellationError.self) {
            let _: CurlAnswer = try await withCheckedThrowingContinuation { state.began($0)?.perform() }
        }
    }

    @Test func countsTheBytesOfTheBody() {
        var state = state(limit: 5)
        let taken = ["hello", "!"].map { chunk in feed(chunk) { state.received($0) } }
        #expect(taken == [true, false])
        #expect((state.failure as? CurlFailure)?.reason == .bodyTooLarge)
        #expect((state.failure as? CurlFailure)?.detail == "the body is longer than 5 bytes")
    }

    @Test func refusesAHeadThatBreaksOff() async {
        let error = await #expect(throws: CurlFailure.self) {
            try await answer { state in
                _ = feed("HTTP/1.1 200 OK\r\n") { state.receivedHeader($0) }
                return state.completed()
            }
        }
        #expect(error?.reason == .malformedResponse)
    }

    @Test func sendsTheBodyAgainFromItsStart() {
        var state = state(body: "body")
        for _ in 0..<2 {
            var bytes = [UInt8](repeating: 0, count: 9)
            let counts = (0..<2).map { _ in bytes.withUnsafeMutableBytes { state.send(into: $0) } }
            #expect(counts == [4, 0])
            #expect(bytes.prefix(4) == ArraySlice("body".utf8))
            let canRewind = state.rewind()
            #expect(canRewind)
        }
        var empty = self.state()
        let canRewind = empty.rewind()
        #expect(!canRewind)
    }
}
#endif
