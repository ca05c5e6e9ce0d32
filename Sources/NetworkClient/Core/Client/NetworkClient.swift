import JSONDecoding

/// Sends requests through a chain of interceptors and decodes their responses.
///
/// A client is cheap to create and may be used from any number of tasks at once. Clients that are created without a
/// session or a transport share their connections.
///
/// ```swift
/// let client = try NetworkClient(
///     baseURL: "https://api.example.com",
///     interceptors: [.standardResilience]
/// )
/// let response = try await client.fetch(
///     .get(path: "items").add(query: "page", value: 1),
///     as: [Item].self
/// )
/// print(response.item.count, response["content-type"] ?? "")
/// ```
public final class NetworkClient: Sendable {
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

    /// The interceptors, the outermost first; those of a stack are listed one by one.
    public let interceptors: [any InterceptorProtocol]

    let calls: CallRegistry
    let sharing = SharedExchanges()
    let observers: CallObservers
    private let cancellableTransport: any Transport
    let decoder: any DecoderProtocol
    private let mapper: ResponseErrorMapper
    private let defaultFields: [String: String]
    private let logger: any NetworkLogger
    private let steps: [any HopStep]

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
        configuration.idleTimeout = configuration.idleTimeout ?? defaults.idleTimeout
        configuration.attemptTimeout = configuration.attemptTimeout ?? defaults.attemptTimeout
        if defaults.keepsState { configuration.cache = nil }
        let interceptors = InterceptorStack.flattened(interceptors)
        for name in interceptors.flatMap(\.sensitiveHeaders) {
            let known = CredentialFields(sensitiveHeaders: configuration.sensitiveHeaders)
            if !known.contains(name) { configuration.sensitiveHeaders.append(name) }
        }
        self.transport = transport
        self.configuration = configuration
        logger = logging
        if let reason = defaults.reasonOfFallback { logger.logFallback(reason: reason) }
        self.interceptors = interceptors
        steps = Chain.steps(configuration, interceptors: !interceptors.isEmpty)
        calls = CallRegistry(interceptors: interceptors, mapper: apiErrorMapper)
        cancellableTransport = transport is any ScopedTransport ? transport : TransportInTask(wrapped: transport)
        self.decoder = decoder
        mapper = apiErrorMapper
        defaultFields = defaults.headers
        observers = CallObservers(configuration.observer, onFailedCall: defaults.onFailedCall)
    }

    /// Cancels every call in flight, including calls that wait between attempts, and every open WebSocket; each throws
    /// `CancellationError`.
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

    /// Runs one call: makes its request, sends it, and makes the value of its response; the call is recorded from its
    /// beginning to its end.
    ///
    /// - Parameters:
    ///   - make: Makes the request; its error is the failure of the call, and nothing is sent.
    ///   - options: The options of the call.
    ///   - destination: Where the body of the response goes; the end of a body that the caller reads ends the call.
    ///   - countBody: Counts the bytes of the request's body that are read.
    ///   - mayWait: Whether `inside` runs user code that can wait.
    ///   - failure: Returns the error for the caller.
    ///   - inside: The part of making the value that may wait, so that ``cancelAll()`` has to reach it.
    ///   - outside: Makes the value.
    /// - Returns: The value, with the head and the journey of the response.
    /// - Throws: The failure of the call, as the caller gets it.
    nonisolated(nonsending) func perform<Inner: Sendable, Value>(
        _ make: () throws -> URLRequest,
        _ options: CallOptions,
        _ destination: BodyDestination = .memory,
        countBody: CountedBody? = nil,
        mayWait: Bool = false,
        failure: (any Swift.Error) -> any Swift.Error = { $0 },
        inside: nonisolated(nonsending) @escaping @Sendable (PerformedCall) async throws -> Inner,
        outside: (PerformedCall, Inner) throws -> Value
    ) async throws -> Response<Value> {
        let record = record(of: options)
        let board = options.progress.map { ProgressBoard($0) }
        defer { board?.end() }
        var request: URLRequest?
        do {
            let made = try Self.made(make)
            request = made
            record.began(made)
            let (chain, prepared) = try chain(for: made, options, destination, board, countBody, record)
            request = prepared
            let mayWait = mayWait || options.errorMapper?.mayWait == true
            let (call, inner) = try await calls.run(mayWait: mayWait) {
                let call = PerformedCall(request: made, response: try await chain.run(prepared), chain: chain)
                self.hold(call)
                return (call, try await inside(call))
            }
            guard !Task.isCancelled else { throw call.cancelled() }
            let value = try outside(call, inner)
            if case .caller = destination {} else { record.ended(nil, nil) }
            return call.response(value)
        } catch {
            let error = (error as? Error)?.thrown(by: record) ?? error
            let shown = failure(error)
            record.ended(error, request ?? Self.unbuilt, as: shown)
            throw shown
        }
    }

    /// Keeps the body of a response that is read after its call, so that ``cancelAll()`` reaches it.
    private func hold(_ call: PerformedCall) {
        guard call.response.body.isStreamed else { return }
        calls.hold(call.response.body.channel)
        // An earlier `cancelAll()` did not reach the body.
        if CallScope.isCancelled { call.response.body.channel.cancel() }
    }

    /// Creates the record of a call with these options.
    private func record(of options: CallOptions) -> CallRecord {
        let (time, label) = (configuration.time, options.label.map(PrintableText.line))
        var log: CallLog?
        let logger = options.logging ?? logger
        if !logger.isOff {
            let sensitive = configuration.sensitiveHeaders
            log = CallLog(logger, sensitiveHeaders: sensitive, label: label, time: time)
        }
        let observers = observers.isEmpty ? nil : observers
        let keepsSteps = !interceptors.isEmpty
        return CallRecord(log, observers: observers, label: label, keepsSteps: keepsSteps, time: time)
    }

    private static func made(_ make: () throws -> URLRequest) throws -> URLRequest {
        do {
            return try make()
        } catch let error
            where error is BodyEncodingError || error is BodySourceError || error is MultipartFormFilePart.Error
        {
            throw Error(error) ?? error
        }
    }

    /// The request in reports and in the log if the caller's request could not be built: one without a URL.
    private static var unbuilt: URLRequest {
        var request = URLRequest(url: URL(fileURLWithPath: "/"))
        request.url = nil
        return request
    }

    /// Prepares the request and creates the chain of a call.
    ///
    /// It is not inlined, so that its stack frame is released before the first suspension.
    @inline(never)
    private func chain(
        for request: URLRequest,
        _ options: CallOptions,
        _ destination: BodyDestination,
        _ progress: ProgressBoard?,
        _ countBody: CountedBody?,
        _ record: CallRecord
    ) throws -> (Chain, URLRequest) {
        var request = request
        let chain = Chain(
            interceptors: interceptors,
            transport: cancellableTransport,
            sharing: sharing,
            settings: try CallSettings(
                configuration,
                options,
                decoder: decoder,
                destination: destination,
                progress: progress,
                countBody: countBody,
                defaultFields: defaultFields,
                preparing: &request
            ),
            calls: calls,
            mapper: options.errorMapper?.followed(by: mapper) ?? mapper,
            record: record,
            steps: steps
        )
        return (chain, request)
    }
}

/// A call that has received an accepted response.
struct PerformedCall: Sendable {
    /// The request as the caller made it.
    let request: URLRequest
    let response: TransportResponse
    let chain: Chain

    var record: CallRecord { chain.record }

    /// Stops receiving the response of a cancelled call, and returns its error.
    func cancelled() -> CancellationError {
        if response.body.isStreamed { response.body.channel.cancel() }
        return CancellationError()
    }

    /// The length in bytes beyond which decoding a body may take so long that the call's limit matters.
    private static var longBody: Int { 16 << 10 }

    /// Decodes the response, which was accepted.
    func decoded<D>(as type: ResponseType<D>) throws -> D {
        let (url, settings) = (request.url, chain.settings)
        guard response.body.data.count <= settings.bodyLimit else {
            let error = TransportError(tooLargeBody: settings.bodyLimit, settings.bodyLimitName, request: request)
            throw NetworkClient.Error.wrapping(error, url)
        }
        do {
            guard response.body.data.count > Self.longBody else {
                return try response.decoded(as: type, by: settings.decoder)
            }
            let hasPassed = chain.limit.map { limit in { @Sendable in limit.remaining <= 0 } }
            return try DecodingScope(until: hasPassed).decode {
                try response.decoded(as: type, by: settings.decoder)
            }
        } catch let error where DecodingScope.ends(with: error) {
            if error is CancellationError { throw cancelled() }
            throw NetworkClient.Error.wrapping(TransportError(passed: chain.limit?.passed, request: request), url)
        }
    }

    /// Returns the response for the caller, with the journey so far.
    func response<Value>(_ value: Value) -> NetworkClient.Response<Value> {
        NetworkClient.Response(item: value, head: response.head, journey: record.journey(to: response.head))
    }
}

extension NetworkClient: Hashable {
    /// Returns whether both are the same client.
    public static func == (one: NetworkClient, other: NetworkClient) -> Bool { one === other }

    /// Hashes the identity of the client.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension NetworkClient: CustomReflectable {
    /// A mirror that shows only the configuration, since interceptors and transports may hold credentials.
    public var customMirror: Mirror {
        Mirror(self, children: ["configuration": configuration], displayStyle: .class)
    }
}
