extension InterceptorProtocol where Self == LoggingInterceptor {
    /// Reports to a logger.
    ///
    /// - Parameter logger: The logger.
    /// - Returns: The interceptor.
    public static func logging(_ logger: some NetworkLogger) -> LoggingInterceptor {
        LoggingInterceptor(logger: logger)
    }

    /// Writes each exchange to a stream.
    ///
    /// - Parameters:
    ///   - level: How much is shown of requests and answers.
    ///   - headerMasks: How header fields are masked beyond those that always are.
    ///   - logStream: Where records go.
    /// - Returns: The interceptor.
    public static func logging(
        level: NetworkLoggingLevel = .status,
        headerMasks: [HeaderMasks] = [],
        logStream: some LogStream = .default
    ) -> LoggingInterceptor {
        LoggingInterceptor(level: level, headerMasks: headerMasks, logStream: logStream)
    }
}
