#if os(Linux)
import Foundation
import NetworkUtilities

/// The life of one exchange: takes an event, returns what is to be done, and does nothing itself.
///
/// It ends once, whatever comes first; everything after that is ignored.
struct CurlExchangeState {
    typealias Continuation = CheckedContinuation<CurlAnswer, any Error>

    /// The bytes that all heads of an answer, and its trailers, may have together.
    static let headLimit = 1 << 20

    private let delivery: Delivery
    /// Whether the request may reach the server twice.
    private let isRepeatable: Bool
    private var connectionCount = 0
    /// Whether the transfer was stopped before anything was sent, to begin again on another connection.
    private var isToBeginAgain = false
    private let content: CurlBody.Content?
    private var goOn: (@Sendable () -> Void)?
    private var reader: (any BodyReader)?
    private var continuation: Continuation?
    private var isAnswered = false
    private var outcome: Result<CurlAnswer, any Error>?
    private var head = ResponseHeadLines()
    private var headCount = 0
    private var body = Data()

    /// Whether the transfer was stopped because the body became too long, and what has come of it is what is wanted.
    private(set) var isCut = false

    /// What one of the callbacks found wrong, for which libcurl only knows that it was told to stop.
    private(set) var failure: (any Error)?

    /// Where the exchange is among those of its engine.
    var place: Int?

    /// Whether the transfer is left to end by itself, since libcurl would wait for its name's look-up.
    var isAbandoned = false

    /// When a byte moved last, in nanoseconds.
    var lastActivity: UInt64

    /// Whether it waits for nobody but the reader of the body, for which no time is set.
    private(set) var isPaused = false

    var isOver: Bool { outcome != nil }

    /// Whether there was a connection for the request.
    private(set) var isConnected = false

    /// Whether a connection was taken, over which the request, or a part of it, may have been sent.
    var hasConnected: Bool { connectionCount > 0 }

    init(delivery: Delivery, body content: CurlBody.Content?, isRepeatable: Bool = true, now: UInt64) {
        self.delivery = delivery
        self.isRepeatable = isRepeatable
        self.content = content
        lastActivity = now
    }

    mutating func began(_ continuation: Continuation) -> Actions {
        if let outcome { return Actions(resumption: (continuation, outcome)) }
        self.continuation = continuation
        return Actions()
    }

    /// There is a connection for the request, spoiled if something has come that would be taken for the answer; false
    /// if the request must not be sent over it.
    ///
    /// libcurl sends a request again by itself when a connection that it kept turns out to be dead. The server may have
    /// acted on the first, so that is not for every request (RFC 9110 §9.2.2).
    mutating func connected(isSpoiled: Bool) -> Bool {
        guard !isOver else { return false }
        isConnected = true
        connectionCount += 1
        guard connectionCount == 1 || isRepeatable else { return stop(CurlFailure.connectionLost) }
        guard isBodyWhole else { return stop(CurlUploadFailure(underlying: TransportError(.bodyNotReplayable))) }
        isToBeginAgain = isSpoiled
        return !isSpoiled
    }

    /// There is a connection, of which libcurl has not told.
    mutating func foundConnected() {
        isConnected = true
    }

    /// Whether a transfer that was stopped before anything was sent begins again, once.
    mutating func beginsAgain() -> Bool {
        guard isToBeginAgain, !isOver else { return false }
        isToBeginAgain = false
        isConnected = false
        connectionCount = 0
        return true
    }

    /// Whether a transfer begins again, once, that the server left without an answer by leaving its HTTP/2 connection,
    /// as it may at any time (RFC 9113 §6.8).
    mutating func beginsAgainElsewhere() -> (beginsAgain: Bool, actions: Actions) {
        guard isRepeatable, isBodyWhole, !isOver, headCount == 0, connectionCount == 1 else {
            return (false, Actions())
        }
        defer { reader = nil }
        return (true, Actions(readerToClose: reader))
    }

    /// A line of a head, or a trailer; false if the exchange is to stop.
    mutating func receivedHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !isOver else { return false }
        headCount += line.count
        guard headCount <= Self.headLimit else { return stop(CurlFailure.headTooLarge(limit: Self.headLimit)) }
        head.append(line)
        guard !head.hasInvalidStatus else { return stop(CurlFailure.invalidStatus) }
        // Not when the answer is complete, since its connection must not be used again.
        guard !head.hasInvalidLength else { return stop(CurlFailure.invalidLength) }
        guard !head.hasInvalidLine else { return stop(CurlFailure.invalidLine) }
        guard !head.hasUnknownTransferCoding else { return stop(CurlFailure.unknownTransferCoding) }
        return true
    }

    /// The head is complete: if it is the answer's own, a body that is streamed begins.
    ///
    /// With an answer that refuses the request libcurl gives up the rest of its body, but waits for the end of a pause.
    mutating func completedHead(_ metrics: TransportMetrics) -> Actions {
        guard head.isComplete, head.isFinal, !isAnswered, !isOver else { return Actions() }
        var actions = Actions()
        if case .streamed = delivery { actions = answer(metrics) }
        actions.goOn = goOn
        return actions
    }

    /// Bytes of a body that is handed over as a whole, before its content coding is undone.
    mutating func received(_ bytes: UnsafeRawBufferPointer) -> Reception {
        guard !isOver, !isCut, case .whole(let options) = delivery else { return .stopped }
        let room = wireLimit(options.bodyLimit) - body.count
        guard bytes.count > room else {
            body.append(contentsOf: bytes)
            return .taken
        }
        if let status = head.status, options.cutsBody(ofStatus: status) {
            body.append(contentsOf: bytes.prefix(max(0, room)))
            isCut = true
        } else {
            failure = CurlFailure.bodyTooLarge(limit: options.bodyLimit)
        }
        return .stopped
    }

    /// The most bytes of a body before its coding is undone: a short body, or one that does not compress, may have more
    /// than it decodes to.
    private func wireLimit(_ limit: Int) -> Int {
        guard head.namesCodings else { return limit }
        let (sum, overflow) = limit.addingReportingOverflow(limit / 64 + 1 << 16)
        return overflow ? .max : sum
    }

    /// There is no room for more of the body.
    mutating func pause() {
        isPaused = true
    }

    /// The transfer goes on after a pause; false if it is over.
    mutating func goesOn(_ now: UInt64) -> Bool {
        isPaused = false
        lastActivity = now
        return !isOver
    }

    /// The sequence that is to begin to give the body, if that is where it comes from.
    mutating func beganBody(_ goOn: @escaping @Sendable () -> Void) -> SequenceBodyReader? {
        guard let sequence, !isOver else { return nil }
        self.goOn = goOn
        return sequence
    }

    private var sequence: SequenceBodyReader? {
        if case .sequence(let sequence) = content { sequence } else { nil }
    }

    /// Whether the body can still be sent from its first byte, as far as that is known before it is opened.
    private var isBodyWhole: Bool { sequence?.isUntouched != false }

    /// Hands out what the body is read from, since reading it is the user's code and no matter for a lock.
    mutating func takeUpload() -> Upload {
        guard !isOver else { return .nothing }
        if let reader {
            self.reader = nil
            return .reader(reader)
        }
        switch content {
        case .source(let source): return .source(source)
        case .sequence(let sequence): return goOn.map { .sequence(sequence, goOn: $0) } ?? .nothing
        case nil: return .nothing
        }
    }

    /// Takes the reader back; if the exchange has ended meanwhile, it is to be closed.
    mutating func giveBack(_ reader: any BodyReader) -> Actions {
        guard !isOver else { return Actions(readerToClose: reader) }
        self.reader = reader
        return Actions()
    }

    mutating func uploadFailed(_ failure: CurlUploadFailure) {
        self.failure = failure
    }

    /// Begins the request's body again, for a connection that turned out to be dead; false if there is none.
    mutating func rewind() -> (canRewind: Bool, actions: Actions) {
        defer { reader = nil }
        return (!isOver && content != nil && isBodyWhole, Actions(readerToClose: reader))
    }

    mutating func failed(_ error: any Error) -> Actions { end(.failure(error)) }

    /// The transfer ended without an error of libcurl's, which does not mind a head that breaks off.
    mutating func completed() -> Actions {
        guard head.isComplete else { return failed(CurlFailure.incompleteHead) }
        return end(.success(CurlAnswer(head: head, body: body, isCut: isCut)))
    }

    /// The answer of a body that is streamed, while the exchange goes on.
    private mutating func answer(_ metrics: TransportMetrics?) -> Actions {
        isAnswered = true
        defer { continuation = nil }
        return Actions(resumption: continuation.map { ($0, .success(CurlAnswer(head: head, metrics: metrics))) })
    }

    private mutating func stop(_ failure: any Error) -> Bool {
        self.failure = failure
        return false
    }

    private mutating func end(_ result: Result<CurlAnswer, any Error>) -> Actions {
        guard !isOver else { return Actions() }
        var actions = Actions(resumption: continuation.map { ($0, result) }, readerToClose: reader, isEnd: true)
        actions.sequenceToClose = sequence
        if case .streamed(let buffer) = delivery {
            if case .failure(let error) = result {
                actions.endedBody = (buffer, error)
            } else {
                actions.endedBody = (buffer, nil)
            }
        }
        outcome = result
        body = Data()
        reader = nil
        goOn = nil
        continuation = nil
        return actions
    }
}
#endif
