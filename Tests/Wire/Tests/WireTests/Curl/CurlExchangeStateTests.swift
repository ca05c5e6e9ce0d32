#if os(Linux)
import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

struct CurlExchangeStateTests {
    private struct Failure: Error {}

    private func feed(_ text: String, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        Array(text.utf8).withUnsafeBytes(body)
    }

    private func isTaken(_ reception: CurlExchangeState.Reception) -> Bool {
        if case .taken = reception { true } else { false }
    }

    private func state(limit: Int = 10, body: String? = nil) -> CurlExchangeState {
        let source = body.map { DataBodySource(Data($0.utf8)) }
        let options = TransportOptions(bodyLimit: limit)
        return CurlExchangeState(options: options, body: source.map { .source($0) }, now: 0)
    }

    private func answer(_ run: (inout CurlExchangeState) -> CurlExchangeState.Actions) async throws -> CurlResponse {
        var state = state()
        return try await withUnsafeThrowingContinuation { continuation in
            let early = state.began(continuation)
            #expect(early.resumption == nil)
            run(&state).perform()
        }
    }

    @Test func anExchangeGathersItsResponse() async throws {
        let answer = try await answer { state in
            let lines = ["HTTP/1.1 200 OK\r\n", "\r\n"].map { line in feed(line) { state.receivedHeader($0) == .taken }
            }
            let chunks = ["hello", "world"].map { chunk in feed(chunk) { isTaken(state.received($0)) } }
            #expect(lines + chunks == [true, true, true, true])
            return state.completed()
        }
        #expect(answer.head.status == 200)
        #expect(answer.body == Data("helloworld".utf8))
    }

    @Test func anExchangeEndsOnce() async throws {
        await #expect(throws: Failure.self) {
            try await answer { state in
                let resumption = state.failed(Failure())
                let later = [state.completed(), state.failed(CancellationError())]
                #expect(later.allSatisfy { $0.resumption == nil })
                let taken = [
                    feed("x") { isTaken(state.received($0)) }, feed("A: b\r\n") { state.receivedHeader($0) == .taken },
                ]
                #expect(taken == [false, false])
                return resumption
            }
        }
    }

    @Test func anExchangeKeepsAnEndThatCameBeforeItsContinuation() async {
        var state = state()
        let early = state.failed(CancellationError())
        #expect(early.resumption == nil)
        await #expect(throws: CancellationError.self) {
            let _: CurlResponse = try await withUnsafeThrowingContinuation { state.began($0).perform() }
        }
    }

    @Test func aBodyBeyondTheLimitIsTooLarge() {
        var state = state(limit: 5)
        let taken = ["hello", "!"].map { chunk in feed(chunk) { isTaken(state.received($0)) } }
        #expect(taken == [true, false])
        #expect((state.failure as? CurlFailure)?.reason == .bodyTooLarge)
        #expect((state.failure as? CurlFailure)?.detail == "the body is longer than the bodyLimit of 5 bytes")
    }

    @Test(.spec(186)) func theBodyOfAResponseThatIsNotAcceptedIsCut() async throws {
        var options = TransportOptions(bodyLimit: 5)
        options.acceptedStatuses = .successful
        let limits = options
        let answer: CurlResponse = try await withUnsafeThrowingContinuation { continuation in
            var state = CurlExchangeState(options: limits, body: nil, now: 0)
            state.began(continuation).perform()
            for line in ["HTTP/1.1 404 No\r\n", "\r\n"] { _ = feed(line) { state.receivedHeader($0) == .taken } }
            let taken = ["hel", "lo!", "x"].map { chunk in feed(chunk) { isTaken(state.received($0)) } }
            #expect(taken == [true, false, false])
            state.completed().perform()
        }
        #expect(answer.isCut)
        #expect(answer.body == Data("hello".utf8))
    }

    @Test func aHeadThatBreaksOffIsMalformed() async {
        let error = await #expect(throws: CurlFailure.self) {
            try await answer { state in
                _ = feed("HTTP/1.1 200 OK\r\n") { state.receivedHeader($0) == .taken }
                return state.completed()
            }
        }
        #expect(error?.reason == .malformedResponse)
    }

    /// libcurl forgets that a callback has refused bytes which it had kept during a pause.
    @Test func aBodyThatWasRefusedIsNoResponseIfTheTransferEndsWithoutAnError() async {
        let error = await #expect(throws: CurlFailure.self) {
            try await answer { state in
                for line in ["HTTP/1.1 200 OK\r\n", "\r\n"] { _ = feed(line) { state.receivedHeader($0) == .taken } }
                _ = feed("hello, world") { isTaken(state.received($0)) }
                return state.completed()
            }
        }
        #expect(error?.reason == .bodyTooLarge)
    }

    @Test func theHeadsOfAResponseHaveOneLimitTogether() {
        var state = state()
        let early = "HTTP/1.1 103 Early Hints\r\nLink: \(String(repeating: "x", count: 1 << 16))\r\n"
        var taken = 0
        while taken < 1000, feed(early, { state.receivedHeader($0) == .taken }) { taken += 1 }
        #expect(taken == 4)
        let sentence = "the heads of the response have more than 300000 bytes"
        #expect((state.failure as? CurlFailure)?.detail == sentence)
    }

    /// A reader that counts how often it was closed.
    private final class Reader: BodyReader {
        private(set) var closed = 0
        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
        func close() { closed += 1 }
    }

    /// Returns the name of the case.
    private func kind(_ upload: CurlExchangeState.Upload) -> String {
        switch upload {
        case .reader: "reader"
        case .source: "source"
        case .sequence: "sequence"
        case .socket: "socket"
        case .wait: "wait"
        case .end: "end"
        case .nothing: "nothing"
        }
    }

    @Test func theReaderOfABodyIsKeptBetweenTwoReads() {
        var state = state(body: "body")
        let reader = Reader()
        #expect(kind(state.takeUpload()) == "source")
        state.giveBack(reader).perform()
        #expect(kind(state.takeUpload()) == "reader")
        #expect(reader.closed == 0)
        state.giveBack(reader).perform()
        let (canRewind, actions) = state.rewind()
        actions.perform()
        #expect(canRewind && reader.closed == 1)
        #expect(kind(state.takeUpload()) == "source")
    }

    @Test func theReaderOfABodyIsClosedAtTheEnd() {
        let (kept, taken) = (Reader(), Reader())
        var state = state(body: "body")
        state.giveBack(kept).perform()
        state.failed(Failure()).perform()
        #expect(kept.closed == 0)
        state.closesBody().perform()
        #expect(kept.closed == 1)
        // A reader that is in use at the end is given back later.
        state.giveBack(taken).perform()
        #expect(taken.closed == 1)
        #expect(kind(state.takeUpload()) == "nothing")
        #expect(!state.rewind().canRewind)
    }

    @Test(arguments: [false, true])
    func aSequenceThatWasReadIsSentOverNoSecondConnection(isRead: Bool) async throws {
        let reader = try #require(SequenceBody(ScriptedChunks([Data([1, 2])]), length: nil).claim())
        var state = CurlExchangeState(options: .init(bodyLimit: 10), body: .sequence(reader), now: 0)
        #expect(kind(state.takeUpload()) == "nothing", "nobody has begun to ask the sequence")
        state.beganBody {}?.begin()
        #expect(kind(state.takeUpload()) == "sequence")
        let isFirstTaken = state.connected(isSpoiled: false)
        if isRead {
            let isReady = Gate()
            reader.whenReady { isReady.open() }
            try await withDeadline { try await isReady.wait() }
            #expect(try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { try reader.read(into: $0) } == 1)
        }
        let (canRewind, beginsAgain) = (state.rewind().canRewind, state.beginsAgainElsewhere().beginsAgain)
        let isSecondTaken = state.connected(isSpoiled: false)
        #expect(isFirstTaken)
        #expect([canRewind, beginsAgain, isSecondTaken] == [!isRead, !isRead, !isRead])
        let failure = state.failure as? CurlUpload.Failure
        #expect((failure?.underlying as? TransportError)?.reason == (isRead ? .bodyNotReplayable : nil))
    }

    @Test func aSequenceIsClosedAtTheEnd() async throws {
        let never = Gate()
        let chunks = ScriptedChunks { _ in
            try await never.wait()
            return nil
        }
        let reader = try #require(SequenceBody(chunks, length: nil).claim())
        var state = CurlExchangeState(options: .init(bodyLimit: 10), body: .sequence(reader), now: 0)
        state.beganBody {}?.begin()
        _ = try await withDeadline { try await chunks.askCount.wait { $0 == 1 ? true : nil } }
        state.failed(Failure()).perform()
        state.closesBody().perform()
        try await withDeadline { try await chunks.isOver.wait() }
        let begun = state.beganBody {}
        #expect(begun == nil)
    }

    @Test func aRequestWithoutABodyHasNoUpload() {
        var state = state()
        #expect(kind(state.takeUpload()) == "nothing")
        #expect(!state.rewind().canRewind)
    }

    private func state(isRepeatable: Bool) -> CurlExchangeState {
        CurlExchangeState(options: .init(bodyLimit: 10), body: nil, isRepeatable: isRepeatable, now: 0)
    }

    @Test(arguments: [true, false])
    func aSecondConnectionIsAcceptedOnlyForARepeatableRequest(isRepeatable: Bool) {
        var state = state(isRepeatable: isRepeatable)
        let taken = (0..<2).map { _ in state.connected(isSpoiled: false) }
        #expect(taken == [true, isRepeatable])
        #expect((state.failure as? CurlFailure)?.reason == (isRepeatable ? nil : .connectionLost))
    }

    @Test(arguments: [true, false])
    func anExchangeBeginsAgainOnceAfterASpoiledConnection(isRepeatable: Bool) {
        var state = state(isRepeatable: isRepeatable)
        let taken = state.connected(isSpoiled: true)
        let beginnings = (0..<2).map { _ in state.connecting.beginsAgain() }
        #expect(!taken && beginnings == [true, false])
        // Nothing was sent, so that this is the first connection.
        let isTakenNow = state.connected(isSpoiled: false)
        #expect(isTakenNow)
        let beginsAgain = state.connecting.beginsAgain()
        #expect(!beginsAgain)
    }

    /// A SOCKS proxy may need the address of the server, over a connection that can be closed at once.
    @Test func aLookUpForAConnectionThatHasASocketDoesNotCount() {
        var state = state(isRepeatable: true)
        let beginsTime = [state.beginsLookUp()]
        var isLookingUp = [state.connecting.lookUp.isActive]
        state.connecting.lookUp.opensSocket()
        isLookingUp.append(state.connecting.lookUp.isActive)
        _ = state.beginsLookUp()
        isLookingUp.append(state.connecting.lookUp.isActive)
        _ = state.connected(isSpoiled: false)
        let beginsAgain = state.beginsLookUp()
        isLookingUp.append(state.connecting.lookUp.isActive)
        #expect(isLookingUp == [true, false, false, true])
        #expect(beginsTime + [beginsAgain] == [true, true])
    }

    @Test func anExchangeThatIsOverDoesNotBeginAgain() {
        var state = state(isRepeatable: true)
        _ = state.connected(isSpoiled: true)
        _ = state.failed(CancellationError())
        let takesAnother = state.connected(isSpoiled: false)
        #expect(state.isOver && !takesAnother)
    }

    @Test func anExchangeBeginsAgainOnceIfTheServerLeavesBeforeItsResponse() {
        var state = state(isRepeatable: true)
        // libcurl may have tried others already.
        for _ in 0..<6 { _ = state.connected(isSpoiled: false) }
        let first = state.beginsAgainElsewhere().beginsAgain
        _ = state.connected(isSpoiled: false)
        let second = state.beginsAgainElsewhere().beginsAgain
        #expect(first && !second)
    }

    @Test func anExchangeDoesNotBeginAgainWithoutRepeatabilityOrAfterAResponse() {
        var once = state(isRepeatable: false)
        _ = once.connected(isSpoiled: false)
        let isRepeated = once.beginsAgainElsewhere().beginsAgain
        var answered = state(isRepeatable: true)
        _ = answered.connected(isSpoiled: false)
        let isTaken = feed("HTTP/2 200\r\n") { answered.receivedHeader($0) == .taken }
        let isAskedAgain = answered.beginsAgainElsewhere().beginsAgain
        #expect(!isRepeated && isTaken && !isAskedAgain)
    }
}
#endif
