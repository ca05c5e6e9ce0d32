/// Reports each request to a logger, and its response or failure with the duration.
///
/// It sees the request as changed by the interceptors before it, and one response even if redirects are followed. To
/// log what is sent, including cookies and redirects, give the client a logger instead. In a client with a logger, an
/// interceptor that would write to the same stream writes nothing, so that each exchange is logged once. The request
/// and the response are not changed.
public struct LoggingInterceptor: InterceptorProtocol {
    /// True.
    public var runsInCallersTask: Bool { true }

    private let logger: any NetworkLogger
    private let time: any TimeSource

    /// Creates an interceptor that reports to a logger.
    public init(logger: some NetworkLogger = .default) {
        self.init(logger: logger, time: SystemTimeSource())
    }

    /// Creates an interceptor with its own ``DefaultLogger``.
    ///
    /// - Parameters:
    ///   - level: The parts of requests and responses to log.
    ///   - headerMasks: Masks for header fields in addition to ``LogRedaction/sensitive``.
    ///   - logStream: The destination of the records.
    public init(
        level: NetworkLoggingLevel,
        headerMasks: [HeaderMasks] = [],
        logStream: some LogStream = .default
    ) {
        self.init(logger: .default(logLevel: level, headerMasks: headerMasks, logStream: logStream))
    }

    package init(logger: some NetworkLogger, time: any TimeSource) {
        self.logger = logger
        self.time = time
    }

    /// Reports the request, passes it on, and reports the outcome.
    ///
    /// - Returns: The response, unchanged.
    /// - Throws: The errors of `next`, unchanged.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let isOff = logger.requestLevel == .off && logger.responseLevel == .off
        guard !isOff, !RequestContext.current.isLogged(by: logger) else { return try await next(request) }
        report(.sent, of: request)
        let start = time.now
        do {
            let result = try await next(request)
            report(.received(response: result.response, data: result.data), of: request, since: start)
            return result
        } catch {
            report(.init(of: error), of: request, since: start)
            throw error
        }
    }

    private func report(_ stage: NetworkLogEvent.Stage, of request: URLRequest, since start: Double? = nil) {
        let (context, duration) = (RequestContext.current, start.map { time.now - $0 } ?? 0)
        let event = NetworkLogEvent(
            request: request,
            stage: stage,
            duration: duration,
            label: context.label,
            sensitiveHeaders: context.sensitiveHeaders
        )
        logger.log(event)
    }
}

extension InterceptorProtocol where Self == LoggingInterceptor {
    /// An interceptor that writes the method, the URL and the status of each exchange.
    public static var logging: LoggingInterceptor { logging(level: .status) }

    /// Creates an interceptor that reports to a logger.
    public static func logging(_ logger: some NetworkLogger) -> LoggingInterceptor {
        LoggingInterceptor(logger: logger)
    }

    /// Creates an interceptor that writes each exchange to a stream; see
    /// ``LoggingInterceptor/init(level:headerMasks:logStream:)``.
    public static func logging(
        level: NetworkLoggingLevel = .status,
        headerMasks: [HeaderMasks] = [],
        logStream: some LogStream = .default
    ) -> LoggingInterceptor {
        LoggingInterceptor(level: level, headerMasks: headerMasks, logStream: logStream)
    }
}
