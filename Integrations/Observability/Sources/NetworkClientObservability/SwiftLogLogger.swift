public import Logging
public import NetworkClient

/// Writes the log of a client to swift-log: the masked record as the message, and its facts as metadata.
///
/// ```swift
/// let client = NetworkClient(logging: .swiftLog(Logger(label: "shop")))
/// ```
///
/// The metadata are `http.request.method`, `url.full`, `http.response.status_code`, `error.type`, `duration` (seconds,
/// to the microsecond), `attempt` and `label`, as far as they are known; of the decision to send a request again
/// `retry.wait` (seconds) and `retry.cause`. A failure, a status of 400 or above and a circuit that opens or
/// closes are warnings; a request that an open circuit refuses is a debug record; everything else is information.
public struct SwiftLogLogger: NetworkLogger {
    private let logger: Logger

    /// The parts of requests in messages.
    public let requestLevel: NetworkLoggingLevel

    /// The parts of responses and failures in messages.
    public let responseLevel: NetworkLoggingLevel

    /// The formatter of the messages, whose redaction also masks `url.full`.
    public let formatter: NetworkLogFormatter

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - logger: Receives the records; if its level is above `info`, it gets warnings only.
    ///   - level: The parts of requests and responses in messages.
    ///   - formatter: Writes and masks the messages.
    public init(
        _ logger: Logger,
        level: NetworkLoggingLevel = .status,
        formatter: NetworkLogFormatter = NetworkLogFormatter()
    ) {
        self.logger = logger
        requestLevel = level
        responseLevel = level
        self.formatter = formatter
    }

    /// Writes a record without metadata.
    public func log(_ message: String, for part: NetworkLoggingType, type: LogType) {
        logger.log(level: type.level, "\(message)", source: "NetworkClient")
    }

    /// Writes the record of an event, if the levels require one.
    public func log(_ event: NetworkLogEvent) {
        let level = event.type.level
        guard logger.logLevel <= level,
            let text = formatter.text(of: event, requestLevel: requestLevel, responseLevel: responseLevel)
        else { return }
        logger.log(level: level, "\(text)", metadata: metadata(of: event), source: "NetworkClient")
    }

    private func metadata(of event: NetworkLogEvent) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["attempt": .stringConvertible(event.attempt)]
        // A request without a URL could not be built, and has no method either.
        if event.request.url != nil {
            metadata["http.request.method"] = .string(ExchangeFacts(event.request).method)
        }
        metadata["url.full"] = event.redactedURL(by: formatter.redaction).map { .string($0) }
        metadata["label"] = event.label.map { .string($0) }
        var outcome: ExchangeOutcome?
        switch event.stage {
        case .received(let response, _): outcome = ExchangeOutcome(status: response.statusCode)
        case .failed(let error): outcome = ExchangeOutcome(error)
        case .retried(let seconds, let cause):
            metadata["retry.wait"] = .stringConvertible(rounded(seconds))
            metadata["retry.cause"] = .string(cause)
        default: break
        }
        if outcome != nil { metadata["duration"] = .stringConvertible(rounded(event.duration)) }
        metadata["http.response.status_code"] = outcome?.status.map { .stringConvertible($0) }
        metadata["error.type"] = outcome?.errorType.map { .string($0) }
        return metadata
    }

    /// Returns seconds without the digits of which no clock knows.
    private func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }
}

extension NetworkLogger where Self == SwiftLogLogger {
    /// A logger that writes to swift-log; `level` is the parts of requests and responses in messages.
    public static func swiftLog(_ logger: Logger, level: NetworkLoggingLevel = .status) -> SwiftLogLogger {
        SwiftLogLogger(logger, level: level)
    }
}

extension LogType {
    fileprivate var level: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .critical: .critical
        }
    }
}
