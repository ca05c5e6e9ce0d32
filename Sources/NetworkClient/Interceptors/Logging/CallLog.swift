import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tells the client's logger about one call: each exchange as it goes over the wire, or the call itself if none does.
///
/// It exists only for a client that has a logger whose levels ask for something.
final class CallLog: Sendable {
    private struct State {
        var attempts = 0
        var isReported = false
    }

    let logger: any NetworkLogger
    let time: any TimeSource
    /// Header fields that the configuration calls sensitive.
    let sensitiveHeaders: [String]
    private let start: Double
    private let state = Locked(State())

    /// Nil if the logger wants to know nothing.
    init?(_ logger: any NetworkLogger, sensitiveHeaders: [String], time: any TimeSource = SystemTimeSource()) {
        guard logger.requestLevel != .off || logger.responseLevel != .off else { return nil }
        self.logger = logger
        self.sensitiveHeaders = sensitiveHeaders
        self.time = time
        start = time.now
    }

    /// Begins another attempt: the interceptors have passed the request on to be sent.
    func beginAttempt() -> AttemptLog {
        let number = state.withLock { state in
            state.attempts += 1
            return state.attempts
        }
        return AttemptLog(call: self, number: number)
    }

    /// The exchange is reported where it is sent, by this call or by one that shares it: ``end(_:_:)`` reports nothing.
    func leaveToTheExchange() {
        state.withLock { $0.isReported = true }
    }

    /// Reports how the call ended, unless an exchange of it was reported: an interceptor has answered or refused it, or
    /// it could not be sent.
    func end(_ request: URLRequest, _ stage: @autoclosure () -> NetworkLogEvent.Stage) {
        let isReported = state.withLock { state in
            defer { state.isReported = true }
            return state.isReported
        }
        guard !isReported else { return }
        var event = NetworkLogEvent(request: request, stage: stage(), duration: time.now - start, wasSent: false)
        event.sensitiveHeaders = sensitiveHeaders
        logger.log(event)
    }
}

/// One attempt of a call, which is several exchanges if redirects are followed.
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
        log(request, .sent, since: call.time.now)
        return ExchangeLog(attempt: self, request: request)
    }

    /// Reports a failure that is not that of an exchange, such as a redirect that is refused.
    func fail(_ request: URLRequest, _ error: any Error) {
        guard !hasFailed.withLock({ $0 }) else { return }
        call.leaveToTheExchange()
        log(request, .init(of: NetworkClient.Error.wrapping(error, request.url)), since: start)
    }

    fileprivate func end(_ request: URLRequest, _ stage: NetworkLogEvent.Stage, since start: Double, length: Int?) {
        if case .failed = stage { hasFailed.withLock { $0 = true } }
        log(request, stage, since: start, length: length)
    }

    private func log(
        _ request: URLRequest,
        _ stage: NetworkLogEvent.Stage,
        since start: Double,
        length: Int? = nil
    ) {
        let duration = call.time.now - start
        var event = NetworkLogEvent(request: request, stage: stage, duration: duration, attempt: number)
        event.bodyLength = length ?? event.bodyLength
        event.sensitiveHeaders = call.sensitiveHeaders
        call.logger.log(event)
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

    /// Whether the logger shows bodies, so that a streamed one has to be remembered.
    var showsBodies: Bool { attempt.call.logger.responseLevel.contains(.body) }

    /// Reports a response.
    ///
    /// - Parameters:
    ///   - head: Status and header fields.
    ///   - data: The body, or its beginning.
    ///   - length: The bytes of the whole body; nil if that is all of `data`.
    func end(_ head: ResponseHead, _ data: Data, length: Int? = nil) {
        let isFirst = state.withLock { state in
            defer { state.isReported = true }
            return !state.isReported
        }
        guard isFirst else { return }
        attempt.end(request, .answered(response: head.responseSoFar, data: data), since: start, length: length)
    }

    /// Reports that no response came, or not all of it; a cancellation only if nothing was reported before.
    func fail(_ error: any Error) {
        let isNews = state.withLock { state in
            defer { state = (true, true) }
            return !state.hasFailed && !(state.isReported && error is CancellationError)
        }
        if isNews {
            attempt.end(request, .failed(NetworkClient.Error.wrapping(error, request.url)), since: start, length: nil)
        }
    }
}
