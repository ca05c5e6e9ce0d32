public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// One moment of an exchange, with everything that is known of it.
///
/// It holds the real request, answer and error, nothing masked: show them through a ``NetworkLogFormatter`` or a
/// ``LogRedaction``.
public struct NetworkLogEvent: Sendable {
    /// What the moment is.
    public enum Stage: Sendable {
        /// The request is about to go out.
        case sent

        /// An answer came, whether its status is accepted or not.
        case answered(response: HTTPURLResponse, data: Data)

        /// No answer came; a `CancellationError` means that the caller gave up.
        case failed(any Error)

        /// An answer whose status the call does not accept is an answer all the same.
        init(of error: any Error) {
            if case NetworkClient.Error.apiError(let response, let data) = error {
                self = .answered(response: response, data: data)
            } else {
                self = .failed(error)
            }
        }
    }

    /// The request as it is sent.
    public let request: URLRequest

    /// What the moment is.
    public let stage: Stage

    /// Seconds since the request was passed on; 0 when it is.
    public let duration: Double

    /// Which attempt this is: 1 for the first, more for retries.
    public let attempt: Int

    /// Whether the request goes over the wire; false if an interceptor answered or refused it, or it cannot be sent.
    public let wasSent: Bool

    /// How many bytes the body of the response has, as far as it was read: `data` has at most the first megabyte of one
    /// that is streamed, and only for a logger that shows bodies.
    public internal(set) var bodyLength: Int

    /// Header fields that the client's configuration calls sensitive.
    var sensitiveHeaders: [String] = []

    /// Makes an event, for instance for a test of a logger.
    ///
    /// - Parameters:
    ///   - request: The request as it is sent.
    ///   - stage: What the moment is.
    ///   - duration: Seconds since the request was passed on.
    ///   - attempt: Which attempt this is, from 1.
    ///   - wasSent: Whether the request goes over the wire.
    public init(
        request: URLRequest,
        stage: Stage,
        duration: Double = 0,
        attempt: Int = 1,
        wasSent: Bool = true
    ) {
        self.request = request
        self.stage = stage
        self.duration = duration
        self.attempt = attempt
        self.wasSent = wasSent
        if case .answered(_, let data) = stage { bodyLength = data.count } else { bodyLength = 0 }
    }

    /// The request as a shell command for cURL, with the header fields masked that the client calls sensitive.
    ///
    /// - Parameter redaction: What else is masked; ``LogRedaction/showingEverything`` masks nothing at all.
    /// - Returns: The command.
    public func curlCommand(redaction: LogRedaction = .sensitive) -> String {
        request.curlCommand(redaction: redaction.maskingUnlessShown(sensitiveHeaders))
    }

    /// Which half of the exchange it is about.
    public var part: NetworkLoggingType {
        if case .sent = stage { return .request }
        return .response
    }

    /// How serious it is: answers of 400 and above and failures are warnings, cancellations are not.
    public var type: LogType {
        switch stage {
        case .sent: .info
        case .answered(let response, _): response.statusCode >= 400 ? .warning : .info
        case .failed(let error): error is CancellationError ? .info : .warning
        }
    }
}
