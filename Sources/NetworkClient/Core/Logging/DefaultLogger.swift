/// Writes one line for each exchange, optionally with header fields and bodies, and masks secrets.
///
/// ```
/// [NetworkClient] GET https://api.example.com/items?page=1 → 200 in 12 ms
/// ```
public struct DefaultLogger: NetworkLogger {
    /// The default tag.
    public static let defaultTag = "NetworkClient"

    /// The text in brackets before each record; an empty tag adds nothing.
    public let tag: String

    /// The parts of requests to log.
    public let requestLevel: NetworkLoggingLevel

    /// The parts of responses and failures to log.
    public let responseLevel: NetworkLoggingLevel

    /// The formatter that turns events into masked text.
    public let formatter: NetworkLogFormatter

    private let logStream: any LogStream

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - tag: The text in brackets before each record.
    ///   - logStream: The destination of the records.
    ///   - logFilter: Limits what may be logged of an exchange, whatever the levels are.
    ///   - requestLevel: The parts of requests to log.
    ///   - responseLevel: The parts of responses and failures to log.
    ///   - headerMasks: Masks for header fields in addition to `redaction`.
    ///   - redaction: Masks values of header fields, queries and bodies.
    ///   - bodyLimit: The maximum length of a body in the log, in bytes of text.
    public init(
        tag: String = defaultTag,
        logStream: some LogStream = .default,
        logFilter: some LoggerFilter = .always,
        requestLevel: NetworkLoggingLevel = .status,
        responseLevel: NetworkLoggingLevel = .status,
        headerMasks: [HeaderMasks] = [],
        redaction: LogRedaction = .sensitive,
        bodyLimit: Int = NetworkLogFormatter.defaultBodyLimit
    ) {
        self.tag = tag
        self.requestLevel = requestLevel
        self.responseLevel = responseLevel
        self.logStream = logStream
        formatter = NetworkLogFormatter(
            redaction: redaction,
            headerMasks: headerMasks,
            filter: logFilter,
            bodyLimit: bodyLimit
        )
    }

    /// Writes one record after the tag, unless the level of its half of the exchange is `.off`.
    public func log(_ message: String, for part: NetworkLoggingType, type: LogType) {
        let level = part == .request ? requestLevel : responseLevel
        guard level != .off else { return }
        logStream.log(tag.isEmpty ? message : "[\(tag)] \(message)", for: type)
    }

    /// Returns whether both loggers write to the same stream.
    ///
    /// Streams that are custom value types count as different.
    func writesToTheStream(of other: DefaultLogger) -> Bool {
        if let one = logStream as? DefaultLogStream, let other = other.logStream as? DefaultLogStream {
            return one.isSame(as: other)
        }
        return isSameObject(logStream, other.logStream)
    }
}

extension NetworkLogger {
    /// Returns whether the logger writes the same records to the same destination as the other one.
    func repeats(_ other: any NetworkLogger) -> Bool {
        if let one = self as? DefaultLogger, let other = other as? DefaultLogger {
            return one.writesToTheStream(of: other)
        }
        return isSameObject(self, other)
    }
}

/// Returns whether both values are the same object; false for value types.
func isSameObject(_ one: Any, _ other: Any) -> Bool {
    guard type(of: one) is AnyClass, type(of: other) is AnyClass else { return false }
    return (one as AnyObject) === (other as AnyObject)
}

extension NetworkLogger where Self == DefaultLogger {
    /// A logger that writes one line for each exchange to the system's log.
    public static var `default`: DefaultLogger { DefaultLogger() }

    /// A logger that writes nothing.
    public static var off: DefaultLogger { DefaultLogger(requestLevel: .off, responseLevel: .off) }

    /// Creates a logger with separate levels for requests and responses; see
    /// ``DefaultLogger/init(tag:logStream:logFilter:requestLevel:responseLevel:headerMasks:redaction:bodyLimit:)``.
    public static func `default`(
        requestLevel: NetworkLoggingLevel = .status,
        responseLevel: NetworkLoggingLevel = .status,
        headerMasks: [HeaderMasks] = [],
        redaction: LogRedaction = .sensitive,
        logFilter: some LoggerFilter = .always,
        logStream: some LogStream = .default
    ) -> DefaultLogger {
        DefaultLogger(
            logStream: logStream,
            logFilter: logFilter,
            requestLevel: requestLevel,
            responseLevel: responseLevel,
            headerMasks: headerMasks,
            redaction: redaction
        )
    }

    /// Creates a logger with one level for requests and responses.
    public static func `default`(
        logLevel: NetworkLoggingLevel,
        headerMasks: [HeaderMasks] = [],
        redaction: LogRedaction = .sensitive,
        logFilter: some LoggerFilter = .always,
        logStream: some LogStream = .default
    ) -> DefaultLogger {
        .default(
            requestLevel: logLevel,
            responseLevel: logLevel,
            headerMasks: headerMasks,
            redaction: redaction,
            logFilter: logFilter,
            logStream: logStream
        )
    }
}

/// Limits what may be logged of an exchange, whatever the logger's levels are.
///
/// Use ``AlwaysLogFilter`` to allow everything. To silence an endpoint, implement
/// ``acceptLoggingLevel(for:)-(URLRequest)`` and return `.off` for its requests: nothing of the exchange is logged
/// then, including its response and failures.
public protocol LoggerFilter: Sendable {
    /// Returns the parts of a request that may be shown; `.off` also silences its response. Everything by default.
    func acceptLoggingLevel(for request: URLRequest) -> NetworkLoggingLevel

    /// Returns the parts of a response that may be shown. Everything by default.
    func acceptLoggingLevel(for response: HTTPURLResponse) -> NetworkLoggingLevel
}

extension LoggerFilter {
    /// Returns every part.
    public func acceptLoggingLevel(for request: URLRequest) -> NetworkLoggingLevel { .full }

    /// Returns every part.
    public func acceptLoggingLevel(for response: HTTPURLResponse) -> NetworkLoggingLevel { .full }
}

/// A filter that allows everything.
public struct AlwaysLogFilter: LoggerFilter {
    /// Creates the filter.
    public init() {}
}

extension LoggerFilter where Self == AlwaysLogFilter {
    /// A filter that allows everything.
    public static var always: AlwaysLogFilter { AlwaysLogFilter() }
}
