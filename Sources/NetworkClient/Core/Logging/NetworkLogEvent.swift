/// An event of a call: a request, its response or failure, the decision to send it again, or a step of an interceptor.
///
/// Its properties are the unmasked request, response and error: display them through a ``NetworkLogFormatter`` or a
/// ``LogRedaction``. Its description masks them.
public struct NetworkLogEvent: Sendable {
    /// The kind of event.
    @nonexhaustive
    public enum Stage: Sendable {
        /// The request is about to be sent.
        case sent

        /// A response was received, with an accepted status or not.
        case received(response: HTTPURLResponse, data: Data)

        /// No response was received; a `CancellationError` means that the caller cancelled the request.
        ///
        /// A failure after the response, such as a decoding error, follows the event of the response. The request of
        /// such an event has the header fields of the caller and the client, not those of interceptors.
        case failed(any Error)

        /// The request will be sent again after a failed attempt and this number of seconds.
        ///
        /// ``NetworkLogEvent/attempt`` is the number of the failed attempt. The request is the one that
        /// ``RetryInterceptor`` received.
        case retried(after: TimeInterval, cause: String)

        /// An interceptor reports another step, such as the beginning or the end of the refresh of a token.
        ///
        /// The request is the one that needed the step, without its body. A refresh serves other calls too, and may end
        /// after this one.
        case noted(String, type: LogType)
    }

    /// The request as it is sent; one without a URL if the caller's request cannot be built.
    public let request: URLRequest

    /// The kind of event.
    public let stage: Stage

    /// The number of seconds since the request was passed on; 0 for ``Stage/sent``.
    public let duration: TimeInterval

    /// The number of the attempt: 1 for the first, more for retries.
    public let attempt: Int

    /// Whether a request of the call has been sent; false if an interceptor responded or failed first, the request is
    /// invalid, or no byte of it can have reached a server, as after a refused connection.
    public let wasSent: Bool

    /// The label of the call, `CallOptions.label`; nil if it has none.
    public let label: String?

    /// The number of bytes of the response body, as far as it was read.
    ///
    /// For a streamed body, `data` contains at most the first mebibyte, and only if the logger shows bodies.
    public internal(set) var bodyLength: Int

    /// The header fields that the client's configuration declares sensitive.
    let sensitiveHeaders: [String]

    /// Creates an event, for example to test a logger.
    ///
    /// - Parameters:
    ///   - request: The request as it is sent.
    ///   - stage: The kind of event.
    ///   - duration: The number of seconds since the request was passed on.
    ///   - attempt: The number of the attempt, from 1.
    ///   - wasSent: Whether a request of the call has been sent.
    ///   - label: The label of the call.
    ///   - sensitiveHeaders: The names of header fields that are masked in addition to the known ones.
    public init(
        request: URLRequest,
        stage: Stage,
        duration: TimeInterval = 0,
        attempt: Int = 1,
        wasSent: Bool = true,
        label: String? = nil,
        sensitiveHeaders: [String] = []
    ) {
        self.request = request
        self.stage = stage
        self.duration = duration
        self.attempt = attempt
        self.wasSent = wasSent
        self.label = label
        self.sensitiveHeaders = sensitiveHeaders
        if case .received(_, let data) = stage { bodyLength = data.count } else { bodyLength = 0 }
    }

    /// Returns the request as a shell command for cURL, masking header fields that the client declares sensitive.
    ///
    /// The redaction masks further values; ``LogRedaction/showingEverything`` masks nothing at all.
    public func curlCommand(redaction: LogRedaction = .sensitive) -> String {
        request.curlCommand(redaction: redaction.maskingUnlessShown(sensitiveHeaders))
    }

    /// Returns the URL of the request as the log shows it: without a fragment, and with masked user, password and query
    /// values, also of names that the client declares sensitive; nil if the request has no URL.
    public func redactedURL(by redaction: LogRedaction = .sensitive) -> String? {
        request.url.map { redaction.maskingUnlessShown(sensitiveHeaders).text(of: $0) }
    }

    /// The half of the exchange that the event is about.
    public var part: NetworkLoggingType {
        if case .sent = stage { return .request }
        return .response
    }

    /// The severity: a warning for a failure or a status of 400 or above, but not for a cancellation, nor for a request
    /// that an open circuit refuses.
    public var type: LogType {
        switch stage {
        case .sent: .info
        case .received(let response, _): response.statusCode >= 400 ? .warning : .info
        case .failed(let error) where error is CancellationError: .info
        case .failed(let error): (error as? any OutageError)?.isConsequence == true ? .debug : .warning
        case .retried: .info
        case .noted(_, let type): type
        }
    }
}

extension NetworkLogEvent: OpaqueValue {
    /// The method, the URL as in ``redactedURL(by:)``, and the stage.
    public var description: String {
        let place = redactedURL().map { "\(request.httpMethod ?? "GET") \($0)" }
        return "\(place ?? "a request that cannot be built"): \(stage)"
    }
}

extension NetworkLogEvent.Stage: OpaqueValue {
    /// The status and the number of bytes, the error, or the wait, with secrets masked.
    public var description: String {
        switch self {
        case .sent: "sent"
        case .received(let response, let data): "received \(response.statusCode), \(data.count) bytes"
        case .failed(let error): "failed: \(LogRedaction.sensitive.text(of: error))"
        case .retried(let seconds, let cause):
            "retried after \(seconds) s: \(LogRedaction.sensitive.maskedText(cause))"
        case .noted(let message, _): LogRedaction.sensitive.maskedText(message)
        }
    }
}
