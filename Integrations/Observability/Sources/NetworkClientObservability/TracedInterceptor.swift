public import NetworkClient
import Tracing

/// Makes a client span for each request that is sent, by OpenTelemetry's conventions for HTTP clients, and sends its
/// context.
///
/// ```swift
/// let client = NetworkClient(interceptors: [.retry(), .traced(), .measured()])
/// ```
///
/// Retries, redirects and requests whose credential was refused have a span each, with their own URL, status and
/// `traceparent`; `http.request.resend_count` numbers them within the call. Their parent is the span in which the call
/// was made. The refresh of a token is a call of its own. A response from the client's cache has no span. Where the
/// interceptor stands among the others makes no difference.
///
/// The tracer is the one that `InstrumentationSystem` has at the time of the call, which also writes the header fields.
/// A span is named after the method and the label of the call (`GET getUser`), and has the URL as the log shows it. Its
/// status is an error for a response of 400 and above and for a failure, but not for a cancellation. Messages of errors
/// are not recorded. A span ends with the body of the response; for a stream and for events, whose bodies the caller
/// reads, it ends with the head.
///
/// A client with this interceptor needs no `.tracing()`, whose `traceparent` it replaces. Identical calls that share an
/// exchange have one span, which belongs to the first.
public struct TracedInterceptor: InterceptorProtocol {
    /// True.
    public var runsInCallersTask: Bool { true }

    private let redaction: LogRedaction
    private let isTraced: @Sendable (URLRequest) -> Bool

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - redaction: What is masked in `url.full`, in addition to names that the client declares sensitive.
    ///   - isTraced: Returns whether a request gets a span and header fields; by default, all do.
    public init(
        redaction: LogRedaction = .sensitive,
        where isTraced: @escaping @Sendable (URLRequest) -> Bool = { _ in true }
    ) {
        self.redaction = redaction
        self.isTraced = isTraced
    }

    /// Passes the request on, with spans for what is sent; rethrows the errors of `next`.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        // A tracer is an instrument, too.
        let instrument = InstrumentationSystem.instrument
        guard type(of: instrument) != NoOpInstrument.self else { return try await next(request) }
        let context = RequestContext.current
        let spans = ExchangeSpans(
            instrument: instrument,
            tracer: InstrumentationSystem.tracer,
            parent: ServiceContext.current ?? .topLevel,
            context: context,
            redaction: redaction,
            isTraced: isTraced
        )
        return try await context.observing(spans) { try await next(request) }
    }
}

extension InterceptorProtocol where Self == TracedInterceptor {
    /// An interceptor that makes a span for each request that is sent.
    public static func traced(
        redaction: LogRedaction = .sensitive,
        where isTraced: @escaping @Sendable (URLRequest) -> Bool = { _ in true }
    ) -> TracedInterceptor {
        TracedInterceptor(redaction: redaction, where: isTraced)
    }
}

/// Makes the spans of the requests of one call.
private struct ExchangeSpans: ExchangeObserver {
    let instrument: any Instrument
    let tracer: any Tracer
    let parent: ServiceContext
    let context: RequestContext
    let redaction: LogRedaction
    let isTraced: @Sendable (URLRequest) -> Bool

    func willSend(_ request: URLRequest, number: Int) -> ExchangeObservation? {
        guard isTraced(request) else { return nil }
        let span = begin(request, number: number)
        var fields: [HeaderField] = []
        instrument.inject(span.context, into: &fields, using: FieldInjector())
        return ExchangeObservation(setting: fields) { result in
            span.note(result)
            span.end()
        }
    }

    private func begin(_ request: URLRequest, number: Int) -> any Span {
        let facts = ExchangeFacts(request)
        let method = facts.originalMethod == nil ? facts.method : "HTTP"
        let name = context.label.map { "\(method) \($0)" } ?? method
        let span = tracer.startSpan(name, context: parent, ofKind: .client)
        guard span.isRecording else { return span }
        span.updateAttributes { attributes in
            attributes["http.request.method"] = facts.method
            if let method = facts.originalMethod { attributes["http.request.method_original"] = method }
            attributes["server.address"] = facts.address
            attributes["server.port"] = facts.port
            attributes["url.full"] = request.url.map { context.redacted($0, by: redaction) }
            if number > 1 { attributes["http.request.resend_count"] = number - 1 }
        }
        return span
    }
}

extension Span {
    fileprivate func note(_ result: Result<TransportResponse, any Error>) {
        guard isRecording else { return }
        let outcome = ExchangeOutcome(result)
        updateAttributes { attributes in
            // An attribute that is set to nil costs as much as one that has a value.
            if let status = outcome.status { attributes["http.response.status_code"] = status }
            if let version = outcome.version { attributes["network.protocol.version"] = version }
            if let type = outcome.errorType { attributes["error.type"] = type }
        }
        if outcome.errorType != nil { setStatus(SpanStatus(code: .error)) }
    }
}

private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout [HeaderField]) {
        fields.append(.custom(name: key, value: value))
    }
}
