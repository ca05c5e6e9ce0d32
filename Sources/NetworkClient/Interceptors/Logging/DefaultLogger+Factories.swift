extension NetworkLogger where Self == DefaultLogger {
    /// One line for each exchange, in the system's log.
    public static var `default`: DefaultLogger { DefaultLogger() }

    /// Nothing is logged.
    public static var off: DefaultLogger { DefaultLogger(requestLevel: .off, responseLevel: .off) }

    /// A logger with a level for requests and one for answers.
    ///
    /// - Parameters:
    ///   - requestLevel: How much is shown of requests.
    ///   - responseLevel: How much is shown of answers and failures.
    ///   - headerMasks: How header fields are masked beyond what `redaction` says.
    ///   - redaction: What is masked, in header fields, queries and bodies.
    ///   - logFilter: What may be logged of which exchange, whatever the levels are.
    ///   - logStream: Where records go.
    /// - Returns: The logger.
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

    /// A logger with one level for both halves of an exchange.
    ///
    /// - Parameters:
    ///   - logLevel: How much is shown.
    ///   - headerMasks: How header fields are masked beyond what `redaction` says.
    ///   - redaction: What is masked, in header fields, queries and bodies.
    ///   - logFilter: What may be logged of which exchange, whatever the level is.
    ///   - logStream: Where records go.
    /// - Returns: The logger.
    public static func `default`(
        logLevel: NetworkLoggingLevel,
        headerMasks: [HeaderMasks] = [],
        redaction: LogRedaction = .sensitive,
        logFilter: some LoggerFilter = .always,
        logStream: some LogStream = .default
    ) -> DefaultLogger {
        DefaultLogger(
            logStream: logStream,
            logFilter: logFilter,
            requestLevel: logLevel,
            responseLevel: logLevel,
            headerMasks: headerMasks,
            redaction: redaction
        )
    }
}
