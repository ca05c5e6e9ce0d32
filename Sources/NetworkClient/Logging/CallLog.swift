import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Reports one call to the client's logger: each hop, or the call itself if nothing is sent.
///
/// It exists only for a client whose logger logs something.
final class CallLog: Sendable {
    /// Converts the failure of a request to a URL into the stage that callers would observe.
    typealias Outcome = @Sendable (_ error: any Error, _ url: URL?) -> NetworkLogEvent.Stage

    private struct State {
        var attempts = 0
        var isReported = false
    }

    let logger: any NetworkLogger
    fileprivate let time: any TimeSource
    fileprivate let outcome: Outcome
    private let sensitiveHeaders: [String]
    private let start: Double
    private let state = Locked(State())

    /// Creates the log of a call; nil if the logger's levels are off.
    ///
    /// `sensitiveHeaders` are those of the client's configuration.
    init?(
        _ logger: any NetworkLogger,
        sensitiveHeaders: [String],
        time: any TimeSource = SystemTimeSource(),
        outcome: @escaping Outcome
    ) {
        guard !logger.isOff else { return nil }
        self.logger = logger
        self.sensitiveHeaders = sensitiveHeaders
        self.time = time
        self.outcome = outcome
        start = time.now
    }

    /// Begins another attempt, after the interceptors have passed the request on to be sent.
    func beginAttempt() -> AttemptLog {
        let number = state.withLock { state in
            state.attempts += 1
            return state.attempts
        }
        return AttemptLog(call: self, number: number)
    }

    /// Makes ``end(_:_:)`` report nothing: the exchange is reported where it is sent, by this call or by another one
    /// that shares it.
    func leaveToTheExchange() {
        state.withLock { $0.isReported = true }
    }

    /// Reports how the call ended, unless an exchange of it was reported: an interceptor responded or failed, or the
    /// request could not be sent.
    func end(_ request: URLRequest, _ stage: @autoclosure () -> NetworkLogEvent.Stage) {
        let isReported = state.withLock { state in
            defer { state.isReported = true }
            return state.isReported
        }
        guard !isReported else { return }
        report(NetworkLogEvent(request: request, stage: stage(), duration: time.now - start, wasSent: false))
    }

    fileprivate func report(_ event: NetworkLogEvent) {
        var event = event
        event.sensitiveHeaders = sensitiveHeaders
        logger.log(event)
    }
}

/// The log of one attempt of a call, which has a hop for each redirect that is followed.
final class AttemptLog: Sendable {
    let call: CallLog
    let number: Int
    private let start: Double
    private let hasFailed = Locked(false)

    fileprivate init(call: CallLog, number: Int) {
        self.call = call
        self.number = number
        start = call.time.now
    }

    /// Reports a request that is being sent.
    func begin(_ request: URLRequest) -> ExchangeLog {
        call.leaveToTheExchange()
        report(request, .sent, since: call.time.now)
        return ExchangeLog(attempt: self, request: request)
    }

    /// Reports a failure outside an exchange, such as a redirect that is not allowed, unless a failure of this attempt
    /// was reported before.
    func fail(_ request: URLRequest, _ error: any Error) {
        guard markFailed() else { return }
        call.leaveToTheExchange()
        report(request, call.outcome(error, request.url), since: start)
    }

    /// Reports that the call has stopped waiting for a shared exchange, whose own failure may still be reported.
    func stopWaiting(_ request: URLRequest, _ error: any Error) {
        report(request, call.outcome(error, request.url), since: start)
    }

    fileprivate func report(
        _ request: URLRequest,
        _ stage: NetworkLogEvent.Stage,
        since start: Double,
        length: Int? = nil
    ) {
        let duration = call.time.now - start
        var event = NetworkLogEvent(request: request, stage: stage, duration: duration, attempt: number)
        event.bodyLength = length ?? event.bodyLength
        call.report(event)
    }

    /// Marks the attempt as failed; returns false if it was marked before.
    @discardableResult
    fileprivate func markFailed() -> Bool {
        hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
        }
    }
}

/// The log of one request as it is sent, and of its response, which is reported once.
final class ExchangeLog: Sendable {
    private let attempt: AttemptLog
    private let request: URLRequest
    private let start: Double
    private let state = Locked((isReported: false, hasFailed: false))

    fileprivate init(attempt: AttemptLog, request: URLRequest) {
        self.attempt = attempt
        self.request = request
        start = attempt.call.time.now
    }

    /// Whether the logger shows bodies, so that the beginning of a streamed one must be kept.
    var showsBodies: Bool { attempt.call.logger.responseLevel.contains(.body) }

    /// Reports a response.
    ///
    /// If the data is only the beginning of the body, the length is that of the whole body in bytes.
    func end(_ head: ResponseHead, _ data: Data, length: Int? = nil) {
        let isFirst = state.withLock { state in
            defer { state.isReported = true }
            return !state.isReported
        }
        guard isFirst else { return }
        attempt.report(request, .answered(response: head.responseSoFar, data: data), since: start, length: length)
    }

    /// Reports that the response is missing or incomplete.
    ///
    /// A cancellation is reported only if nothing was reported before.
    func fail(_ error: any Error) {
        let isNews = state.withLock { state in
            defer { state = (true, true) }
            return !state.hasFailed && !(state.isReported && error is CancellationError)
        }
        guard isNews else { return }
        attempt.markFailed()
        // A transport can throw the error of another call: here it is a failure, whatever that call's outcome was.
        var stage = attempt.call.outcome(error, request.url)
        if case .answered = stage { stage = .failed(error) }
        attempt.report(request, stage, since: start)
    }
}

/// A transport that reports each exchange as it is sent.
struct LoggedTransport: Transport {
    let wrapped: any Transport
    let log: AttemptLog
    /// Whether to report a streamed response when its head arrives, because the caller reads the body.
    let reportsHead: @Sendable (ResponseHead) -> Bool

    var description: String { wrapped.description }
    var defaults: TransportDefaults { wrapped.defaults }

    func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        let exchange = log.begin(request)
        do {
            let response = try await wrapped.send(request, options: options)
            if !response.body.isStreamed || reportsHead(response.head) {
                exchange.end(response.head, response.body.data)
            }
            guard response.body.isStreamed else { return response }
            let body = LoggedBody(response.body.channel, of: response.head, in: exchange)
            return TransportResponse(head: response.head, body: .streamed(body))
        } catch {
            exchange.fail(error)
            throw error
        }
    }
}

/// A streamed body that reports its exchange when it ends or is released.
///
/// A failure is reported even if the head was reported before.
private final class LoggedBody: BodyChannel {
    /// The maximum number of bytes that are kept for a logger that shows bodies.
    private static let limit = 1 << 20

    private let wrapped: any BodyChannel
    private let head: ResponseHead
    private let exchange: ExchangeLog
    private let isKept: Bool
    private let read = Locked((beginning: Data(), length: 0))

    init(_ wrapped: any BodyChannel, of head: ResponseHead, in exchange: ExchangeLog) {
        self.wrapped = wrapped
        self.head = head
        self.exchange = exchange
        isKept = exchange.showsBodies
    }

    deinit {
        end()
    }

    func next() async throws -> Data? {
        do {
            let chunk = try await wrapped.next()
            if let chunk { record(chunk) } else { end() }
            return chunk
        } catch {
            exchange.fail(error)
            throw error
        }
    }

    func cancel() {
        wrapped.cancel()
        end()
    }

    private func record(_ chunk: Data) {
        read.withLock { read in
            read.length += chunk.count
            if isKept { read.beginning.append(chunk.prefix(max(0, Self.limit - read.beginning.count))) }
        }
    }

    private func end() {
        let (beginning, length) = read.withLock { $0 }
        exchange.end(head, beginning, length: length)
    }
}
