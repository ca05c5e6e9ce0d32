/// Logs what a client sends and receives.
///
/// Use ``DefaultLogger``, available as `.default` and `.off`. To write its text elsewhere, give it a custom
/// ``LogStream``. Implement a logger to control the records themselves, for example one that receives finished, masked
/// text:
///
/// ```swift
/// struct ConsoleLogger: NetworkLogger {
///     func log(_ message: String, for part: NetworkLoggingType, type: LogType) {
///         print(message)
///     }
/// }
/// ```
///
/// Implement ``log(_:)-(NetworkLogEvent)`` as well to receive the events themselves, for example for metrics. All
/// members may be called on any thread, several at once.
public protocol NetworkLogger: Sendable {
    /// The name of this logger in its records; `NetworkClient` by default.
    var tag: String { get }

    /// The parts of requests to log; ``NetworkLoggingLevel/status`` by default.
    var requestLevel: NetworkLoggingLevel { get }

    /// The parts of responses and failures to log; ``NetworkLoggingLevel/status`` by default.
    var responseLevel: NetworkLoggingLevel { get }

    /// The formatter that turns events into masked text; by default it masks known secrets.
    var formatter: NetworkLogFormatter { get }

    /// Writes a record: masked text of one or more lines, without a line break at its end.
    func log(_ message: String, for part: NetworkLoggingType, type: LogType)

    /// Handles an event of an exchange; not called if both levels are `.off`.
    ///
    /// The default implementation formats the event, if the levels require a record, and passes it to
    /// ``log(_:for:type:)``.
    ///
    /// - Parameter event: The event, with nothing masked.
    func log(_ event: NetworkLogEvent)
}

/// The parts of a request or a response that a log shows.
///
/// Combine parts, as in `[.status, .headers]`. Every level except ``off`` shows the line with the status.
public struct NetworkLoggingLevel: OptionSet, Hashable, Sendable {
    /// The bits of the parts.
    public let rawValue: Int

    /// Creates a level from the bits of its parts.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Nothing: no text is created, and the stream is not called.
    public static let off: NetworkLoggingLevel = []

    /// Method, URL, status and duration.
    public static let status = NetworkLoggingLevel(rawValue: 1 << 1)

    /// The header fields, masked.
    public static let headers = NetworkLoggingLevel(rawValue: 1 << 2)

    /// The body, masked and truncated.
    public static let body = NetworkLoggingLevel(rawValue: 1 << 3)

    /// All parts.
    public static let full: NetworkLoggingLevel = [.status, .headers, .body]
}

/// The half of an exchange that a record is about.
public enum NetworkLoggingType: Hashable, Sendable {
    /// The request.
    case request

    /// The response or the failure.
    case response
}

/// The severity of a record.
public enum LogType: Hashable, Sendable {
    /// What follows from failures that were logged before, such as each request that an open circuit refuses.
    case debug

    /// A request, a response with a status below 400, or a cancellation.
    case info

    /// A response with a status of 400 or above, a failure, a circuit that opens or closes, or a transport that can't
    /// be used.
    case warning

    /// Reserved for custom loggers; the library does not use it.
    case critical
}

extension NetworkLogger {
    /// `NetworkClient`.
    public var tag: String { DefaultLogger.defaultTag }

    /// Method, URL, status and duration.
    public var requestLevel: NetworkLoggingLevel { .status }

    /// Method, URL, status and duration.
    public var responseLevel: NetworkLoggingLevel { .status }

    /// A formatter that masks known secrets.
    public var formatter: NetworkLogFormatter { NetworkLogFormatter() }

    /// Writes the record of an event, if the levels require one.
    ///
    /// - Parameter event: The event, with nothing masked.
    public func log(_ event: NetworkLogEvent) {
        let text = formatter.text(of: event, requestLevel: requestLevel, responseLevel: responseLevel)
        guard let text else { return }
        log(text, for: event.part, type: event.type)
    }

    /// Writes several lines as one record.
    public func log(_ messages: [String], for part: NetworkLoggingType, type: LogType) {
        log(messages.joined(separator: "\n"), for: part, type: type)
    }

    /// Writes the record of a request outside an exchange.
    public func log(request: URLRequest, type: LogType) {
        guard let text = formatter.text(of: request, level: requestLevel) else { return }
        log(text, for: .request, type: type)
    }

    /// Writes the record of a response outside an exchange, without method and duration.
    public func log(response: HTTPURLResponse, with data: Data?, type: LogType) {
        guard let text = formatter.text(of: response, with: data, level: responseLevel) else { return }
        log(text, for: .response, type: type)
    }
}

extension NetworkLogger {
    /// Whether both levels are `.off`.
    var isOff: Bool { requestLevel == .off && responseLevel == .off }

    /// Reports that a client sends with URLSession because libcurl can't be used.
    func logFallback(reason: String) {
        guard !isOff else { return }
        let message = "Requests are sent with URLSessionTransport instead of CurlTransport: \(reason)"
        log(PrintableText.line(message), for: requestLevel == .off ? .response : .request, type: .warning)
    }
}
