/// Observes each request of a call that is passed to the transport, and its response: also those of redirects, of
/// retries, and of credentials that were replaced.
///
/// An interceptor sees one request for each attempt, and ``InterceptorProtocol`` has a table of which seam is for what.
/// Use an observer for what belongs to a single exchange, such as a span and its context. An interceptor adds it to the
/// calls that pass through; where the interceptor stands among the others makes no difference:
///
/// ```swift
/// struct TimelineInterceptor: InterceptorProtocol, ExchangeObserver {
///     func process(
///         _ request: URLRequest,
///         next: NetworkClient.Next
///     ) async throws -> NetworkClient.ChainResult {
///         try await RequestContext.current.observing(self) { try await next(request) }
///     }
///
///     func willSend(_ request: URLRequest, number: Int) -> ExchangeObservation? {
///         let label = RequestContext.current.label ?? "call"
///         return ExchangeObservation { result in
///             print(label, number, (try? result.get().status.rawValue) ?? 0)
///         }
///     }
/// }
/// ```
///
/// A response from the client's cache is no exchange. Identical calls that share an exchange have the observers of the
/// call that began it; if all of them leave it, it ends as cancelled, also if a time limit made them leave.
public protocol ExchangeObserver: Sendable {
    /// Called before a request is passed to the transport, with its cookies and credentials.
    ///
    /// Must not wait: the exchange begins when this function returns.
    ///
    /// - Parameters:
    ///   - request: The request as it is sent.
    ///   - number: The number of the request within its call, from 1.
    /// - Returns: What the exchange is observed with; nil if it isn't of interest.
    func willSend(_ request: URLRequest, number: Int) -> ExchangeObservation?
}

/// What an ``ExchangeObserver`` adds to a request, and what it does at the end of the exchange.
public struct ExchangeObservation: Sendable {
    let fields: [HeaderField]
    let onHead: (@Sendable (HTTPURLResponse) -> Void)?
    let onEnd: @Sendable (Result<TransportResponse, any Error>) -> Void

    /// Creates an observation.
    ///
    /// - Parameters:
    ///   - fields: Header fields that replace those of the request with the same names.
    ///   - onHead: Called with the head of a response: before the body of a stream or a download, and when the body was
    ///     received if it is complete. Metrics and redirects are those known by then.
    ///   - onEnd: Called once, when the body of the response was received, or when the exchange failed or was
    ///     cancelled (`CancellationError`). If the caller reads the body, as that of a stream and of events, it is
    ///     called when the head was received. The body is that of a complete response; of a stream or a download it has
    ///     nothing, or a beginning.
    public init(
        setting fields: [HeaderField] = [],
        onHead: (@Sendable (HTTPURLResponse) -> Void)? = nil,
        onEnd: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
    ) {
        self.fields = fields
        self.onHead = onHead
        self.onEnd = onEnd
    }
}

extension RequestContext {
    /// Runs an operation whose requests an observer sees, such as the next step of an interceptor.
    public nonisolated(nonsending) func observing<Result>(
        _ observer: some ExchangeObserver,
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        try await with(observer).run(operation)
    }
}

extension ExchangeObservation: OpaqueValue {
    /// The names of the fields, without their values.
    public var description: String { "sets \(fields.map(\.name).joined(separator: ", "))" }
}
