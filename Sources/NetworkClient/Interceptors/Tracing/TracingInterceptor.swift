/// Sends `traceparent` and `tracestate` (W3C Trace Context), so that the servers' traces show which request caused
/// which other request.
///
/// ```swift
/// let client = NetworkClient(interceptors: [
///     .tracing(requestIDField: "X-Request-ID") { $0.url?.host == "api.example.com" }
/// ])
/// ```
///
/// Each request is a child of ``TraceContext/current``. If there is none, each call begins a trace, to which all its
/// attempts belong. Put the interceptor inside a retry, so that each attempt is a separate span. A request that already
/// has a `traceparent` keeps it, and its `tracestate`. The ``CallJourney`` has the identifiers.
///
/// The identifiers are random and reveal nothing about the user, but `tracestate` may be meant for certain systems
/// only: select the hosts if you send to others. The fields follow redirects, also to other hosts, unless they are
/// among ``NetworkClient/Configuration/sensitiveHeaders``. Identical calls share an exchange although these fields
/// differ; the server sees the fields of the first call.
public struct TracingInterceptor: InterceptorProtocol {
    /// True.
    public var runsInCallersTask: Bool { true }

    private enum Root {}
    private enum RequestID {}

    private let isSampled: Bool
    private let requestIDField: String?
    private let isTraced: @Sendable (URLRequest) -> Bool
    private let random: @Sendable () -> UInt64

    init(
        isSampled: Bool = true,
        requestIDField: String? = nil,
        where isTraced: @escaping @Sendable (URLRequest) -> Bool = { _ in true },
        random: @escaping @Sendable () -> UInt64 = TraceContext.random
    ) {
        self.isSampled = isSampled
        self.requestIDField = requestIDField
        self.isTraced = isTraced
        self.random = random
    }

    /// Adds the fields and passes the request on; rethrows the errors of `next`.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        guard isTraced(request) else { return try await next(request) }
        return try await next(traced(request))
    }

    private func traced(_ request: URLRequest) -> URLRequest {
        let call = RequestContext.current
        var fields: [HeaderField] = []
        if request.value(forHTTPHeaderField: "traceparent") == nil {
            let parent =
                TraceContext.current ?? call.kept(for: Root.self) { .root(isSampled: isSampled, random: random) }
            let context = parent.child(random: random)
            let state = context.tracestate
            fields.append(.custom(name: "traceparent", value: context.traceparent))
            // A `tracestate` without its `traceparent` would be read with the new one.
            fields.append(.custom(name: "tracestate", value: state.isEmpty ? nil : state))
            call.record(.decision, "TracingInterceptor: trace \(context.traceID), span \(context.parentID)")
        }
        if let requestIDField, request.value(forHTTPHeaderField: requestIDField) == nil {
            let id = call.kept(for: RequestID.self) { UUID(from: random).uuidString.lowercased() }
            fields.append(.custom(name: requestIDField, value: id))
        }
        return fields.isEmpty ? request : request.setting(headers: fields)
    }
}

extension InterceptorProtocol where Self == TracingInterceptor {
    /// An interceptor that sends `traceparent` and `tracestate`.
    public static var tracing: TracingInterceptor { TracingInterceptor() }

    /// An interceptor that sends `traceparent`, `tracestate` and, unless `requestIDField` is nil, a request identifier.
    ///
    /// - Parameters:
    ///   - isSampled: Whether new traces ask servers to record them, which most servers only do if they are asked.
    ///     Requests in a current context keep its flag.
    ///   - requestIDField: The name of a field for an identifier that all attempts of a call have in common, usually
    ///     `X-Request-ID`; nil for none. A request that has the field keeps it. Identical calls with a field of another
    ///     name than `X-Request-ID` and `X-Correlation-ID` do not share their exchange.
    ///   - isTraced: Returns whether a request gets the fields; by default, all do.
    /// - Returns: The interceptor.
    public static func tracing(
        isSampled: Bool = true,
        requestIDField: String? = nil,
        where isTraced: @escaping @Sendable (URLRequest) -> Bool = { _ in true }
    ) -> TracingInterceptor {
        TracingInterceptor(isSampled: isSampled, requestIDField: requestIDField, where: isTraced)
    }
}
