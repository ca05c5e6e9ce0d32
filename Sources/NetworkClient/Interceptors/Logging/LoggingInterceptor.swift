#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Tells a logger about each request that passes, and about its response or failure with the time it took.
///
/// It sees what the interceptors before it made of the request, and one response for a request whose redirects are
/// followed. To log what goes over the wire, cookies and redirects included, give the client a logger instead. In a
/// client that has a logger, an interceptor that would write to the same stream writes nothing, so that each exchange
/// is logged once. Nothing that passes is changed.
public struct LoggingInterceptor: InterceptorProtocol {
    private let logger: any NetworkLogger
    private let time: any TimeSource

    /// Makes an interceptor that reports to a logger.
    ///
    /// - Parameter logger: The logger.
    public init(logger: some NetworkLogger = .default) {
        self.init(logger: logger, time: SystemTimeSource())
    }

    /// Makes an interceptor with a ``DefaultLogger`` of its own.
    ///
    /// - Parameters:
    ///   - level: How much is shown of requests and answers.
    ///   - headerMasks: How header fields are masked beyond those that always are.
    ///   - logStream: Where records go.
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

    /// Reports the request, sends it on, and reports what came of it.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The answer, unchanged.
    /// - Throws: What `next` throws, unchanged.
    public func process(
        _ request: URLRequest,
        next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
    ) async throws -> NetworkClient.ChainResult {
        guard logger.requestLevel != .off || logger.responseLevel != .off else { return try await next(request) }
        logger.log(NetworkLogEvent(request: request, stage: .sent))
        let start = time.now
        do {
            let answer = try await next(request)
            report(.answered(response: answer.response, data: answer.data), of: request, since: start)
            return answer
        } catch {
            report(.init(of: error), of: request, since: start)
            throw error
        }
    }

    /// Whether it would write the same records to the same place as a client's logger.
    func repeats(_ logger: (any NetworkLogger)?) -> Bool {
        guard let logger else { return false }
        if let one = self.logger as? DefaultLogger, let other = logger as? DefaultLogger {
            return one.writesToTheStream(of: other)
        }
        return isSameObject(self.logger, logger)
    }

    private func report(_ stage: NetworkLogEvent.Stage, of request: URLRequest, since start: Double) {
        logger.log(NetworkLogEvent(request: request, stage: stage, duration: time.now - start))
    }
}
