@_exported public import NetworkUtilities

public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests through a chain of interceptors and decodes their responses.
///
/// A client is cheap to create and may be used from any number of tasks at once. Clients without a session or a
/// transport of their own share their connections.
///
/// ```swift
/// let client = NetworkClient(configuration: .init(baseURL: try URL(http: "https://api.example.com")))
/// let response = try await client.fetch(.get(path: "items").add(query: "page", value: 1), as: [Item].self)
/// print(response.item.count, response["content-type"] ?? "")
/// ```
public final class NetworkClient: Sendable {
    /// The bytes and the head of an accepted response, as interceptors see them.
    public typealias ChainResult = (data: Data, response: HTTPURLResponse)

    /// The type of `next` in ``InterceptorProtocol/process(_:next:)``.
    ///
    /// Required in a module with the feature `NonisolatedNonsendingByDefault`, where the type means another one when it
    /// is written out.
    public typealias Next = @Sendable (URLRequest) async throws -> ChainResult

    /// The protocol of interceptors.
    public typealias Interceptor = InterceptorProtocol

    /// The protocol of decoders.
    public typealias Decoder = DecoderProtocol

    /// The protocol of loggers.
    public typealias Logging = NetworkLogger

    /// The settings for every call, which ``CallOptions`` override for one call.
    public let configuration: Configuration

    /// The transport that sends the requests.
    public let transport: any Transport

    let calls: CallRegistry
    let sharing = SharedExchanges()
    private let observers: CallObservers
    private let cancellableTransport: any Transport
    private let interceptors: [any InterceptorProtocol]
    private let limit: (any CallLimit)?
    private let decoder: any DecoderProtocol
    private let mapper: ResponseErrorMapper
    private let defaultFields: [String: String]
    /// Nil if nothing is ever logged.
    private let logger: (any NetworkLogger)?

    /// Creates a client that sends with the platform's default transport, or with a custom session.
    ///
    /// The default is URLSession on Apple platforms, and libcurl on Linux; where libcurl cannot be used, ``transport``
    /// is a ``URLSessionTransport``, whose description and one line in the log give the reason.
    ///
    /// - Parameters:
    ///   - interceptors: The interceptors, in the order in which requests pass them.
    ///   - decoder: Decodes responses.
    ///   - logging: The logger that records each exchange; `.off` by default. `.default` writes one line for each,
    ///     without header fields and bodies.
    ///   - session: The session whose configuration ``URLSessionTransport`` copies, with its cache, cookies, proxies,
    ///     timeouts and header fields, and whose delegate gets challenges on Apple platforms; its tasks are not used.
    ///     With a session for transfers in the background every request fails. Nil for connections shared with other
    ///     clients, without cookies and cache.
    ///   - apiErrorMapper: Replaces the errors of the server.
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

    /// Creates a client that sends with a custom transport.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - interceptors: The interceptors, in the order in which requests pass them.
    ///   - decoder: Decodes responses.
    ///   - logging: The logger that records each exchange; `.off` by default. `.default` writes one line for each,
    ///     without header fields and bodies.
    ///   - apiErrorMapper: Replaces the errors of the server.
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
        let interceptors = InterceptorStack.flattened(interceptors)
        for name in interceptors.compactMap({ ($0 as? AuthenticationInterceptor)?.headerName }) {
            let known = CredentialFields(sensitiveHeaders: configuration.sensitiveHeaders)
            if !known.contains(name) { configuration.sensitiveHeaders.append(name) }
        }
        self.transport = transport
        self.configuration = configuration
        let logger = (logging as? DefaultLogger)?.isOff == true ? nil : logging
        self.logger = logger
        if let reason = (transport as? URLSessionTransport)?.explanation { logger?.logFallback(reason: reason) }
        self.interceptors = interceptors.filter { ($0 as? LoggingInterceptor)?.repeats(logger) != true }
        limit = self.interceptors.first as? any CallLimit
        calls = CallRegistry(interceptors: self.interceptors, mapper: apiErrorMapper)
        cancellableTransport = transport is any ScopedTransport ? transport : TransportInTask(wrapped: transport)
        self.decoder = decoder
        mapper = apiErrorMapper
        defaultFields = defaults.headers
        observers = CallObservers(configuration.observer)
    }

    /// Cancels every call in flight, including calls that wait between attempts; each throws `CancellationError`.
    ///
    /// Later calls are not affected.
    public func cancelAll() {
        calls.cancelAll()
    }

    /// The reports on all calls that begin from now on, each once.
    ///
    /// Each reader has its own sequence, which ends with the client. A reader that is 1,000 reports behind loses the
    /// oldest ones.
    public var reports: AsyncStream<CallReport> { observers.reports() }

    /// Runs a call, and reports its end if the client has observers; that of a stream is reported by its reader.
    nonisolated(nonsending) func observed<Value>(
        _ request: @autoclosure () -> URLRequest,
        _ operation: nonisolated(nonsending) (ObservedCall?) async throws -> Value
    ) async throws -> Value {
        guard !observers.isEmpty else { return try await operation(nil) }
        let call = ObservedCall(request(), observers, configuration.time)
        do {
            let value = try await operation(call)
            if !call.endsWithBody { call.end(nil) }
            return value
        } catch {
            call.end(error)
            throw error
        }
    }

    /// Sends a request and returns the accepted response, undecoded.
    nonisolated(nonsending) func perform(
        _ request: URLRequest,
        _ options: CallOptions,
        _ destination: BodyDestination = .memory,
        countBody: (@Sendable (URLRequest) -> URLRequest)? = nil,
        for call: ObservedCall?
    ) async throws -> TransportResponse {
        let log = log(for: options)
        do {
            let (chain, prepared) = try chain(for: request, options, destination, countBody, log, call)
            defer { chain.report(to: call) }
            let response = try await calls.run(mayWait: options.errorMapper?.mayWait == true) {
                let response = try await chain.run(prepared)
                guard response.body.isStreamed else { return response }
                self.calls.hold(response.body.channel)
                // A `cancelAll()` from before had nothing to cancel.
                if CallScope.isCancelled { response.body.channel.cancel() }
                return response
            }
            if Task.isCancelled {
                if response.body.isStreamed { response.body.channel.cancel() }
                throw CancellationError()
            }
            call?.head = response.head
            return response
        } catch {
            log?.end(request, .init(of: error))
            throw error
        }
    }

    /// The log of a call with these options; nil if nothing is logged.
    func log(for options: CallOptions) -> CallLog? {
        (options.logging ?? logger).flatMap { logger in
            CallLog(logger, sensitiveHeaders: configuration.sensitiveHeaders, time: configuration.time) { error, url in
                .init(of: NetworkClient.Error.wrapping(error, url))
            }
        }
    }

    /// The synchronous part of a call, kept out of line so that its stack frame is released before the first
    /// suspension.
    @inline(never)
    func chain(
        for request: URLRequest,
        _ options: CallOptions,
        _ destination: BodyDestination = .memory,
        _ countBody: (@Sendable (URLRequest) -> URLRequest)? = nil,
        _ log: CallLog?,
        _ call: ObservedCall?
    ) throws -> (Chain, URLRequest) {
        var request = request
        let settings = try CallSettings(
            configuration,
            options,
            decoder: decoder(for: options),
            destination: destination,
            countBody: countBody,
            log: log,
            defaultFields: defaultFields,
            preparing: &request
        )
        let chain = Chain(
            interceptors: interceptors,
            limit: limit,
            transport: cancellableTransport,
            sharing: sharing,
            settings: settings,
            mapper: options.errorMapper?.followed(by: mapper) ?? mapper,
            isObserved: call != nil
        )
        return (chain, request)
    }

    /// Decodes an accepted response; an error is logged after the record of the exchange.
    func decode<Value>(
        _ response: TransportResponse,
        to request: URLRequest,
        _ options: CallOptions,
        _ decode: (TransportResponse, any DecoderProtocol) throws -> Value
    ) throws -> Value {
        do {
            return try decode(response, decoder(for: options))
        } catch {
            logUndecodable(response, to: request, error, options)
            throw error
        }
    }

    private func logUndecodable(
        _ response: TransportResponse,
        to request: URLRequest,
        _ error: any Swift.Error,
        _ options: CallOptions
    ) {
        guard let logger = options.logging ?? logger, !logger.isOff else { return }
        var request = request.clearingInstanceCaching()
        request.url = response.response.url ?? request.url
        let duration = response.journey?.steps.last?.time ?? response.head.metrics?.total ?? 0
        let attempts = response.journey?.attempts ?? 1
        var event = NetworkLogEvent(
            request: request,
            stage: .failed(error),
            duration: duration,
            attempt: max(1, attempts),
            wasSent: attempts > 0
        )
        event.sensitiveHeaders = configuration.sensitiveHeaders
        logger.log(event)
    }

    /// The decoder of a call, for values as well as for errors.
    func decoder(for options: CallOptions) -> any DecoderProtocol { options.decoder ?? decoder }
}

extension NetworkClient: Hashable {
    /// Whether both are the same client; clients with equal settings are different.
    public static func == (first: NetworkClient, second: NetworkClient) -> Bool { first === second }

    /// Hashes the identity of the client.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension NetworkClient: CustomReflectable {
    /// A mirror that shows only the configuration, since interceptors and transports may hold credentials.
    public var customMirror: Mirror {
        Mirror(self, children: ["configuration": configuration], displayStyle: .class)
    }
}
