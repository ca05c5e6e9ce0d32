#if os(Linux)
import CCurl

/// The state of one exchange: each function takes an event and returns the actions that follow from it.
///
/// The exchange ends with the first event that ends it; later events are ignored.
struct CurlExchangeState {
    /// Unchecked, since the event that resumes it takes it out of the state.
    ///
    /// Only the runtime knows the size of a checked one, and would look it up for each copy of the state.
    typealias Continuation = UnsafeContinuation<CurlResponse, any Error>

    /// The maximum number of bytes of all heads of a response and its trailers together: a little less than libcurl's
    /// own, of 300 KiB from 8.3 on, so that the error is the same with every version.
    static let headLimit = 300_000

    /// The maximum number of bytes of a streamed body that are kept in the hope that it ends with them.
    static let shortBody = 1 << 17

    let options: TransportOptions
    /// Whether the request may reach the server twice.
    private let isRepeatable: Bool
    private let content: CurlUpload.Content?
    private var goOn: (@Sendable () -> Void)?
    private var reader: (any BodyReader)?
    private var continuation: Continuation?
    private(set) var isOver = false
    /// The limit that ended the exchange, or its cancellation.
    private var earlyEnd: (any Error)?
    /// The error of an exchange that ended before its caller waited for it.
    private var earlyError: (any Error)?
    private(set) var head = ResponseHeadLines()
    /// Whether all lines of the final head were accepted; only known if something waits for the head.
    var hasHead = false
    private var headCount = 0
    /// The bytes of a whole body, or of a streamed one that has not begun yet.
    private var body = Data()
    /// The buffer of a streamed body that has begun.
    private(set) var stream: BodyBuffer?
    /// The WebSocket that the response has opened.
    var socket: OpenSocket?
    /// Called when the exchange ends, after its streamed body has begun: with whether libcurl has released the handle.
    private var onEnd: (@Sendable (Bool) -> Void)?
    /// Whether libcurl has released the handle; nil until the exchange has ended.
    private var isReleased: Bool?

    /// Whether the body has ended before libcurl says so: the part that was received is the result.
    private enum BodyEnd {
        case isOpen
        /// Cut at a limit.
        case cut
        /// Complete, before libcurl would send the request again.
        case whole
    }

    private var bodyEnd = BodyEnd.isOpen

    /// The URL of the request, to which the location of a redirect is relative.
    private let url: URL?

    /// The time at which the body of a redirect that the caller follows is cut; nil for any other body.
    var redirectBodyEnd: UInt64?

    /// The failure that a callback found; libcurl only knows that the callback stopped the transfer.
    var failure: (any Error)?

    /// The time of the last activity, in nanoseconds.
    var lastActivity: UInt64

    /// Whether the transfer waits for the reader of the body; this wait has no time limit.
    private(set) var isPaused = false

    /// The way to the connection.
    var connecting: Connecting

    /// Whether a connection was accepted, over which the request, or a part of it, may have been sent.
    var hasConnected: Bool { connecting.acceptedCount > 0 }

    init(
        options: TransportOptions,
        body content: CurlUpload.Content?,
        isRepeatable: Bool = true,
        url: URL? = nil,
        now: UInt64,
        connectEnd: UInt64 = .max
    ) {
        self.options = options
        self.isRepeatable = isRepeatable
        self.url = url
        self.content = content
        lastActivity = now
        connecting = Connecting(end: connectEnd)
    }

    mutating func began(_ continuation: Continuation) -> Actions {
        if let earlyError { return Actions(resumption: (continuation, .failure(earlyError))) }
        self.continuation = continuation
        return Actions()
    }

    /// Returns whether the request may be sent over a connection.
    ///
    /// A spoiled connection has bytes that libcurl would take for the response.
    ///
    /// libcurl sends a request again if a kept connection turns out to be dead. The server may have processed the first
    /// one, so this is not allowed for every request (RFC 9110 §9.2.2).
    ///
    /// libcurl would also repeat it up to five times if the server refuses its HTTP/2 stream, as an overloaded server
    /// does; the caller decides about that. And it would repeat it after a response has begun: if the server resets
    /// the stream because it requires HTTP/1.1, and, without `Expect`, after a complete response with status 417,
    /// which is returned instead.
    mutating func connected(
        _ connection: CurlConnection? = nil,
        isSpoiled: Bool,
        newConnectionCount count: Int = 0,
        isShared: Bool = false
    ) -> Bool {
        guard !isOver else { return false }
        guard !head.isComplete || !head.isFinal else {
            guard head.status == 417 else { return refuse(CurlFailure.connectionLost) }
            bodyEnd = .whole
            return false
        }
        let isRefused = connecting.accept(connection, count, isShared: isShared, lastActivity)
        guard !isRefused else { return refuse(CurlFailure.streamRefused) }
        guard connecting.acceptedCount == 1 || isRepeatable else { return refuse(CurlFailure.connectionLost) }
        guard isBodyWhole else { return refuse(CurlUpload.Failure(underlying: TransportError(.bodyNotReplayable))) }
        connecting.refuses(isSpoiled)
        return !isSpoiled
    }

    /// Records that libcurl is about to look up a name; returns whether the time for a new connection begins.
    mutating func beginsLookUp() -> Bool {
        guard !isOver else { return false }
        connecting.lookUp.begin()
        return connecting.lookUp.isActive && connecting.end == .max
    }

    /// Returns whether an upload goes on at its idle timeout, since the other side has acknowledged bytes.
    mutating func uploads(_ traffic: ccurl_traffic, _ now: UInt64) -> Bool {
        guard connecting.uploads(traffic.acknowledged, of: traffic.written) else { return false }
        lastActivity = now
        return true
    }

    /// Returns whether a transfer has to begin again, once, over a new connection.
    ///
    /// This is so if the server closed a kept connection without a response, as it may at any time (RFC 9112 §9.6, RFC
    /// 9113 §6.8). libcurl itself tries at most five other connections, which may all be kept ones.
    mutating func beginsAgainElsewhere() -> (beginsAgain: Bool, actions: Actions) {
        guard isRepeatable, isBodyWhole, !isOver, failure == nil, headCount == 0, connecting.beginsElsewhere() else {
            return (false, Actions())
        }
        defer { reader = nil }
        return (true, Actions(readerToClose: reader))
    }

    /// Records that libcurl has released the transfer, and its connection.
    mutating func leavesConnection() {
        connecting.leave(isPaused: isPaused)
        isPaused = false
    }

    /// The connection of an exchange that ended at a limit or was cancelled, the time at which it was accepted, and the
    /// failure; nil for any other exchange.
    var givenUp: (CurlConnection, UInt64, any Error)? {
        guard let end = earlyEnd, let connection = connecting.connection else { return nil }
        return (connection, connecting.acceptTime, end)
    }

    /// Records that the transfer is paused, or goes on; returns whether it was paused.
    private mutating func setPaused(_ isPaused: Bool) -> Bool {
        defer { self.isPaused = isPaused }
        if isPaused != self.isPaused { connecting.connection?.pauses(isPaused) }
        return self.isPaused
    }

    mutating func pauses() { _ = setPaused(true) }

    /// Adds a line of a head, or a trailer.
    mutating func receivedHeader(_ line: UnsafeRawBufferPointer) -> HeadReception {
        guard !isOver else { return .refused }
        headCount += line.count
        guard headCount <= Self.headLimit else { return stop(CurlFailure.headTooLarge(limit: Self.headLimit)) }
        head.append(line)
        guard !head.hasInvalidStatus else { return stop(CurlFailure.invalidStatus) }
        // Checked as soon as the head is complete, since the connection must not be reused.
        guard !head.hasInvalidLength else { return stop(CurlFailure.invalidLength) }
        guard !head.hasInvalidLine else { return stop(CurlFailure.invalidLine) }
        guard !head.hasUnknownTransferCoding else { return stop(CurlFailure.unknownTransferCoding) }
        guard head.isComplete, redirectBodyEnd == nil, isRedirect else { return .taken }
        redirectBodyEnd = lastActivity + MonotonicClock.nanoseconds(RedirectBodyLimit.seconds)
        return .beganRedirectBody
    }

    /// Whether the response is a redirect that the caller follows; the caller gets it only after its body has ended.
    private var isRedirect: Bool {
        guard let status = head.status, (300..<400).contains(status), !options.streamsBody else { return false }
        return options.followsRedirect(
            status: status,
            to: head.fields(named: "Location").first?.value,
            from: url
        )
    }

    /// Records that the head is complete.
    ///
    /// If the head is final, a paused request body continues: if the server refuses the body, libcurl stops sending it
    /// only after the pause.
    mutating func completedHead() -> Actions {
        guard head.isComplete, head.isFinal, !isOver else { return Actions() }
        hasHead = true
        return Actions(goOn: goOn)
    }

    /// Whether the response has a head, and a streamed body that has neither begun nor ended.
    var awaitsStream: Bool {
        options.streamsBody && hasHead && stream == nil && continuation != nil && !isOver
    }

    /// Returns the head of a response whose body has not ended, with a buffer for the body or its WebSocket.
    ///
    /// The engine lets it happen at the end of a turn: most small bodies have ended by then, and need no buffer.
    mutating func beginStream(_ metrics: TransportMetrics?) -> Actions {
        guard awaitsStream else { return Actions() }
        if socket == nil {
            stream = BodyBuffer(.pausing, beginningWith: body)
            body = Data()
        }
        let response = CurlResponse(head: head, stream: stream, socket: socket?.channel, metrics: metrics)
        defer { continuation = nil }
        return Actions(resumption: continuation.map { ($0, .success(response)) })
    }

    /// Stores a closure for the end of an exchange whose streamed body has begun; returns whether libcurl has released
    /// the handle if the exchange has ended already.
    mutating func whenOver(_ action: @escaping @Sendable (Bool) -> Void) -> Bool? {
        if isReleased == nil { onEnd = action }
        return isReleased
    }

    /// Records whether libcurl has released the handle of an exchange that has ended, and returns the closure for its
    /// end.
    mutating func released(_ isReleased: Bool) -> (@Sendable (Bool) -> Void)? {
        self.isReleased = isReleased
        defer { onEnd = nil }
        return onEnd
    }

    /// Adds bytes of the body, still with its content coding.
    mutating func received(_ bytes: UnsafeRawBufferPointer) -> Reception {
        guard !isOver, bodyEnd == .isOpen else { return .stopped }
        if let stream { return .streamed(stream) }
        if let socket { return .framed(socket.channel) }
        if options.streamsBody {
            guard body.count + bytes.count <= Self.shortBody else { return .long }
            body.append(contentsOf: bytes)
            return .taken
        }
        let isRedirectBody = redirectBodyEnd != nil
        let reception = options.take(
            bytes,
            into: &body,
            ofStatus: head.status,
            isRedirectBody: isRedirectBody,
            isCoded: head.namesCodings
        )
        switch reception {
        case .taken: return .taken
        case .full: bodyEnd = .cut
        case .tooLong: failure = CurlFailure.bodyTooLarge(options)
        }
        return .stopped
    }

    /// Records that the transfer continues after a pause; returns whether receiving was paused, and nil if the exchange
    /// has ended.
    mutating func goesOn(_ now: UInt64) -> Bool? {
        lastActivity = now
        let wasPaused = isPaused
        // A WebSocket may have something to send while its reader is behind.
        if socket?.channel.isPaused != true { _ = setPaused(false) }
        return isOver ? nil : wasPaused && !isPaused
    }

    /// Returns the sequence that has to begin; nil if the body is not a sequence.
    mutating func beganBody(_ goOn: @escaping @Sendable () -> Void) -> SequenceBodyReader? {
        guard !isOver else { return nil }
        self.goOn = goOn
        return sequence
    }

    private var sequence: SequenceBodyReader? {
        if case .sequence(let sequence) = content { sequence } else { nil }
    }

    /// Whether the body can still be sent from its first byte, as far as is known before it is opened.
    private var isBodyWhole: Bool { sequence?.isUntouched != false }

    /// Returns the source of the body, which is read without the lock, since reading it runs custom code.
    mutating func takeUpload() -> Upload {
        guard !isOver else { return .nothing }
        if options.opensSocket != nil { return socketUpload }
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

    /// Takes the reader back; it has to be closed if the exchange has ended since.
    mutating func giveBack(_ reader: any BodyReader) -> Actions {
        guard !isOver else { return Actions(readerToClose: reader) }
        self.reader = reader
        return Actions()
    }

    /// Begins the request's body again after a connection turned out to be dead; returns false if that is impossible.
    mutating func rewind() -> (canRewind: Bool, actions: Actions) {
        defer { reader = nil }
        return (!isOver && content != nil && isBodyWhole, Actions(readerToClose: reader))
    }

    /// Closes the request's body, after the exchange has ended.
    mutating func closesBody() -> Actions {
        defer { reader = nil }
        return Actions(readerToClose: reader, sequenceToClose: sequence)
    }

    mutating func failed(_ error: any Error) -> Actions {
        if !isOver, error is CancellationError || (error as? CurlFailure)?.passedLimit != nil { earlyEnd = error }
        return end(.failure(error))
    }

    /// Records that the transfer ended with an error of libcurl.
    ///
    /// The error is not the result if the body has ended before, or if it is the body of a redirect, whose failure
    /// fails no call.
    mutating func failed(inTransfer error: any Error) -> Actions {
        guard cutBody() else { return failed(socket == nil ? failure ?? error : CurlFailure.connectionLost) }
        return completed()
    }

    /// Marks the body as cut if it belongs to a redirect; returns whether the body has ended, and false if the exchange
    /// has.
    mutating func cutBody() -> Bool {
        guard !isOver else { return false }
        if redirectBodyEnd != nil { bodyEnd = .cut }
        return bodyEnd != .isOpen
    }

    /// Records that the transfer ended without an error; libcurl accepts an incomplete head.
    ///
    /// A response of which a callback has refused a part is a failure, even if libcurl has forgotten the refusal.
    mutating func completed() -> Actions {
        guard head.isComplete else { return failed(CurlFailure.incompleteHead) }
        if let failure, bodyEnd == .isOpen { return failed(failure) }
        let isCut = bodyEnd == .cut
        return end(.success(CurlResponse(head: head, body: body, isCut: isCut, isRedirectBody: redirectBodyEnd != nil)))
    }

    private mutating func stop(_ failure: any Error) -> HeadReception {
        self.failure = failure
        return .refused
    }

    private mutating func refuse(_ failure: any Error) -> Bool {
        self.failure = failure
        return false
    }

    /// Ends the exchange.
    ///
    /// Bytes that came before a failure can still be read from a stream, and only a stream is decoded while it is read.
    private mutating func end(_ result: Result<CurlResponse, any Error>) -> Actions {
        guard !isOver else { return Actions() }
        var actions = Actions()
        if result.failure != nil || head.namesCodings || socket != nil { actions = beginStream(nil) }
        actions.isEnd = true
        if let stream {
            actions.endedBody = (stream, result.failure)
        } else if let socket {
            actions.endedSocket = (socket.channel, result.failure ?? CurlFailure.connectionLost)
        } else if let continuation {
            actions.resumption = (continuation, result)
        } else {
            earlyError = result.failure
        }
        isOver = true
        body = Data()
        goOn = nil
        continuation = nil
        return actions
    }
}
#endif
