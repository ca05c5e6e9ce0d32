/// Writes one line for each exchange, and header fields and bodies if it is asked to, with secrets masked.
///
/// ```
/// [NetworkClient] GET https://api.example.com/items?page=1 → 200 in 12 ms
/// ```
public struct DefaultLogger: NetworkLogger {
    /// The tag of a logger that was given none.
    public static let defaultTag = "NetworkClient"

    /// What stands in brackets before each record; nothing does if it is empty.
    public let tag: String

    /// How much is shown of requests.
    public let requestLevel: NetworkLoggingLevel

    /// How much is shown of answers and failures.
    public let responseLevel: NetworkLoggingLevel

    /// What turns events into text and masks it.
    public let formatter: NetworkLogFormatter

    private let logStream: any LogStream

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - tag: What stands in brackets before each record.
    ///   - logStream: Where records go.
    ///   - logFilter: What may be logged of which exchange, whatever the levels are.
    ///   - requestLevel: How much is shown of requests.
    ///   - responseLevel: How much is shown of answers and failures.
    ///   - headerMasks: How header fields are masked beyond what `redaction` says.
    ///   - redaction: What is masked, in header fields, queries and bodies.
    ///   - bodyLimit: How much is shown of a body, in bytes of text.
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

    /// Whether nothing is ever logged.
    var isOff: Bool { requestLevel == .off && responseLevel == .off }

    /// Whether both have one stream, as far as that can be told: value types of the caller's count as different.
    func writesToTheStream(of other: DefaultLogger) -> Bool {
        if let one = logStream as? DefaultLogStream, let other = other.logStream as? DefaultLogStream {
            return one.isSame(as: other)
        }
        return isSameObject(logStream, other.logStream)
    }

    /// Writes one record with the tag before it, unless the level of that half is `.off`.
    ///
    /// - Parameters:
    ///   - message: The record.
    ///   - part: Which half of an exchange it is about.
    ///   - type: How serious it is.
    public func log(_ message: String, for part: NetworkLoggingType, type: LogType) {
        let level = part == .request ? requestLevel : responseLevel
        guard level != .off else { return }
        logStream.log(tag.isEmpty ? message : "[\(tag)] \(message)", for: type)
    }
}

/// Whether both are one object; false for value types.
func isSameObject(_ one: Any, _ other: Any) -> Bool {
    guard type(of: one) is AnyClass, type(of: other) is AnyClass else { return false }
    return (one as AnyObject) === (other as AnyObject)
}
