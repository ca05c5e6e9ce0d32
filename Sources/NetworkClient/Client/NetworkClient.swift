public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests through a chain of interceptors and decodes their answers.
///
/// A client is cheap to make and safe to use from everywhere at once. Clients that are given neither a session nor a
/// transport share their connections.
///
/// ```swift
/// let client = NetworkClient()
/// let response: NetworkClient.Response<[Item]> = try await client.fetch(request: request)
/// print(response.item.count, response["content-type"] ?? "")
/// ```
public final class NetworkClient: Sendable {
    /// The bytes of an accepted answer and its head, as they travel back through the interceptors.
    public typealias ChainResult = (data: Data, response: HTTPURLResponse)

    /// What an interceptor conforms to.
    public typealias Interceptor = InterceptorProtocol

    /// What a decoder conforms to.
    public typealias Decoder = DecoderProtocol

    /// What a logger conforms to.
    public typealias Logging = NetworkLogger

    /// What holds for every call, unless its options say otherwise.
    public let configuration: Configuration

    /// What moves the requests.
    public let transport: any Transport

    let calls = CallRegistry()
    var sharing: SharedExchanges { exchange.sharing }
    private let interceptors: [any InterceptorProtocol]
    private let decoder: any DecoderProtocol
    private let mapper: ResponseErrorMapper
    private let preparation: RequestPreparation
    private let exchange: Exchange
    /// Nil if nothing is ever logged.
    private let logger: (any NetworkLogger)?
    /// Whether a call waits in the library's own code only.
    private let isPrompt: Bool

    /// Makes a client that sends with the platform's own transport, or with a session of yours.
    ///
    /// That is URLSession on Apple platforms, and on Linux libcurl; where it cannot be used, ``transport`` is
    /// ``URLSessionTransport`` too, and its description says why.
    ///
    /// - Parameters:
    ///   - interceptors: What requests pass on their way out, in this order, and answers on their way back.
    ///   - decoder: Decodes answers.
    ///   - logging: Records each exchange as it goes over the wire; by default nothing is logged. `.default` writes one
    ///     line for each, without headers and bodies.
    ///   - session: Whose configuration is used, by ``URLSessionTransport``; nil for connections shared with other
    ///     clients, without cookies and cache.
    ///   - apiErrorMapper: Turns the server's errors into the caller's.
    ///   - configuration: Base URL, timeouts, limits, accepted statuses, redirects.
    public convenience init(
        interceptors: [any InterceptorProtocol] = [],
        decoder: any DecoderProtocol = .default,
        logging: any NetworkLogger = .off,
        session: URLSession? = nil,
        apiErrorMapper: ResponseErrorMapper = .default,
        configuration: Configuration = Configuration()
    ) {
        self.init(
            transport: session.map { URLSessionTransport(session: $0) } ?? DefaultTransport.shared,
            interceptors: interceptors,
            decoder: decoder,
            logging: logging,
            apiErrorMapper: apiErrorMapper,
            configuration: configuration
        )
    }

    /// Makes a client that sends with a transport of your choice.
    ///
    /// - Parameters:
    ///   - transport: What moves the requests.
    ///   - interceptors: What requests pass on their way out, in this order, and answers on their way back.
    ///   - decoder: Decodes answers.
    ///   - logging: Records each exchange as it goes over the wire; by default nothing is logged. `.default` writes one
    ///     line for each, without headers and bodies.
    ///   - apiErrorMapper: Turns the server's errors into the caller's.
    ///   - configuration: Base URL, timeouts, limits, accepted statuses, redirects.
    public init(
        transport: any Transport,
        interceptors: [any InterceptorProtocol] = [],
        decoder: any DecoderProtocol = .default,
        logging: any NetworkLogger = .off,
        apiErrorMapper: ResponseErrorMapper = .default,
        configuration: Configuration = Configuration()
    ) {
        let defaults = transport.defaults
        var configuration = configuration
        configuration.timeout = configuration.timeout ?? defaults.timeout
        configuration.totalTimeout = configuration.totalTimeout ?? defaults.totalTimeout
        self.transport = transport
        self.configuration = configuration
        let logger = (logging as? DefaultLogger)?.isOff == true ? nil : logging
        self.logger = logger
        if let reason = (transport as? URLSessionTransport)?.explanation { logger?.logFallback(reason: reason) }
        let interceptors = interceptors.filter { ($0 as? LoggingInterceptor)?.repeats(logger) != true }
        self.interceptors = interceptors
        let arePrompt = interceptors.allSatisfy { ($0 as? any PromptInterceptor)?.isPrompt == true }
        isPrompt = arePrompt && apiErrorMapper.isPrompt
        exchange = Exchange(
            transport: transport is any ScopedTransport ? transport : ReachableTransport(wrapped: transport),
            sharing: SharedExchanges()
        )
        self.decoder = decoder
        mapper = apiErrorMapper
        preparation = RequestPreparation(
            baseURL: configuration.baseURL,
            timeout: configuration.timeout,
            defaultHeaders: defaults.headers
        )
    }

    /// Cancels every call that is under way, also one that waits between attempts; each throws `CancellationError`.
    ///
    /// Calls that begin later are not affected.
    public func cancelAll() {
        calls.cancelAll()
    }

    /// Sends a request and returns the accepted answer, undecoded, with the settings that the call had.
    nonisolated(nonsending) func perform(
        _ request: URLRequest,
        _ options: CallOptions,
        _ delivery: BodyDelivery = .whole,
        sending upload: ProgressBoard? = nil
    ) async throws -> (TransportResponse, CallSettings) {
        let log = logger.flatMap {
            CallLog($0, sensitiveHeaders: configuration.sensitiveHeaders) { .init(of: Exchange.named($0, $1)) }
        }
        let settings = CallSettings(
            configuration,
            options,
            decoder: decoder,
            request: request,
            delivery: delivery,
            upload: upload,
            log: log
        )
        do {
            let prepared = try preparation.prepare(request, options)
            let chain = Chain(interceptors: interceptors, exchange: exchange, settings: settings, mapper: mapper)
            let result = try await calls.run(isPrompt: isPrompt) {
                let answer = try await chain.run(prepared)
                if answer.body.isStreamed { self.calls.hold(answer.body.channel) }
                return answer
            }
            if Task.isCancelled {
                if result.body.isStreamed { result.body.channel.cancel() }
                throw CancellationError()
            }
            return (result, settings)
        } catch {
            log?.end(request, .init(of: error))
            throw error
        }
    }
}
